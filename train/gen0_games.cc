#include "train/gen0_games.h"

#include "env/game.h"
#include "play/player.h"

namespace apiary::train {
namespace {

PositionRecord WonPosition(const env::Board& board, const env::MoveList& moves) {
  const env::Result win = board.side_to_move() == env::Color::kWhite ? env::Result::kWhiteWins
                                                                     : env::Result::kBlackWins;
  std::vector<float> policy;
  int wins = 0;
  for (const env::Move move : moves) {
    policy.push_back(env::ResultAfter(board, move) == win ? 1.0f : 0.0f);
    wins += policy.back() > 0;
  }
  APIARY_CHECK(wins > 0, "gen0 claims a win in one where there is none");
  for (float& p : policy) p /= static_cast<float>(wins);
  PositionRecord position;
  position.has_policy = position.has_value = position.solved = true;
  position.root_wdl = {1, 0, 0};
  position.policy = QuantizePolicy(policy);
  return position;
}

}  // namespace

GameRecord PlayGen0Game(const env::Rules& rules, base::RandomStream random) {
  env::Game game(rules);
  GameRecord record;
  record.rules = rules;
  env::MoveList moves;
  while (!game.outcome().over()) {
    game.LegalMoves(moves);
    const play::Gen0Choice choice = play::ChooseGen0(game.board(), moves, random);
    record.positions.push_back(choice.win_in_one ? WonPosition(game.board(), moves)
                                                 : PositionRecord{});
    record.moves.push_back(choice.move);
    game.Apply(choice.move);
  }
  record.outcome = game.outcome();
  return record;
}

}  // namespace apiary::train
