// Recorded games: every ply of the human ones, every third of the random ones.
#include <gtest/gtest.h>

#include "env/notation.h"
#include "tests/env/games_check.h"

namespace apiary::env {
namespace {

using testing::Row;

TEST(Games, HumanGames) {
  const std::vector<Row> rows = testing::ReadTable("human-games.tsv");
  ASSERT_EQ(rows.size(), 90u);
  for (const Row& row : rows) testing::CheckGame(row[1], row[2]);
}

TEST(Games, EveryThirdRandomGame) {
  for (const Variant variant : AllVariants()) {
    EXPECT_EQ(testing::CheckRandomGames(ToString(variant), 0, 3), 50) << ToString(variant);
  }
}

// The column is one engine's definition of a third occurrence. Ours, in which the mark of the piece
// moved last counts where it matters, first sees one at the same ply in every recorded game.
TEST(Games, RepetitionColumn) {
  int repeated = 0;
  for (const Variant variant : AllVariants()) {
    for (const Row& row : testing::ReadTable("random-games-" + ToString(variant) + ".tsv.zst")) {
      if (row[2] != "-") ++repeated;
      EXPECT_EQ(testing::FirstThirdOccurrence(testing::Replay(row[0])), row[2]) << row[0];
    }
  }
  EXPECT_EQ(repeated, 18);
}

}  // namespace
}  // namespace apiary::env
