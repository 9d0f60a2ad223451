#include "env/batch_env.h"

#include <algorithm>

#include "env/notation.h"
#include "env/row_table.h"

namespace apiary::env {
namespace {

const Rules& CheckedRules(const Rules& rules, int batch) {
  if (batch < 1) throw Error(fmt::format("a batch of {} environments: at least 1 expected", batch));
  if (rules.repetition < 0 || rules.repetition == 1)
    throw Error(
        fmt::format("rules.repetition = {}: 0 (off) or at least 2 expected", rules.repetition));
  if (rules.max_plies < 0)
    throw Error(fmt::format("rules.max_plies = {}: at least 0 expected", rules.max_plies));
  return rules;
}

// Whether notation has words for the destination: a piece other than the mover on it or next to it.
bool HasReference(const Board& board, Move move) {
  if (board.pieces_on_board() == 0) return true;
  const auto holds_another = [&](Cell cell) {
    return board.height(cell) > (cell == board.cell(move.piece()) ? 1 : 0);
  };
  if (holds_another(move.destination())) return true;
  for (int d = 0; d < kNumDirections; ++d)
    if (holds_another(Neighbor(move.destination(), d))) return true;
  return false;
}

// A move from outside as text; it need not be legal, or name a piece at all.
std::string Describe(const Board& board, Move move) {
  if (move.is_pass()) return "pass";
  if (move.bits() >> 15 != 0 || !move.piece().valid())
    return fmt::format("{:#06x}, which is no move,", move.bits());
  if (HasReference(board, move)) return MoveToString(board, move);
  return fmt::format("{} to cell {}, away from the hive,", ToString(move.piece()),
                     move.destination().index());
}

}  // namespace

BatchEnv::BatchEnv(const Rules& rules, int batch)
    : games_(static_cast<std::size_t>(std::max(batch, 0)), Game(CheckedRules(rules, batch))),
      moves_(games_.size()) {
  const int plies =
      rules.max_plies > 0 ? std::min(rules.max_plies, kReservedPlies) : kReservedPlies;
  for (std::size_t i = 0; i < games_.size(); ++i) {
    games_[i].Reserve(plies);
    games_[i].LegalMoves(moves_[i]);
  }
}

void BatchEnv::Reset(int i) {
  Game& game = games_[Index(i)];
  game.Restart();
  game.LegalMoves(moves_[Index(i)]);
}

base::Result<void> BatchEnv::Step(std::span<const Move> moves) {
  if (moves.size() != games_.size())
    return base::Fail("{} moves for a batch of {} environments", moves.size(), games_.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (!games_[i].outcome().over() && !moves_[i].Contains(moves[i]))
      return base::Fail("environment {}: {} is not legal in {}", i,
                        Describe(games_[i].board(), moves[i]), ToGameString(games_[i]));
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
  block.Reserve(size(), kMaxRows, kMaxMoves);
  for (std::size_t i = 0; i < games_.size(); ++i) Append(games_[i], moves_[i], Symmetry(), block);
}

}  // namespace apiary::env
