#include "env/throws.h"

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

void AddThrower(const Board& board, PieceId piece, PieceId mark, const Pins& pins, Throws& throws) {
  const Cell cell = board.cell(piece);
  if (piece == mark || !cell.valid() || board.height(cell) != 1) return;
  if (piece.type() == PieceType::kMosquito && !TouchesPillbug(board, cell)) return;
  Thrower& thrower = throws.throwers[static_cast<std::size_t>(throws.count++)];
  for (int d = 0; d < kNumDirections; ++d) {
    const Cell neighbor = Neighbor(cell, d);
    const int height = board.height(neighbor);
    if (height > 1 || !GateOpen(board, cell, d, 1)) continue;
    if (height == 0) {
      thrower.destinations[static_cast<std::size_t>(thrower.count++)] = neighbor;
    } else if (const PieceId target = board.top(neighbor);
               target != mark && !pins.Pinned(neighbor)) {
      thrower.targets |= 1u << target.index();
    }
  }
  if (thrower.count > 0) throws.targets |= thrower.targets;
}

}  // namespace

void Throws::AddDestinations(PieceId piece, Destinations& destinations) const {
  for (int i = 0; i < count; ++i) {
    const Thrower& thrower = throwers[static_cast<std::size_t>(i)];
    if ((thrower.targets >> piece.index() & 1) == 0) continue;
    for (int c = 0; c < thrower.count; ++c)
      destinations.Add(thrower.destinations[static_cast<std::size_t>(c)]);
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
