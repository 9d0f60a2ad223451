#include "env/symmetry.h"

#include <cstdlib>
#include <limits>

namespace apiary::env {
namespace {

int Distance(Axial a) { return (std::abs(a.q) + std::abs(a.r) + std::abs(a.q + a.r)) / 2; }

// The representative of a cell that is nearest to the origin. Cells repeat with the periods (32,
// -1) and (0, 32).
Axial NearestToOrigin(Cell cell) {
  Axial best;
  int best_distance = std::numeric_limits<int>::max();
  for (int q_wraps = -1; q_wraps <= 0; ++q_wraps) {
    for (int r_wraps = -1; r_wraps <= 0; ++r_wraps) {
      const Axial at = {(cell.index() & 31) + 32 * q_wraps,
                        (cell.index() >> 5) - q_wraps + 32 * r_wraps};
      if (Distance(at) < best_distance) {
        best_distance = Distance(at);
        best = at;
      }
    }
  }
  return best;
}

}  // namespace

Axial Symmetry::Map(Axial a) const {
  // In the basis E = (1, 0), SE = (0, 1), both of which are directions.
  const Axial e = kAxialSteps[static_cast<std::size_t>(Map(static_cast<int>(Direction::kE)))];
  const Axial se = kAxialSteps[static_cast<std::size_t>(Map(static_cast<int>(Direction::kSE)))];
  return {a.q * e.q + a.r * se.q, a.q * e.r + a.r * se.r};
}

Symmetry Symmetry::Inverse() const {
  // A reflection is its own inverse.
  return mirrored() ? *this : FromIndex((6 - rotation()) % 6);
}

Move Transform(Move move, Symmetry symmetry) {
  if (move.is_pass()) return move;
  return Move(move.piece(), Cell::FromAxial(symmetry.Map(NearestToOrigin(move.destination()))));
}

Game Transform(const Game& game, Symmetry symmetry) {
  Game transformed(game.rules());
  // Coordinates are followed from piece to piece, since a wandering hive may leave the grid's first
  // period: a destination lies next to an occupied cell or on one.
  Game original(game.rules());
  std::array<Axial, kNumPieces> at{};
  for (const Move move : game.moves()) {
    if (move.is_pass()) {
      original.Apply(move);
      transformed.Apply(move);
      continue;
    }
    const Board& board = original.board();
    Axial destination = NearestToOrigin(move.destination());
    const PieceId on_top_of = board.top(move.destination());
    if (on_top_of.valid()) destination = at[static_cast<std::size_t>(on_top_of.index())];
    for (int d = 0; d < kNumDirections && !on_top_of.valid(); ++d) {
      const PieceId neighbor = board.top(Neighbor(move.destination(), d));
      if (neighbor.valid() && neighbor != move.piece())
        destination = at[static_cast<std::size_t>(neighbor.index())] +
                      kAxialSteps[static_cast<std::size_t>((d + 3) % 6)];
    }
    at[static_cast<std::size_t>(move.piece().index())] = destination;
    original.Apply(move);
    transformed.Apply(Move(move.piece(), Cell::FromAxial(symmetry.Map(destination))));
  }
  return transformed;
}

}  // namespace apiary::env
