#include "play/evaluation.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

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

// Steps between two cells, the short way round the grid: exact where they are less than 16 apart in
// both coordinates.
int Distance(env::Cell a, env::Cell b) {
  constexpr int kRow = 32, kHalf = env::kNumCells / 2;
  const int difference = (b.index() - a.index() + env::kNumCells + kHalf) % env::kNumCells - kHalf;
  const int r = (difference + kRow / 2 + env::kNumCells) / kRow - kRow;
  const int q = difference - kRow * r;
  return std::max({std::abs(q), std::abs(r), std::abs(q + r)});
}

int BeetleWay(const env::Board& board, env::Color color) {
  const env::Cell queen = board.cell(env::PieceId::Of(env::Opponent(color), PieceType::kQueen, 1));
  if (!queen.valid()) return 0;
  int way = 0;
  for (const int number : {1, 2}) {
    const env::Cell beetle = board.cell(env::PieceId::Of(color, PieceType::kBeetle, number));
    if (beetle.valid()) way += std::max(Distance(beetle, queen) - 1, 0);
  }
  return way * kBeetleWayCost;
}

}  // namespace

int Evaluate(const env::Board& board, env::Color color) {
  const env::Pins pins(board);
  const auto side = [&](env::Color own) {
    return Mobility(board, pins, own) + Hand(board, own) - QueenCost(board, own) -
           BeetleWay(board, own);
  };
  return side(color) - side(env::Opponent(color));
}

}  // namespace apiary::play
