#include "play/uhp_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apiary::play {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(UhpSpec, CommandAndKeysAreRead) {
  const auto spec = ParseUhpSpec(
      "uhp:nokamute uhp;go=seconds 0.1;set.NumThreads=1;set.Name=two words and = sign");
  ASSERT_TRUE(spec.ok()) << spec.error();
  EXPECT_THAT(spec->words, ElementsAre("nokamute", "uhp"));
  EXPECT_EQ(spec->go, "seconds 0.1");
  EXPECT_THAT(spec->options,
              ElementsAre(Pair("NumThreads", "1"), Pair("Name", "two words and = sign")));
  EXPECT_THAT(ParseUhpSpec("uhp:engine")->go, IsEmpty());
  EXPECT_EQ(ParseUhpSpec("uhp:engine;depth=3")->go, "depth 3");
  EXPECT_EQ(ParseUhpSpec("uhp:engine;time=5")->go, "time 00:00:05");
  EXPECT_EQ(ParseUhpSpec("uhp:engine;time=3725")->go, "time 01:02:05");
}

TEST(UhpSpec, ErrorsNameTheKey) {
  const auto error = [](const std::string& text) {
    const auto spec = ParseUhpSpec(text);
    return spec ? std::string() : spec.error();
  };
  EXPECT_THAT(error("nokamute"), HasSubstr("expected uhp:COMMAND"));
  EXPECT_THAT(error("uhp:"), HasSubstr("the command is empty"));
  EXPECT_THAT(error("uhp: ;depth=1"), HasSubstr("the command is empty"));
  EXPECT_THAT(error("uhp:''"), HasSubstr("the command is empty"));
  EXPECT_THAT(error("uhp:x 'y"), HasSubstr("the quote ' is not closed"));
  EXPECT_THAT(error("uhp:x\ny"), HasSubstr("line break"));
  EXPECT_THAT(error("uhp:x;sims=3"), AllOf(HasSubstr("unknown key 'sims'"), HasSubstr("uhp:x;")));
  EXPECT_THAT(error("uhp:x;depth"), HasSubstr("'depth' is not key=value"));
  EXPECT_THAT(error("uhp:x;"), HasSubstr("'' is not key=value"));
  EXPECT_THAT(error("uhp:x;depth=-1"), HasSubstr("depth=-1 is not a whole number"));
  EXPECT_THAT(error("uhp:x;depth=2a"), HasSubstr("depth=2a"));
  EXPECT_THAT(error("uhp:x;time=0.5"), HasSubstr("time=0.5 is not a whole number of seconds"));
  EXPECT_THAT(error("uhp:x;time=0"), HasSubstr("time=0"));
  EXPECT_THAT(error("uhp:x;go="), HasSubstr("go= is empty"));
  EXPECT_THAT(error("uhp:x;depth=1;go=y"), HasSubstr("give one of depth, time and go"));
  EXPECT_THAT(error("uhp:x;set.=1"), HasSubstr("expected set.NAME=VALUE"));
  EXPECT_THAT(error("uhp:x;set.A="), HasSubstr("expected set.NAME=VALUE"));
}

TEST(UhpSpec, WordsAreSplitAsAShellDoes) {
  EXPECT_THAT(*SplitWords("  a  b\tc "), ElementsAre("a", "b", "c"));
  EXPECT_THAT(*SplitWords("'a b' \"c 'd'\" e\\ f"), ElementsAre("a b", "c 'd'", "e f"));
  EXPECT_THAT(*SplitWords("x'y z'w ''"), ElementsAre("xy zw", ""));
  EXPECT_THAT(*SplitWords(R"("a\"b\\c\d" 'e\f')"), ElementsAre("a\"b\\c\\d", "e\\f"));
  EXPECT_THAT(*SplitWords("$HOME *"), ElementsAre("$HOME", "*"));
  EXPECT_THAT(*SplitWords(""), IsEmpty());
  EXPECT_FALSE(SplitWords("a\\").ok());
  EXPECT_FALSE(SplitWords("\"a").ok());
}

}  // namespace
}  // namespace apiary::play
