#include "base/check.h"

#include <gtest/gtest.h>

namespace apiary::base {
namespace {

TEST(CheckTest, PassingCheckFormatsNothing) {
  int formatted = 0;
  const auto count = [&formatted] { return ++formatted; };
  APIARY_CHECK(1 + 1 == 2, "{}", count());
  EXPECT_EQ(formatted, 0);
}

TEST(CheckDeathTest, PrintsPlaceConditionValuesAndContextsInnermostFirst) {
  const int rows = 3;
  EXPECT_DEATH(
      {
        const ScopedCheckContext game([] { return std::string("Base;InProgress;White[2];wS1"); });
        const ScopedCheckContext node([] { return std::string("node 17"); });
        APIARY_CHECK(rows == 4, "rows = {}", rows);
      },
      "check failed at .*check_test\\.cc:[0-9]+: rows == 4\n  rows = 3\n  at: node 17\n  at: "
      "Base;InProgress;White");
}

TEST(CheckDeathTest, ContextThatEndedIsNotPrinted) {
  EXPECT_DEATH(
      {
        {
          const ScopedCheckContext gone([] { return std::string("gone"); });
        }
        const ScopedCheckContext here([] { return std::string("here"); });
        APIARY_CHECK(false, "no");
      },
      "  no\n  at: here\n$");
}

TEST(CheckDeathTest, FailureInsideAContextDoesNotRecurse) {
  EXPECT_DEATH(
      {
        const ScopedCheckContext broken([] {
          APIARY_CHECK(false, "inner");
          return std::string();
        });
        APIARY_CHECK(false, "outer");
      },
      "outer(.|\n)*inner");
}

}  // namespace
}  // namespace apiary::base
