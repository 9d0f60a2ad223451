#include "env/dense_planes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/env/random_positions.h"

namespace apiary::env {
namespace {

using testing::HasSubstr;

struct Planes {
  int side;
  std::vector<float> values;
  float At(int plane, int row, int column) const {
    return values[static_cast<std::size_t>((plane * side + row) * side + column)];
  }
  float Sum(int plane) const {
    const auto begin = values.begin() + plane * side * side;
    return std::accumulate(begin, begin + side * side, 0.0f);
  }
};
Planes Encode(const Game& game, int side) {
  Planes planes{side,
                std::vector<float>(static_cast<std::size_t>(kNumDensePlanes * side * side), -1.0f)};
  EXPECT_TRUE(EncodeDense(game, side, planes.values).ok());
  return planes;
}

// wA1 (-1,-1), wQ (-1,0), wS1 (0,0), bS1 (1,0), bB1 on bQ (2,0): 4 x 2 cells, White to move.
TEST(DensePlanes, BeetleOnQueen) {
  const Game game =
      PositionOf("Base", "wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 -wQ;bB1 bQ-;wA1 \\wQ;bB1 bQ");
  const Planes planes = Encode(game, 6);
  // Centred: rows 2 and 3, columns 1 to 4.
  EXPECT_EQ(planes.At(4, 2, 1), 1);   // own ant
  EXPECT_EQ(planes.At(0, 3, 1), 1);   // own queen
  EXPECT_EQ(planes.At(1, 3, 2), 1);   // own spider
  EXPECT_EQ(planes.At(9, 3, 3), 1);   // enemy spider
  EXPECT_EQ(planes.At(10, 3, 4), 1);  // enemy beetle on top
  EXPECT_EQ(planes.Sum(8), 0);        // enemy queen is no top
  EXPECT_FLOAT_EQ(planes.At(16, 3, 4), 2.0f / 7);
  EXPECT_FLOAT_EQ(planes.Sum(16), 6.0f / 7);
  EXPECT_EQ(planes.At(17 + 8, 3, 4), 1);  // enemy queen beneath
  EXPECT_EQ(planes.At(33, 3, 4), 1);      // moved last
  EXPECT_EQ(planes.Sum(33), 1);
  EXPECT_EQ(planes.At(34, 0, 0), 0);                       // own queens in hand
  EXPECT_FLOAT_EQ(planes.At(34 + 3, 5, 5), 1);             // own grasshoppers, 3 of 3
  EXPECT_FLOAT_EQ(planes.At(34 + 4, 0, 0), 2.0f / 3);      // own ants
  EXPECT_FLOAT_EQ(planes.At(34 + 8 + 2, 0, 0), 1.0f / 3);  // enemy beetles
  float tops = 0;
  for (int plane = 0; plane < 16; ++plane) tops += planes.Sum(plane);
  EXPECT_EQ(tops, 5);
}

TEST(DensePlanes, EmptyBoard) {
  const Planes planes = Encode(Game(), 1);
  for (int plane = 0; plane < 34; ++plane) EXPECT_EQ(planes.Sum(plane), 0) << plane;
  EXPECT_FLOAT_EQ(planes.Sum(34), 1.0f / 3);
}

TEST(DensePlanes, FullSizeHoldsALineOf28) {
  for (const Direction direction : {Direction::kE, Direction::kNE, Direction::kNW}) {
    const Planes planes = Encode(LineOf28(direction), kDenseSide);
    EXPECT_FLOAT_EQ(planes.Sum(16), 28.0f / 7);
  }
}

TEST(DensePlanes, CropThatIsTooSmallNamesTheExtent) {
  std::vector<float> out(static_cast<std::size_t>(kNumDensePlanes * 27 * 27));
  const auto encoded = EncodeDense(LineOf28(Direction::kE), 27, out);
  ASSERT_FALSE(encoded.ok());
  EXPECT_THAT(encoded.error(), HasSubstr("28 x 1"));
  EXPECT_THAT(encoded.error(), HasSubstr("27 x 27"));
}

}  // namespace
}  // namespace apiary::env
