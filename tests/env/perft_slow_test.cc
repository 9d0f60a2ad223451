// One ply deeper than perft_test.cc.
#include <gtest/gtest.h>

#include "env/movegen.h"
#include "tests/env/rules_data.h"

namespace apiary::env {
namespace {

using testing::Row;

TEST(PerftSlow, StartPositionToDepthSix) {
  for (const Row& row : testing::ReadTable("start-perft.tsv")) {
    Rules rules;
    rules.variant = ParseVariant(row[0]).value();
    Board board(rules);
    EXPECT_EQ(Perft(board, 6), std::stoull(row[6])) << row[0];
  }
}

TEST(PerftSlow, MidgamePositionsToDepthFour) {
  for (const Row& row : testing::ReadTable("midgame-perft.tsv")) {
    Board board = testing::Replay(row[0]).board();
    EXPECT_EQ(Perft(board, 4), std::stoull(row[4])) << row[0];
  }
}

}  // namespace
}  // namespace apiary::env
