// Whether the mark of the piece moved last (rules.md, section 5.4) can be told by the rules.
#include "env/movegen.h"
#include "env/neighbor_mask.h"
#include "env/pins.h"
#include "env/throws.h"

namespace apiary::env {
namespace {

// Of an enemy piece: it can only be thrown, by a piece beside it.
bool CouldBeThrown(const Board& board, PieceId mark) {
  const Color own = board.side_to_move();
  const auto beside = [&](PieceType type) {
    const Cell thrower = board.cell(PieceId::Of(own, type, 1));
    return thrower.valid() && Adjacent(thrower, board.cell(mark));
  };
  if (!beside(PieceType::kPillbug) && !beside(PieceType::kMosquito)) return false;
  return (FindThrows(board, own, kNoPiece, Pins(board)).targets & PieceBit(mark)) != 0;
}

// Of a piece of the side to move, where its type tells without its moves.
bool SurelyMoves(const Board& board, PieceId mark) {
  const Cell cell = board.cell(mark);
  if (board.height(cell) != 1 || Pins(board).Pinned(cell)) return false;
  switch (mark.type()) {
    case PieceType::kGrasshopper:  // jumps over any neighbour
    case PieceType::kBeetle:       // no gate is higher than its highest neighbour
      return true;
    case PieceType::kQueen:
    case PieceType::kAnt:
    case PieceType::kPillbug:
      return kSlides[board.neighbor_mask(cell)] != 0;
    default:
      return false;
  }
}

}  // namespace

bool MarkMatters(const Board& board, PieceId mark) {
  // Without a pillbug the mark lies on a piece of the side that is not to move, and nothing can
  // throw it. Whose queen is in hand may only place.
  const Color own = board.side_to_move();
  if (!mark.valid() || !board.rules().variant.pillbug || board.in_hand(mark) ||
      board.in_hand(PieceId::Of(own, PieceType::kQueen, 1)) || board.SurroundOutcome().over())
    return false;
  if (mark.color() != own) return CouldBeThrown(board, mark);
  // A mark only takes moves away, so counts tell sets apart.
  return SurelyMoves(board, mark) ||
         CountMovesWithMark(board, mark) != CountMovesWithMark(board, kNoPiece);
}

}  // namespace apiary::env
