#include "env/batch_env.h"

#include <algorithm>

#include "env/notation.h"

namespace apiary::env {
namespace {

// A move from outside as text; it need not be legal, or name a piece at all.
std::string Describe(Move move) {
  if (move.is_pass()) return "pass";
  if (!move.piece().valid()) return fmt::format("move {:#06x}", move.bits());
  return fmt::format("{} to cell {}", ToString(move.piece()), move.destination().index());
}

}  // namespace

BatchEnv::BatchEnv(const Rules& rules, int batch)
    : rules_(rules),
      games_(static_cast<std::size_t>(batch), Game(rules)),
      moves_(static_cast<std::size_t>(batch)) {
  for (std::size_t i = 0; i < games_.size(); ++i) games_[i].LegalMoves(moves_[i]);
}

void BatchEnv::Reset(int i) {
  Game& game = games_[static_cast<std::size_t>(i)];
  // Taken back rather than replaced: the history keeps its memory.
  while (game.ply() > 0) game.Undo();
  game.LegalMoves(moves_[static_cast<std::size_t>(i)]);
}

base::Result<void> BatchEnv::Step(std::span<const Move> moves) {
  if (moves.size() != games_.size())
    return base::Fail("{} moves for a batch of {} environments", moves.size(), games_.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (!games_[i].outcome().over() && !moves_[i].Contains(moves[i]))
      return base::Fail("environment {}: {} is not legal in {}", i, Describe(moves[i]),
                        ToGameString(games_[i]));
  }
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (games_[i].outcome().over()) continue;
    games_[i].Apply(moves[i]);
    games_[i].LegalMoves(moves_[i]);
  }
  return {};
}

void BatchEnv::Observe(Block& block) const {
  block.Clear();
  for (std::size_t i = 0; i < games_.size(); ++i) Append(games_[i], moves_[i], Symmetry(), block);
}

}  // namespace apiary::env
