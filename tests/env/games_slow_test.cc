// All recorded random games.
#include <gtest/gtest.h>

#include "env/rules.h"
#include "tests/env/games_check.h"

namespace apiary::env {
namespace {

TEST(GamesSlow, EveryRandomGame) {
  for (const Variant variant : AllVariants()) {
    EXPECT_EQ(testing::CheckRandomGames(ToString(variant), 0, 1), 150) << ToString(variant);
  }
}

}  // namespace
}  // namespace apiary::env
