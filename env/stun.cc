#include "env/stun.h"

#include <algorithm>
#include <bit>

#include "env/movegen.h"

namespace apiary::env {
namespace {

// rules.md, section 5.1: whether a thrower may hand a piece over this side of its cell.
bool ThrowGateOpen(const Board& board, Cell thrower, int direction) {
  return std::min(board.height(Neighbor(thrower, (direction + 1) % kNumDirections)),
                  board.height(Neighbor(thrower, (direction + 5) % kNumDirections))) <= 1;
}

bool TouchesPillbug(const Board& board, Cell cell) {
  for (unsigned mask = board.neighbor_mask(cell); mask != 0; mask &= mask - 1)
    if (board.top(Neighbor(cell, std::countr_zero(mask))).type() == PieceType::kPillbug)
      return true;
  return false;
}

// Whether `thrower`, a pillbug or mosquito of the side to move, reaches the unstacked piece at
// `target` with its ability and has somewhere to put it.
bool Reaches(const Board& board, PieceId thrower, Cell target) {
  const Cell cell = board.cell(thrower);
  // Adjacent reads nothing of the grid: most marks are far from a thrower.
  if (!cell.valid() || !Adjacent(cell, target)) return false;
  if (board.height(cell) != 1 || board.height(target) != 1) return false;
  bool reaches = false;
  bool has_room = false;
  for (int d = 0; d < kNumDirections; ++d) {
    const Cell next = Neighbor(cell, d);
    const bool is_target = next == target;
    if ((!is_target && board.height(next) > 0) || !ThrowGateOpen(board, cell, d)) continue;
    (is_target ? reaches : has_room) = true;
  }
  return reaches && has_room &&
         (thrower.type() == PieceType::kPillbug || TouchesPillbug(board, cell));
}

// Whether a piece on the ground has a ground step: one of the cells beside the way is occupied.
bool CanSlide(const Board& board, Cell cell) {
  const unsigned mask = board.neighbor_mask(cell);
  const auto occupied = [mask](int d) { return (mask >> d % kNumDirections & 1) != 0; };
  for (int d = 0; d < kNumDirections; ++d)
    if (!occupied(d) && occupied(d + 1) != occupied(d + 5)) return true;
  return false;
}

// A piece of the side to move that the enemy threw, so it lies on the ground. Most often its type
// tells.
bool OwnMarkMatters(const Board& board, PieceId mark) {
  const PieceType type = mark.type();
  const bool may_throw = type == PieceType::kPillbug || type == PieceType::kMosquito;
  if ((PinnedPieces(board) >> mark.index() & 1) != 0) return may_throw && MarkMatters(board, mark);
  switch (type) {
    case PieceType::kGrasshopper:  // jumps over any neighbour
    case PieceType::kBeetle:       // no gate is higher than its highest neighbour
      return true;
    case PieceType::kQueen:
    case PieceType::kAnt:
    case PieceType::kPillbug:
      return CanSlide(board, board.cell(mark)) || MarkMatters(board, mark);
    default:
      return MarkMatters(board, mark);
  }
}

// A piece of the enemy: what could throw it?
bool EnemyMarkMatters(const Board& board, PieceId mark) {
  const Color own = board.side_to_move();
  const Cell cell = board.cell(mark);
  return (Reaches(board, PieceId::Of(own, PieceType::kPillbug, 1), cell) ||
          Reaches(board, PieceId::Of(own, PieceType::kMosquito, 1), cell)) &&
         (PinnedPieces(board) >> mark.index() & 1) == 0;
}

}  // namespace

bool StunMatters(const Board& board) {
  const PieceId mark = board.moved_last();
  if (!mark.valid() || !board.rules().variant.pillbug) return false;
  // Whose queen is in hand may only place; after the end there are no moves.
  const Color own = board.side_to_move();
  if (board.in_hand(PieceId::Of(own, PieceType::kQueen, 1))) return false;
  const bool matters =
      mark.color() == own ? OwnMarkMatters(board, mark) : EnemyMarkMatters(board, mark);
  return matters && !board.SurroundOutcome().over();
}

}  // namespace apiary::env
