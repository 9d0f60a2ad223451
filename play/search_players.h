// The fixed players that search without a net. Each game is searched alone. Live on one thread.
#pragma once

#include <string>

#include "play/alpha_beta.h"
#include "play/player.h"
#include "play/uct.h"

namespace apiary::play {

// ab:D, alpha-beta to depth D. A forced move is played unsearched.
class AlphaBetaPlayer : public Player {
 public:
  explicit AlphaBetaPlayer(int depth) : depth_(depth) {}
  void ChooseMoves(std::span<const env::Game* const> games, std::span<base::RandomStream> streams,
                   std::span<env::Move> moves) override;
  std::string name() const override { return fmt::format("ab:{}", depth_); }

 private:
  int depth_;
  AlphaBeta search_;
  env::MoveList legal_;
};

// mcts:N, UCT with N playouts a move.
class UctPlayer : public Player {
 public:
  explicit UctPlayer(int playouts) : playouts_(playouts) {}
  void ChooseMoves(std::span<const env::Game* const> games, std::span<base::RandomStream> streams,
                   std::span<env::Move> moves) override;
  std::string name() const override { return fmt::format("mcts:{}", playouts_); }

 private:
  int playouts_;
  Uct search_;
};

}  // namespace apiary::play
