#include "play/openings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/notation.h"
#include "play/player.h"
#include "tests/play/positions.h"

namespace apiary::play {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string ErrorOf(const std::string& text, const env::Rules& rules = {}) {
  auto openings = ParseOpenings(text, "book.txt", rules);
  EXPECT_FALSE(openings.ok()) << text;
  return openings.ok() ? "" : openings.error();
}

TEST(Openings, ReadsLinesCommentsAndBlanks) {
  const std::string text =
      "# a book\r\n\r\n  Base;InProgress;White[2];wS1;bS1 wS1-  # short\n\nBase\n" +
      std::string(kRow);
  auto openings = ParseOpenings(text, "book.txt", {});
  ASSERT_TRUE(openings.ok()) << openings.error();
  ASSERT_EQ(openings->size(), 3U);
  EXPECT_EQ((*openings)[0].ply(), 2);
  EXPECT_EQ((*openings)[1].ply(), 0);
  EXPECT_EQ(env::ToGameString((*openings)[2]), kRow);
  EXPECT_TRUE(ParseOpenings("# nothing\n", "book.txt", {})->empty());
}

TEST(Openings, KeepTheRulesOfTheMatch) {
  env::Rules rules;
  rules.max_plies = 123;
  rules.repetition = 5;
  auto openings = ParseOpenings(kRow, "book.txt", rules);
  ASSERT_TRUE(openings.ok());
  EXPECT_EQ((*openings)[0].rules(), rules);
}

TEST(Openings, NameFileAndLineOfWhatIsWrong) {
  EXPECT_THAT(ErrorOf("# x\nBase;InProgress;Black[1];wS9\n"),
              AllOf(HasSubstr("book.txt: line 2: "), HasSubstr("wS9")));
  EXPECT_THAT(ErrorOf("nonsense"), HasSubstr("book.txt: line 1: "));
  EXPECT_THAT(ErrorOf("\n\nBase+M;NotStarted;White[1]"),
              HasSubstr("line 3: the opening is a game of Base+M, but the match plays Base"));
  EXPECT_THAT(ErrorOf("Base;InProgress;White[1];bS1"),
              HasSubstr("Black begins the opening, but White begins"));
}

TEST(Openings, KnowWhatIsDecided) {
  const std::string before(kBeforeSuicide);
  // The suicide ends the game; the position before it is not decided.
  auto openings = ParseOpenings(before + "\n" + before + ";bA1 /bG1", "book.txt", {});
  ASSERT_TRUE(openings.ok()) << openings.error();
  EXPECT_FALSE(IsDecided((*openings)[0]));
  EXPECT_TRUE(IsDecided((*openings)[1]));
  env::Rules capped;
  capped.max_plies = 4;
  openings = ParseOpenings(kRow, "book.txt", capped);
  ASSERT_TRUE(openings.ok()) << openings.error();
  EXPECT_TRUE(IsDecided((*openings)[0]));
  const env::Game winnable = FindWinnable(3);
  ASSERT_FALSE(winnable.outcome().over());
  EXPECT_TRUE(IsDecided(winnable));
}

}  // namespace
}  // namespace apiary::play
