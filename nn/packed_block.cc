#include "nn/packed_block.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/check.h"

namespace apiary::nn {
namespace {

// Four steps to the octave.
std::int64_t RoundUp(std::int64_t count) {
  constexpr std::int64_t kSmallest = 32;
  if (count <= kSmallest) return kSmallest;
  const auto below = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(count)));
  const std::int64_t step = below / 4;
  return (count + step - 1) / step * step;
}

template <typename T>
T* At(std::byte* out, std::size_t offset) {
  return reinterpret_cast<T*>(out + offset);
}

// The block's entries, then the padding's.
template <typename T, typename Array>
void Fill(const Array& from, std::int64_t entries, T padding, std::byte* out, std::size_t offset) {
  static_assert(sizeof(typename Array::value_type) % sizeof(T) == 0);
  T* const begin = At<T>(out, offset);
  const std::size_t bytes = from.size() * sizeof(typename Array::value_type);
  if (bytes > 0) std::memcpy(begin, from.data(), bytes);
  std::fill(begin + bytes / sizeof(T), begin + entries, padding);
}

}  // namespace

BlockSizes SizesOf(const env::Block& block) {
  return {block.positions(), block.rows(), block.move_count()};
}

BlockSizes PaddedSizes(const BlockSizes& sizes) {
  BlockSizes padded;
  padded.positions = RoundUp(sizes.positions + 1);
  // A position has a row at least, the padding's too.
  padded.rows = RoundUp(sizes.rows + padded.positions - sizes.positions);
  padded.moves = RoundUp(sizes.moves);
  return padded;
}

PackedLayout::PackedLayout(const BlockSizes& of) : sizes(of) {
  std::size_t end = 0;
  const auto take = [&end](std::int64_t entries, std::size_t entry_bytes) {
    constexpr std::size_t kAlignment = 16;
    const std::size_t begin = end;
    end += static_cast<std::size_t>(entries) * entry_bytes;
    end = (end + kAlignment - 1) / kAlignment * kAlignment;
    return begin;
  };
  constexpr std::size_t kInt = sizeof(std::int32_t);
  row_features = take(of.rows, env::kNumRowFeatures);
  neighbors = take(of.rows, 6 * kInt);
  position_features = take(of.positions, env::kNumPositionFeatures);
  queen_rows = take(of.positions, 2 * kInt);
  moves = take(of.moves, 2 * kInt);
  row_begin = take(of.positions + 1, kInt);
  move_begin = take(of.positions + 1, kInt);
  bytes = end;
}

void PackBlock(const env::Block& block, const PackedLayout& layout, std::byte* out) {
  const BlockSizes real = SizesOf(block);
  const BlockSizes& sizes = layout.sizes;
  const std::int64_t more = sizes.positions - real.positions;
  APIARY_CHECK(
      sizes == real || (more >= 1 && sizes.rows >= real.rows + more && sizes.moves >= real.moves),
      "{} positions, {} rows, {} moves in a layout for {}, {}, {}", real.positions, real.rows,
      real.moves, sizes.positions, sizes.rows, sizes.moves);
  const auto last_row = static_cast<std::int32_t>(sizes.rows - 1);
  Fill<std::uint8_t>(block.row_features, sizes.rows * env::kNumRowFeatures, 0, out,
                     layout.row_features);
  Fill<std::int32_t>(block.neighbors, sizes.rows * 6, -1, out, layout.neighbors);
  Fill<std::uint8_t>(block.position_features, sizes.positions * env::kNumPositionFeatures, 0, out,
                     layout.position_features);
  Fill<std::int32_t>(block.queen_rows, sizes.positions * 2, -1, out, layout.queen_rows);
  // From the last row to itself.
  Fill<std::int32_t>(block.moves, sizes.moves * 2, last_row, out, layout.moves);

  Fill<std::int32_t>(block.row_begin, real.positions + 1, 0, out, layout.row_begin);
  Fill<std::int32_t>(block.move_begin, real.positions + 1, 0, out, layout.move_begin);
  auto* const row_begin = At<std::int32_t>(out, layout.row_begin);
  auto* const move_begin = At<std::int32_t>(out, layout.move_begin);
  // A row each, the last one all that are left and the moves.
  for (std::int64_t p = real.positions + 1; p <= sizes.positions; ++p) {
    row_begin[p] = static_cast<std::int32_t>(p == sizes.positions ? sizes.rows
                                                                  : real.rows + p - real.positions);
    move_begin[p] = static_cast<std::int32_t>(p == sizes.positions ? sizes.moves : real.moves);
  }
}

}  // namespace apiary::nn
