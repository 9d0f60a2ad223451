#include "play/drawing.h"

#include <gtest/gtest.h>

#include "tests/play/positions.h"

namespace apiary::play {
namespace {

TEST(Drawing, EmptyBoard) { EXPECT_EQ(DrawBoard(env::Board()), "(empty board)\n"); }

TEST(Drawing, RowsAreShiftedByHalfACell) {
  EXPECT_EQ(DrawBoard(GameOf("Base;InProgress;White[2];wS1;bA1 wS1\\").board()),
            " / \\\n"
            "|wS1|\n"
            "|   |\n"
            " \\ / \\\n"
            "  |bA1|\n"
            "  |   |\n"
            "   \\ /\n");
}

TEST(Drawing, StacksAreCountedAndListed) {
  const std::string text = DrawBoard(
      GameOf(
          "Base;InProgress;White[5];wS1;bS1 wS1-;wQ -wS1;bQ bS1/;wS2 -wQ;bB1 bQ/;wA1 -wS2;bB1 bQ")
          .board());
  EXPECT_NE(text.find("|x2*|"), std::string::npos) << text;  // and it moved last
  EXPECT_NE(text.find("bB1 on bQ\n"), std::string::npos) << text;
}

TEST(Drawing, HandsListEveryPiece) {
  const env::Game game = GameOf("Base+P;InProgress;Black[1];wS1");
  EXPECT_EQ(DescribeHand(game.board(), env::Color::kWhite),
            "White in hand: wQ wS2 wB1 wB2 wG1 wG2 wG3 wA1 wA2 wA3 wP");
}

}  // namespace
}  // namespace apiary::play
