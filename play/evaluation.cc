#include "play/evaluation.h"

#include <bit>

#include "env/neighbor_mask.h"
#include "env/pins.h"

namespace apiary::play {
namespace {

using env::PieceType;

// What these pieces walk on the ground, one step or several; the others need no open way.
bool Slides(PieceType type) {
  return type == PieceType::kQueen || type == PieceType::kSpider || type == PieceType::kAnt ||
         type == PieceType::kPillbug;
}

int Mobility(const env::Board& board, const env::Pins& pins, env::Color color) {
  int value = 0;
  board.tops(color).ForEach(board.live_words(), [&](env::Cell cell) {
    const PieceType type = board.top(cell).type();
    if (board.height(cell) == 1) {
      if (pins.Pinned(cell)) return;
      if (Slides(type) && env::kSlides[board.neighbor_mask(cell)] == 0) return;
    }
    value += kFreeValue[static_cast<std::size_t>(type)];
  });
  return value;
}

int Hand(const env::Board& board, env::Color color) {
  int value = 0;
  for (env::PieceSet left = board.hand() & env::PiecesOf(color); left != 0; left &= left - 1) {
    const auto piece = env::PieceId::FromIndex(std::countr_zero(left));
    value += kHandValue[static_cast<std::size_t>(piece.type())];
  }
  return value;
}

int QueenCost(const env::Board& board, env::Color color) {
  const env::Cell queen = board.cell(env::PieceId::Of(color, PieceType::kQueen, 1));
  if (!queen.valid()) return 0;
  const bool covered = board.top(queen).color() != color;
  return kQueenNeighborCost[static_cast<std::size_t>(board.OccupiedNeighbors(queen))] +
         (covered ? kQueenCoveredCost : 0);
}

}  // namespace

int Evaluate(const env::Board& board, env::Color color) {
  const env::Pins pins(board);
  const auto side = [&](env::Color own) {
    return Mobility(board, pins, own) + Hand(board, own) - QueenCost(board, own);
  };
  return side(color) - side(env::Opponent(color));
}

}  // namespace apiary::play
