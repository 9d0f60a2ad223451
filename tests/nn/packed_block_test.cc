#include "nn/packed_block.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "tests/env/random_positions.h"

namespace apiary::nn {
namespace {

env::Block SomeBlock(int positions, std::uint64_t seed) {
  return env::BlockOf(env::RandomPositions(positions, seed));
}

template <typename T>
std::vector<T> Read(const std::vector<std::byte>& bytes, std::size_t offset, std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  std::memcpy(values.data(), bytes.data() + offset, values.size() * sizeof(T));
  return values;
}

// Any array of the block as its plain numbers.
template <typename T, typename Array>
std::vector<T> Flat(const Array& array) {
  std::vector<T> values(array.size() * sizeof(typename Array::value_type) / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), array.data(), values.size() * sizeof(T));
  return values;
}

template <typename T>
void ExpectBegins(const std::vector<T>& packed, const std::vector<T>& block) {
  ASSERT_LE(block.size(), packed.size());
  EXPECT_TRUE(std::equal(block.begin(), block.end(), packed.begin()));
}

TEST(PackedBlock, HoldsTheBlockAndAPaddingThatIsAPosition) {
  for (const int positions : {1, 5, 31, 32, 70}) {
    const env::Block block = SomeBlock(positions, static_cast<std::uint64_t>(positions));
    const PackedLayout layout(PaddedSizes(SizesOf(block)));
    const BlockSizes& sizes = layout.sizes;
    std::vector<std::byte> bytes(layout.bytes, std::byte{0xAA});
    PackBlock(block, layout, bytes.data());
    ExpectBegins(Read<std::uint8_t>(bytes, layout.row_features, sizes.rows * env::kNumRowFeatures),
                 Flat<std::uint8_t>(block.row_features));
    const auto neighbors = Read<std::int32_t>(bytes, layout.neighbors, sizes.rows * 6);
    ExpectBegins(neighbors, Flat<std::int32_t>(block.neighbors));
    ExpectBegins(Read<std::uint8_t>(bytes, layout.position_features,
                                    sizes.positions * env::kNumPositionFeatures),
                 Flat<std::uint8_t>(block.position_features));
    ExpectBegins(Read<std::int32_t>(bytes, layout.queen_rows, sizes.positions * 2),
                 Flat<std::int32_t>(block.queen_rows));
    const auto moves = Read<std::int32_t>(bytes, layout.moves, sizes.moves * 2);
    ExpectBegins(moves, Flat<std::int32_t>(block.moves));
    const auto row_begin = Read<std::int32_t>(bytes, layout.row_begin, sizes.positions + 1);
    const auto move_begin = Read<std::int32_t>(bytes, layout.move_begin, sizes.positions + 1);
    ExpectBegins(row_begin, Flat<std::int32_t>(block.row_begin));
    ExpectBegins(move_begin, Flat<std::int32_t>(block.move_begin));

    EXPECT_GT(sizes.positions, positions);
    for (std::int64_t p = positions; p < sizes.positions; ++p)
      EXPECT_LT(row_begin[static_cast<std::size_t>(p)], row_begin[static_cast<std::size_t>(p + 1)]);
    EXPECT_EQ(row_begin.back(), sizes.rows);
    EXPECT_EQ(move_begin.back(), sizes.moves);
    EXPECT_EQ(move_begin[static_cast<std::size_t>(sizes.positions - 1)], block.move_count());
    for (std::size_t i = block.neighbors.size() * 6; i < neighbors.size(); ++i)
      EXPECT_EQ(neighbors[i], -1);
    for (std::size_t i = block.moves.size() * 2; i < moves.size(); ++i)
      EXPECT_EQ(moves[i], sizes.rows - 1);
  }
}

TEST(PackedBlock, ExactSizesHaveNoPadding) {
  const env::Block block = SomeBlock(9, 2);
  const PackedLayout layout(SizesOf(block));
  std::vector<std::byte> bytes(layout.bytes);
  PackBlock(block, layout, bytes.data());
  EXPECT_EQ(Read<std::int32_t>(bytes, layout.row_begin, 10), Flat<std::int32_t>(block.row_begin));
  EXPECT_EQ(Read<std::int32_t>(bytes, layout.moves, 2 * block.move_count()),
            Flat<std::int32_t>(block.moves));
}

TEST(PackedBlock, SizesAreFewAndNotMuchLarger) {
  std::set<std::int64_t> rows;
  for (std::int64_t n = 1; n <= 4096; n = n + 1 + n / 16) {
    const BlockSizes needed{n, 38 * n, 52 * n};
    const BlockSizes padded = PaddedSizes(needed);
    EXPECT_GE(padded.rows, needed.rows + padded.positions - needed.positions);
    EXPECT_GE(padded.moves, needed.moves);
    EXPECT_LE(padded.positions, std::max<std::int64_t>(32, (n + 1) * 5 / 4));
    EXPECT_LE(padded.moves, std::max<std::int64_t>(32, needed.moves * 5 / 4));
    EXPECT_EQ(PaddedSizes({n - 1, 0, 0}).positions <= padded.positions, true);
    rows.insert(padded.rows);
  }
  EXPECT_LT(rows.size(), 60U);
}

}  // namespace
}  // namespace apiary::nn
