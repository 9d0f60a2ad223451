// gen0: the player of generation 0, which needs no net. A prior over legal moves as a pure function
// of the position; what the first net learns to imitate. Any thread; no allocation.
#pragma once

#include <span>

#include "base/random.h"
#include "env/movegen.h"

namespace apiary::mcts {

// The distribution gen0 draws from, into `policy` [moves]: uniform over the moves that win at once,
// if there are any (returns true); else weight = (occupied neighbours of the destination, mover
// lifted)^2, uniform where all weights are 0. `moves`: the position's legal moves in canonical
// order, not empty.
bool Gen0Policy(const env::Board& board, const env::MoveList& moves, std::span<float> policy);

struct Gen0Choice {
  env::Move move;
  bool win_in_one = false;
};
Gen0Choice ChooseGen0(const env::Board& board, const env::MoveList& moves,
                      base::RandomStream& random);

}  // namespace apiary::mcts
