#include "env/dense_planes.h"

#include <algorithm>

#include "env/unwrapped_hive.h"

namespace apiary::env {
namespace {

// First planes of each group.
constexpr int kTopPlane = 0;
constexpr int kHeightPlane = 16;
constexpr int kBeneathPlane = 17;
constexpr int kMovedLastPlane = 33;
constexpr int kHandPlane = 34;
static_assert(kHandPlane + 16 == kNumDensePlanes);

int TypePlane(PieceId piece, Color own) {
  return static_cast<int>(piece.type()) + (piece.color() == own ? 0 : kNumPieceTypes);
}

}  // namespace

base::Result<void> EncodeDense(const Game& game, int side, std::span<float> out) {
  APIARY_CHECK(side > 0 && out.size() == static_cast<std::size_t>(kNumDensePlanes * side * side),
               "{} floats for {} planes of {} x {}", out.size(), kNumDensePlanes, side, side);
  const Board& board = game.board();
  const UnwrappedHive hive(board);
  Axial low = hive[0].at, high = hive[0].at;
  for (int i = 0; i < hive.occupied(); ++i) {
    low = {std::min(low.q, hive[i].at.q), std::min(low.r, hive[i].at.r)};
    high = {std::max(high.q, hive[i].at.q), std::max(high.r, hive[i].at.r)};
  }
  const int width = high.q - low.q + 1, height = high.r - low.r + 1;
  if (width > side || height > side)
    return base::Fail("the hive is {} x {} cells, too large for a crop of {} x {}", width, height,
                      side, side);

  std::fill(out.begin(), out.end(), 0.0f);
  const Color own = board.side_to_move();
  const auto plane = [&](int index) {
    return out.subspan(static_cast<std::size_t>(index * side * side),
                       static_cast<std::size_t>(side * side));
  };
  for (int i = 0; i < hive.occupied(); ++i) {
    const Cell cell = hive[i].cell;
    const std::size_t at =
        static_cast<std::size_t>((hive[i].at.r - low.r + (side - height) / 2) * side +
                                 hive[i].at.q - low.q + (side - width) / 2);
    const PieceId top = board.top(cell);
    plane(kTopPlane + TypePlane(top, own))[at] = 1;
    plane(kHeightPlane)[at] = static_cast<float>(board.height(cell)) / 7;
    for (PieceId piece = board.beneath(top); piece.valid(); piece = board.beneath(piece))
      plane(kBeneathPlane + TypePlane(piece, own))[at] += 1;
    if (top == board.moved_last()) plane(kMovedLastPlane)[at] = 1;
  }
  for (const Color color : {own, Opponent(own)}) {
    for (int type = 0; type < kNumPieceTypes; ++type) {
      const std::span<float> hand = plane(kHandPlane + type + (color == own ? 0 : kNumPieceTypes));
      std::fill(hand.begin(), hand.end(),
                static_cast<float>(board.hand_count(color, static_cast<PieceType>(type))) / 3);
    }
  }
  return {};
}

}  // namespace apiary::env
