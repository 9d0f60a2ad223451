#include "env/pins.h"

#include "env/movegen.h"

namespace apiary::env {
namespace {

struct Turn {
  std::int16_t step;   // difference of cell indices to the next piece
  std::uint8_t start;  // first direction of its gap on the face
};

// [neighbour mask][first direction of a gap]: where the border of the face goes on.
constexpr auto kTurns = [] {
  std::array<std::array<Turn, 8>, kNumMasks> turns{};
  for (unsigned mask = 1; mask < kNumMasks; ++mask) {
    for (int start = 0; start < kNumDirections; ++start) {
      int next = start;
      while (!Has(mask, next % kNumDirections)) ++next;
      next %= kNumDirections;
      turns[mask][static_cast<std::size_t>(start)] = {
          static_cast<std::int16_t>(kCellSteps[static_cast<std::size_t>(next)]),
          static_cast<std::uint8_t>((next + 4) % kNumDirections)};
    }
  }
  return turns;
}();

}  // namespace

Pins::Pins(const Board& board) : board_(board), holes_(board.holes() > 0) {
  if (holes_) WalkFaces();
}

// From the gap of `cell` that begins at `start` on, anticlockwise, comes an occupied neighbour; the
// empty cell right before it is the first of that neighbour's gap on the same face:
//
//      e  n        e = the last cell of the gap, in direction f - 1 of c
//    .  c          n = the next piece, in direction f of c; e is in direction f - 2 of n
//
// The map from gap to gap is one to one, so its cycles are the borders of the faces.
void Pins::WalkFaces() {
  faces_ = {};
  std::uint8_t face = 0;
  board_.occupied().ForEach([&](Cell first) {
    for (unsigned gaps = kGapStarts[board_.neighbor_mask(first)]; gaps != 0; gaps &= gaps - 1) {
      Cell cell = first;
      int start = std::countr_zero(gaps);
      const auto label = [&]() -> std::uint8_t& {
        return faces_[static_cast<std::size_t>(board_.top(cell).index())]
                     [static_cast<std::size_t>(start)];
      };
      if (label() != 0) continue;
      ++face;
      while (label() == 0) {
        label() = face;
        const Turn turn = kTurns[board_.neighbor_mask(cell)][static_cast<std::size_t>(start)];
        cell = Cell::FromIndex(cell.index() + turn.step);
        start = turn.start;
      }
    }
  });
}

bool Pins::TwoGapsOnOneFace(Cell cell, unsigned gaps) const {
  const auto& faces = faces_[static_cast<std::size_t>(board_.top(cell).index())];
  std::uint64_t seen = 0;
  for (; gaps != 0; gaps &= gaps - 1) {
    const std::uint64_t face = std::uint64_t{1}
                               << faces[static_cast<std::size_t>(std::countr_zero(gaps))];
    if ((seen & face) != 0) return true;
    seen |= face;
  }
  return false;
}

std::uint32_t PinnedPieces(const Board& board) {
  const Pins pins(board);
  std::uint32_t pinned = 0;
  board.occupied().ForEach([&](Cell cell) {
    if (board.height(cell) == 1 && pins.Pinned(cell)) pinned |= 1u << board.top(cell).index();
  });
  return pinned;
}

}  // namespace apiary::env
