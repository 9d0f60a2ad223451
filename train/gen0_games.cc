#include "train/gen0_games.h"

#include "env/game.h"
#include "mcts/gen0.h"

namespace apiary::train {
namespace {

// The player's own distribution is the policy target: a net that starts from it plays towards the
// queens, where a uniform start shuffles until the repetition draw (docs/training.md, "Generation
// 0").
void RecordPosition(const env::Board& board, const env::MoveList& moves, GameRecord& record) {
  std::vector<float> policy(static_cast<std::size_t>(moves.size()));
  const bool win = mcts::Gen0Policy(board, moves, policy);
  PositionRecord position;
  record.AddPolicy(policy, position);
  if (win) {
    position.has_value = position.solved = true;
    position.root_wdl = {1, 0, 0};
  }
  record.positions.push_back(position);
}

}  // namespace

GameRecord PlayGen0Game(const RunConfig& config, base::RandomStream random) {
  env::Game game(config.DrawRules(random));
  GameRecord record;
  record.rules = game.rules();
  env::MoveList moves;
  while (!game.outcome().over()) {
    game.LegalMoves(moves);
    const mcts::Gen0Choice choice = mcts::ChooseGen0(game.board(), moves, random);
    RecordPosition(game.board(), moves, record);
    record.moves.push_back(choice.move);
    game.Apply(choice.move);
  }
  record.outcome = game.outcome();
  return record;
}

}  // namespace apiary::train
