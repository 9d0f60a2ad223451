// The environment against the slow oracle: many random games of every variant.
#include <gtest/gtest.h>

#include "env/notation.h"
#include "tests/env/oracle_match.h"

namespace apiary::env {
namespace {

class OracleSlow : public ::testing::TestWithParam<int> {};

TEST_P(OracleSlow, RandomGames) {
  testing::MatchCounts counts;
  Rules rules;
  rules.variant = Variant::FromIndex(GetParam());
  rules.repetition = 1000;
  for (std::uint64_t seed = 1000; seed < 1030; ++seed) {
    SCOPED_TRACE(ToString(rules.variant) + " seed " + std::to_string(seed));
    ASSERT_NO_FATAL_FAILURE(testing::PlayMatch(rules, 200, seed, counts));
  }
  EXPECT_GT(counts.climbs, 500);
  EXPECT_GT(counts.repeated, 50);
  EXPECT_GT(counts.ended, 0);
  EXPECT_GE(counts.highest, 4);
  EXPECT_GT(counts.throws, rules.variant.pillbug ? 80 : -1);
}

INSTANTIATE_TEST_SUITE_P(Variants, OracleSlow, ::testing::Range(0, 8));

}  // namespace
}  // namespace apiary::env
