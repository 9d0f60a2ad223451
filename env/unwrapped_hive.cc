#include "env/unwrapped_hive.h"

#include <algorithm>

namespace apiary::env {
namespace {

Cell FirstPiece(const Board& board) {
  for (int i = 0; i < kNumPieces; ++i) {
    const Cell cell = board.cell(PieceId::FromIndex(i));
    if (cell.valid()) return cell;
  }
  return kNoCell;
}

}  // namespace

UnwrappedHive::UnwrappedHive(const Board& board) {
  index_.fill(-1);
  const Cell first = FirstPiece(board);
  if (!first.valid()) {
    Add(kOrigin, {});
    return;
  }
  Add(first, {});
  for (int i = 0; i < size_; ++i) {
    const Place place = places_[static_cast<std::size_t>(i)];
    for (int d = 0; d < kNumDirections; ++d) {
      const Cell next = Neighbor(place.cell, d);
      if (IndexOf(next) < 0 && board.height(next) > 0)
        Add(next, place.at + kAxialSteps[static_cast<std::size_t>(d)]);
    }
  }
  occupied_ = size_;
  for (int i = 0; i < occupied_; ++i) {
    const Place place = places_[static_cast<std::size_t>(i)];
    for (int d = 0; d < kNumDirections; ++d) {
      const Cell next = Neighbor(place.cell, d);
      if (IndexOf(next) < 0) Add(next, place.at + kAxialSteps[static_cast<std::size_t>(d)]);
    }
  }
  Sort(0, occupied_);
  Sort(occupied_, size_);
}

void UnwrappedHive::Sort(int begin, int end) {
  // Keys of one integer each sort faster than pairs: r, q (offset to be positive), cell.
  std::array<std::uint32_t, kMaxRows> keys;
  for (int i = begin; i < end; ++i) {
    const Place& place = places_[static_cast<std::size_t>(i)];
    keys[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(
        (place.at.r + 64) << 17 | (place.at.q + 64) << 10 | place.cell.index());
  }
  std::sort(keys.begin() + begin, keys.begin() + end);
  for (int i = begin; i < end; ++i) {
    const int key = static_cast<int>(keys[static_cast<std::size_t>(i)]);
    const Cell cell = Cell::FromIndex(key);
    places_[static_cast<std::size_t>(i)] = {cell, {(key >> 10 & 127) - 64, (key >> 17) - 64}};
    index_[static_cast<std::size_t>(cell.index())] = static_cast<std::int16_t>(i);
  }
}

}  // namespace apiary::env
