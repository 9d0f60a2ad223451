// The environment against a second, slow implementation of the rule text: a few random games of
// every variant.
#include "tests/env/oracle.h"

#include <gtest/gtest.h>

#include "env/notation.h"
#include "tests/env/oracle_match.h"

namespace apiary::env {
namespace {

constexpr int kGames = 3;
constexpr int kPlies = 110;

TEST(Oracle, RandomGamesOfEveryVariant) {
  testing::MatchCounts counts;
  for (const Variant variant : AllVariants()) {
    Rules rules;
    rules.variant = variant;
    rules.repetition = 1000;  // counted, but no game ends by it
    for (int game = 0; game < kGames; ++game) {
      SCOPED_TRACE(ToString(variant) + " seed " + std::to_string(game));
      ASSERT_NO_FATAL_FAILURE(
          testing::PlayMatch(rules, kPlies, static_cast<std::uint64_t>(game), counts));
    }
  }
  // The games reach what they are meant to reach.
  EXPECT_GT(counts.plies, 1500);
  EXPECT_GT(counts.climbs, 150);
  EXPECT_GT(counts.throws, 20);
  EXPECT_GT(counts.repeated, 15);
  EXPECT_GE(counts.highest, 3);
}

TEST(Oracle, BlackBeginsAndQueensMayOpen) {
  testing::MatchCounts counts;
  Rules rules;
  rules.variant = Variant::FromIndex(7);
  rules.repetition = 0;
  for (const bool queen_first : {false, true}) {
    rules.first_player = Color::kBlack;
    rules.queen_first_turn = queen_first;
    ASSERT_NO_FATAL_FAILURE(testing::PlayMatch(rules, 60, 7, counts));
  }
}

}  // namespace
}  // namespace apiary::env
