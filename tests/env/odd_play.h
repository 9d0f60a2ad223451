// Random play that leads where games seldom go: tall stacks, thin chains, pillbugs and mosquitoes
// at work. Plain value; one thread.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "env/game.h"

namespace apiary::env::testing {

class OddPlay {
 public:
  // Draws what this game is after.
  explicit OddPlay(std::uint64_t seed);
  // Precondition: the game is not over. Ends the game only where every move does.
  Move Choose(const Game& game);

 private:
  double Score(const Board& board, Move move) const;

  base::RandomStream random_;
  double climb_ = 0;    // each piece beneath the destination, beetles that are placed
  double thin_ = 0;     // each neighbour of a destination on the ground, against
  double ability_ = 0;  // throws, moves of pillbugs and mosquitoes, cells next to a pillbug
};

}  // namespace apiary::env::testing
