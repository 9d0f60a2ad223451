// BatchEnv: B games stepped together, for self-play of any kind and for other people's learners.
// No threads inside; no allocation per step, but for games longer than kReservedPlies, whose
// history grows. Lives on one thread.
#pragma once

#include <span>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "env/encoder.h"
#include "env/game.h"

namespace apiary::env {

class BatchEnv {
 public:
  // Plies of history that each environment has room for from the start.
  static constexpr int kReservedPlies = 512;

  // Throws apiary::Error if batch < 1, rules.repetition is 1 or negative, or rules.max_plies is
  // negative.
  BatchEnv(const Rules& rules, int batch);

  int size() const { return static_cast<int>(games_.size()); }
  // Precondition of all that take an index, checked in every build: 0 <= i < size().
  const Game& game(int i) const { return games_[Index(i)]; }
  // Legal moves of environment i, canonical order; empty when its game is over.
  const MoveList& legal_moves(int i) const { return moves_[Index(i)]; }

  // Starts environment i anew.
  void Reset(int i);
  // Plays moves[i] in every environment whose game is not over (others ignore theirs). A wrong
  // number of moves or a move that is not legal changes nothing in any environment; the failure
  // names the environment, the move in notation and the position.
  base::Result<void> Step(std::span<const Move> moves);
  // Writes the observation of every environment into `block` (cleared first), in order. The first
  // call on a block makes room for the largest observations that there are; later ones allocate
  // nothing.
  void Observe(Block& block) const;

 private:
  std::size_t Index(int i) const {
    APIARY_CHECK(i >= 0 && i < size(), "environment {} of a batch of {}", i, size());
    return static_cast<std::size_t>(i);
  }

  std::vector<Game> games_;
  std::vector<MoveList> moves_;
};

}  // namespace apiary::env
