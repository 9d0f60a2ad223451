// Real generation 0 games for tests of the learner.
#pragma once

#include <vector>

#include "base/random.h"
#include "env/game.h"
#include "mcts/gen0.h"
#include "train/game_record.h"

namespace apiary::train {

inline GameRecord PlayGen0Game(const env::Rules& rules, base::RandomStream& random) {
  GameRecord record;
  record.rules = rules;
  env::Game game(rules);
  env::MoveList moves;
  while (!game.outcome().over()) {
    game.LegalMoves(moves);
    const mcts::Gen0Choice choice = mcts::ChooseGen0(game.board(), moves, random);
    PositionRecord position;
    std::vector<float> policy(static_cast<std::size_t>(moves.size()), 0.0F);
    for (int i = 0; i < moves.size(); ++i)
      if (moves[i] == choice.move) policy[static_cast<std::size_t>(i)] = 1;
    record.AddPolicy(policy, position);
    record.positions.push_back(position);
    record.moves.push_back(choice.move);
    game.Apply(choice.move);
  }
  record.outcome = game.outcome();
  if (record.outcome.result == env::Result::kUnfinished) record.cap_wdl = nn::Wdl{0.3F, 0.4F, 0.3F};
  return record;
}

inline std::vector<GameRecord> PlayGen0Games(int count, std::uint64_t seed) {
  env::Rules rules;
  rules.max_plies = 200;
  base::RandomStream random(seed);
  std::vector<GameRecord> games;
  for (int i = 0; i < count; ++i) games.push_back(PlayGen0Game(rules, random));
  return games;
}

}  // namespace apiary::train
