// Leaf counts from the empty board and from midgame positions.
#include <gtest/gtest.h>

#include "env/movegen.h"
#include "env/notation.h"
#include "tests/env/rules_data.h"

namespace apiary::env {
namespace {

using testing::Row;

// The counts of rules.md, section 7, typed in once more: the table file and the code must agree
// with them.
TEST(Perft, DepthFiveAsInTheRuleText) {
  const std::array<std::pair<const char*, std::uint64_t>, 8> expected = {{{"Base", 516240},
                                                                          {"Base+M", 1252800},
                                                                          {"Base+L", 1252800},
                                                                          {"Base+P", 1255932},
                                                                          {"Base+ML", 2725920},
                                                                          {"Base+MP", 2730888},
                                                                          {"Base+LP", 2730240},
                                                                          {"Base+MLP", 5427108}}};
  for (const auto& [name, leaves] : expected) {
    Rules rules;
    rules.variant = ParseVariant(name).value();
    Board board(rules);
    EXPECT_EQ(Perft(board, 5), leaves) << name;
    EXPECT_EQ(board, Board(rules)) << name;
  }
}

TEST(Perft, StartPositionOfEveryVariant) {
  const std::vector<Row> rows = testing::ReadTable("start-perft.tsv");
  ASSERT_EQ(rows.size(), 8u);
  for (const Row& row : rows) {
    Rules rules;
    rules.variant = ParseVariant(row[0]).value();
    Board board(rules);
    const int depth = row[0] == "Base" ? 6 : 5;
    for (int d = 1; d <= depth; ++d) {
      EXPECT_EQ(Perft(board, d), std::stoull(row[static_cast<std::size_t>(d)]))
          << row[0] << " depth " << d;
    }
  }
}

TEST(Perft, MidgamePositions) {
  const std::vector<Row> rows = testing::ReadTable("midgame-perft.tsv");
  ASSERT_EQ(rows.size(), 19u);
  for (const Row& row : rows) {
    Board board = testing::Replay(row[0]).board();
    for (int d = 1; d <= 3; ++d) {
      EXPECT_EQ(Perft(board, d), std::stoull(row[static_cast<std::size_t>(d)]))
          << row[0] << " depth " << d;
    }
  }
}

TEST(Perft, DepthZeroIsOnePosition) {
  Board board;
  EXPECT_EQ(Perft(board, 0), 1u);
}

}  // namespace
}  // namespace apiary::env
