#include "env/symmetry.h"

#include <gtest/gtest.h>

#include <set>

#include "env/notation.h"
#include "tests/env/random_positions.h"

namespace apiary::env {
namespace {

TEST(Symmetry, TwelveDifferentPermutationsOfTheDirections) {
  std::set<std::array<int, 6>> seen;
  for (int i = 0; i < kNumSymmetries; ++i) {
    std::array<int, 6> image;
    for (int d = 0; d < 6; ++d) image[static_cast<std::size_t>(d)] = Symmetry::FromIndex(i).Map(d);
    EXPECT_EQ(std::set<int>(image.begin(), image.end()).size(), 6U);
    for (std::size_t d = 0; d < 6; ++d) EXPECT_EQ(image[(d + 3) % 6], (image[d] + 3) % 6);
    seen.insert(image);
  }
  EXPECT_EQ(seen.size(), 12U);
}

TEST(Symmetry, MapsStepsLikeDirections) {
  for (int i = 0; i < kNumSymmetries; ++i) {
    const Symmetry symmetry = Symmetry::FromIndex(i);
    for (int d = 0; d < 6; ++d)
      EXPECT_EQ(symmetry.Map(kAxialSteps[static_cast<std::size_t>(d)]),
                kAxialSteps[static_cast<std::size_t>(symmetry.Map(d))]);
    EXPECT_EQ(symmetry.Map(Axial{0, 0}), (Axial{0, 0}));
  }
  // A quarter of a turn does not exist; a sixth maps E to NE, (2, 1) = 2 E + SE to 2 NE + E.
  EXPECT_EQ(Symmetry::FromIndex(1).Map(Axial{2, 1}), (Axial{3, -2}));
  // The mirror keeps E and exchanges SE with NE.
  EXPECT_EQ(Symmetry::FromIndex(6).Map(Axial{2, 1}), (Axial{3, -1}));
}

TEST(Symmetry, InverseUndoes) {
  for (int i = 0; i < kNumSymmetries; ++i) {
    const Symmetry symmetry = Symmetry::FromIndex(i);
    for (int d = 0; d < 6; ++d) EXPECT_EQ(symmetry.Inverse().Map(symmetry.Map(d)), d);
    EXPECT_EQ(symmetry.Inverse().Map(symmetry.Map(Axial{5, -3})), (Axial{5, -3}));
  }
}

TEST(Symmetry, TransformedGameHasTheSameStory) {
  for (const Game& game : RandomPositions(48, 3)) {
    MoveList moves;
    game.LegalMoves(moves);
    for (int i = 0; i < kNumSymmetries; ++i) {
      const Symmetry symmetry = Symmetry::FromIndex(i);
      const Game seen = Transform(game, symmetry);
      EXPECT_EQ(seen.outcome(), game.outcome());
      EXPECT_EQ(seen.occurrences(), game.occurrences());
      MoveList legal;
      seen.LegalMoves(legal);
      EXPECT_EQ(legal.size(), moves.size());
      const Game back = Transform(seen, symmetry.Inverse());
      EXPECT_EQ(ToGameString(back), ToGameString(game));
    }
  }
}

TEST(Symmetry, TransformedMovesAreLegalInTheTransformedGame) {
  for (const Game& game : RandomPositions(48, 4)) {
    MoveList moves, legal;
    game.LegalMoves(moves);
    for (int i = 0; i < kNumSymmetries; ++i) {
      Transform(game, Symmetry::FromIndex(i)).LegalMoves(legal);
      for (const Move move : moves)
        ASSERT_TRUE(legal.Contains(Transform(move, Symmetry::FromIndex(i))));
    }
  }
}

TEST(Symmetry, TransformFollowsALineOf28) {
  // East of the origin and beyond half of the grid: a mirror image of the wrapped cells would be
  // another shape.
  const Game game = LineOf28(Direction::kE);
  const Game turned = Transform(game, Symmetry::FromIndex(1));
  const Board& board = turned.board();
  Cell cell = kOrigin;
  for (int i = 0; i < 14; ++i) {
    cell = Neighbor(cell, Direction::kNE);
    EXPECT_EQ(board.height(cell), 1) << i;
    EXPECT_EQ(board.top(cell).color(), Color::kBlack);
  }
}

}  // namespace
}  // namespace apiary::env
