#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace apiary::base {
namespace {

Result<int> Halve(int n) {
  if (n % 2 != 0) return Fail("{} is odd", n);
  return n / 2;
}

TEST(ResultTest, HoldsValueOrSentence) {
  const Result<int> good = Halve(8);
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 4);
  const Result<int> bad = Halve(7);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error(), "7 is odd");
  EXPECT_EQ(bad.failure().message, "7 is odd");
}

TEST(ResultTest, FailureOfOneTypeBecomesAnother) {
  const Result<std::string> text = Halve(7).failure();
  EXPECT_EQ(text.error(), "7 is odd");
}

TEST(ResultTest, MovesOutWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 5);
}

TEST(ResultTest, ResultOfStringIsNoFailure) {
  const Result<std::string> text = std::string("fine");
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text->size(), 4u);
}

TEST(ResultTest, VoidSucceedsByDefault) {
  const Result<void> good;
  EXPECT_TRUE(good.ok());
  const Result<void> bad = Fail("line {}", 3);
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.error(), "line 3");
}

TEST(ResultDeathTest, ReadingAFailureAborts) {
  EXPECT_DEATH((void)Halve(3).value(), "Result read although it failed: 3 is odd");
}

TEST(ErrorTest, CarriesExitCode) {
  EXPECT_EQ(Error("lost").exit_code(), 1);
  EXPECT_EQ(Error("full", 74).exit_code(), 74);
  EXPECT_STREQ(Error("full", 74).what(), "full");
}

}  // namespace
}  // namespace apiary::base
