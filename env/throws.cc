#include "env/throws.h"

#include <bit>

#include "env/steps.h"

namespace apiary::env {
namespace {

bool TouchesPillbug(const Board& board, Cell cell) {
  for (const Color color : {Color::kWhite, Color::kBlack}) {
    const PieceId pillbug = PieceId::Of(color, PieceType::kPillbug, 1);
    if (board.in_hand(pillbug) || board.covered(pillbug)) continue;
    if (Adjacent(board.cell(pillbug), cell)) return true;
  }
  return false;
}

// Directions in which nothing closes the way over the thrower at height 1.
unsigned OpenGates(const Board& board, Cell cell) {
  if (board.stacks() < 2) return kNumMasks - 1;
  unsigned open = 0;
  for (int d = 0; d < kNumDirections; ++d)
    if (GateOpen(board, cell, d, 1)) open |= 1u << d;
  return open;
}

void AddThrower(const Board& board, PieceId piece, PieceId mark, const Pins& pins, Throws& throws) {
  const Cell cell = board.cell(piece);
  if (piece == mark || !cell.valid() || board.height(cell) != 1) return;
  if (piece.type() == PieceType::kMosquito && !TouchesPillbug(board, cell)) return;
  Thrower& thrower = throws.throwers[static_cast<std::size_t>(throws.count++)];
  const unsigned open = OpenGates(board, cell);
  thrower.cell = cell;
  thrower.destinations = open & ~unsigned{board.neighbor_mask(cell)};
  if (thrower.destinations == 0) return;
  ForEachDirection(open & board.neighbor_mask(cell), cell, [&](Cell neighbor, int) {
    if (board.height(neighbor) == 1 && !pins.Pinned(neighbor))
      thrower.targets |= PieceBit(board.top(neighbor));
  });
  if (mark.valid()) thrower.targets &= ~PieceBit(mark);
  throws.targets |= thrower.targets;
}

}  // namespace

void Throws::AddDestinations(PieceId piece, Destinations& to) const {
  for (int i = 0; i < count; ++i) {
    const Thrower& thrower = throwers[static_cast<std::size_t>(i)];
    if ((thrower.targets & PieceBit(piece)) != 0)
      to.AddNeighbors(thrower.cell, thrower.destinations);
  }
}

Throws FindThrows(const Board& board, Color color, PieceId mark, const Pins& pins) {
  Throws throws;
  if (!board.rules().variant.pillbug) return throws;
  AddThrower(board, PieceId::Of(color, PieceType::kPillbug, 1), mark, pins, throws);
  AddThrower(board, PieceId::Of(color, PieceType::kMosquito, 1), mark, pins, throws);
  return throws;
}

}  // namespace apiary::env
