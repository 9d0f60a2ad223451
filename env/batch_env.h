// BatchEnv: B games stepped together, for self-play of any kind and for other people's learners.
// No threads inside, no allocation per step once warm. Lives on one thread.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "env/encoder.h"
#include "env/game.h"

namespace apiary::env {

class BatchEnv {
 public:
  BatchEnv(const Rules& rules, int batch);

  int size() const { return static_cast<int>(games_.size()); }
  const Game& game(int i) const { return games_[static_cast<std::size_t>(i)]; }
  // Legal moves of environment i, canonical order; empty when its game is over.
  const MoveList& legal_moves(int i) const { return moves_[static_cast<std::size_t>(i)]; }

  // Starts environment i anew.
  void Reset(int i);
  // Plays moves[i] in every environment whose game is not over (others ignore theirs). An illegal
  // move or a wrong batch size changes nothing and names the environment and the move.
  base::Result<void> Step(std::span<const Move> moves);
  // Writes the observation of every environment into `block` (cleared first), in order.
  void Observe(Block& block) const;

 private:
  Rules rules_;
  std::vector<Game> games_;
  std::vector<MoveList> moves_;
};

}  // namespace apiary::env
