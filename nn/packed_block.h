// A block as one stretch of bytes, so that it goes to a device by one copy, with its sizes rounded
// up to few different ones, so that a device can prepare for each. Padding is a position of its own
// kind: empty rows without neighbours and moves that lead nowhere; it changes no output of the
// others. Torch-free; pure functions; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "env/encoder.h"

namespace apiary::nn {

struct BlockSizes {
  std::int64_t positions = 0;
  std::int64_t rows = 0;
  std::int64_t moves = 0;
  friend auto operator<=>(const BlockSizes&, const BlockSizes&) = default;
};
BlockSizes SizesOf(const env::Block& block);
// The smallest of the few sizes that hold the block: each at most a quarter larger than needed, or
// 32 entries. One position more than the block's at least, which the padding rows and moves are of.
BlockSizes PaddedSizes(const BlockSizes& sizes);

// Where each array of a block lies in the bytes, 16-byte aligned; shapes as in env::Block.
struct PackedLayout {
  explicit PackedLayout(const BlockSizes& sizes);

  BlockSizes sizes;
  std::size_t row_features, neighbors, position_features, queen_rows, moves, row_begin, move_begin;
  std::size_t bytes;  // of all
};

// Writes `block` with its padding to `out` [layout.bytes]. Precondition: layout.sizes holds it:
// PaddedSizes of its sizes, or exactly its sizes.
void PackBlock(const env::Block& block, const PackedLayout& layout, std::byte* out);

}  // namespace apiary::nn
