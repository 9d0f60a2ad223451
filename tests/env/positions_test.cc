// The hard positions: number of legal moves, moves that must be and must not be legal.
#include <gtest/gtest.h>

#include "env/movegen.h"
#include "env/notation.h"
#include "tests/env/rules_data.h"

namespace apiary::env {
namespace {

using testing::Row;

class HardPositions : public ::testing::Test {
 protected:
  const std::vector<Row> rows_ = testing::ReadTable("tricky-positions.tsv");
};

TEST_F(HardPositions, NumberOfLegalMoves) {
  ASSERT_EQ(rows_.size(), 22u);
  for (const Row& row : rows_) {
    MoveList moves;
    testing::Replay(row[1]).LegalMoves(moves);
    EXPECT_EQ(moves.size(), std::stoi(row[2])) << row[0] << "  " << row[1];
  }
}

TEST_F(HardPositions, LegalAndIllegalMoves) {
  int checked = 0;
  for (const Row& row : rows_) {
    const Game game = testing::Replay(row[1]);
    for (const bool legal : {true, false}) {
      const std::size_t column = legal ? 3 : 4;
      if (row.size() <= column || row[column].empty()) continue;
      for (const std::string& text : testing::Split(row[column], '|')) {
        const base::Result<Move> move = ParseMove(game, text);
        EXPECT_EQ(move.ok(), legal)
            << row[0] << "  " << text << (move.ok() ? "" : "  " + move.error());
        // An illegal move must fail because of the rules, not because its text was not understood.
        if (!move.ok()) {
          EXPECT_NE(move.error().find("not legal"), std::string::npos)
              << row[0] << "  " << move.error();
        }
        ++checked;
      }
    }
  }
  EXPECT_GE(checked, 45);
}

TEST_F(HardPositions, StateOfTheGame) {
  for (const Row& row : rows_) {
    const Game game = testing::Replay(row[1]);
    EXPECT_EQ(ToString(game.outcome().result), testing::Split(row[1], ';')[1]) << row[0];
    EXPECT_EQ(TurnString(game.board()), testing::Split(row[1], ';')[2]) << row[0];
    const Reason expected = row[0] == "B32"   ? Reason::kBoth
                            : row[0] == "B33" ? Reason::kSurround
                                              : Reason::kNone;
    EXPECT_EQ(game.outcome().reason, expected) << row[0];
  }
}

}  // namespace
}  // namespace apiary::env
