#include "train/pgn_game.h"

#include <gmock/gmock.h>

#include "tests/env/rules_data.h"
#include "tests/train/foreign_texts.h"

namespace apiary::train {
namespace {

using ::testing::HasSubstr;

const std::string kMoves = "wS1;bS1 wS1-;wQ -wS1;bQ bS1-";

std::string Pgn(const std::string& moves, const std::string& result = "WhiteWins",
                const std::string& type = "Base") {
  return "[GameType \"" + type + "\"]\n[Date \"2026.01.02\"]\n[White \"ann\"]\n[Result \"" +
         result + "\"]\n\n" + moves + "\n";
}

TEST(PgnGame, MovesAreNumberedInAnyWay) {
  for (const char* moves :
       {"1. wS1\n2. bS1 wS1-\n3. wQ -wS1\n4. bQ bS1-\n", "1. wS1 bS1 wS1- 2. wQ -wS1 bQ bS1-",
        "wS1 bS1 wS1- wQ -wS1 bQ bS1-", "1.wS1 2.bS1 wS1- 3.wQ -wS1 4.bQ bS1- 1-0",
        "1. wS1 {the first}\n1... bS1 wS1- (1... bA1 wS1/) ; to the end\n% and a whole line\n"
        "2. wQ -wS1 $1 bQ bS1- WhiteWins"}) {
    const ForeignGame game = OneGame(Pgn(moves));
    EXPECT_EQ(MovesOf(game.game), kMoves) << moves;
    EXPECT_EQ(game.claimed, env::Result::kWhiteWins) << moves;
  }
}

TEST(PgnGame, ResultsInBothSpellings) {
  const std::string moves = "1. wS1 2. bS1 wS1-";
  EXPECT_EQ(OneGame(Pgn(moves, "1-0")).claimed, env::Result::kWhiteWins);
  EXPECT_EQ(OneGame(Pgn(moves, "0-1")).claimed, env::Result::kBlackWins);
  EXPECT_EQ(OneGame(Pgn(moves, "1/2-1/2")).claimed, env::Result::kDraw);
  EXPECT_EQ(OneGame(Pgn(moves, "*")).claimed, env::Result::kInProgress);
  EXPECT_EQ(OneGame(Pgn(moves + " 0-1", "*")).claimed, env::Result::kBlackWins);
  EXPECT_EQ(OneGame(Pgn(moves + " Draw", "InProgress")).claimed, env::Result::kDraw);
  EXPECT_EQ(OneGame(Pgn(moves, "who knows")).claimed, env::Result::kInProgress);
  const SkippedGame both = OneSkipped(Pgn(moves + " 0-1", "1-0"));
  EXPECT_EQ(both.reason, SkipReason::kNoResult);
  EXPECT_THAT(both.why, HasSubstr("the tag says WhiteWins, the end of the moves BlackWins"));
}

TEST(PgnGame, APassThatIsNotWrittenIsPutIn) {
  // A game of the samples, whose passes are left out.
  std::string moves;
  const std::string line = env::testing::Split(ReadTestFile("sgf/expected.tsv"), '\n')[1];
  const std::string expected = line.substr(line.find('\t') + 1);
  for (const std::string& field : env::testing::Split(expected, ';'))
    if (field != "pass") moves += field + " ";
  moves = moves.substr(moves.find(']') + 1);
  EXPECT_EQ(MovesOf(OneGame(Pgn(moves, "*")).game), expected.substr(expected.find("wS1")));
}

TEST(PgnGame, TheFirstIllegalMoveIsNamedWithItsLine) {
  const SkippedGame skipped = OneSkipped(Pgn("1. wS1\n2. bS1 wS1-\n3. wA1 bS1-\n"));
  EXPECT_EQ(skipped.reason, SkipReason::kIllegalMove);
  EXPECT_EQ(skipped.line, 8);
  EXPECT_THAT(skipped.why, HasSubstr("move 3: 'wA1 bS1-': not legal"));
}

TEST(PgnGame, WhatCannotBeReadIsNamed) {
  EXPECT_EQ(OneSkipped("[White \"ann\"]\n\n1. wS1\n").reason, SkipReason::kBrokenText);
  EXPECT_EQ(OneSkipped(Pgn("1. wS1", "1-0", "Base+X")).reason, SkipReason::kNotSupported);
  EXPECT_EQ(OneSkipped(Pgn("1. wS1", "1-0", "Base+X")).line, 1);
  EXPECT_EQ(OneSkipped(Pgn("")).reason, SkipReason::kNoResult);
  EXPECT_THAT(OneSkipped(Pgn("1. wS1 { and")).why, HasSubstr("no closing brace"));
  EXPECT_THAT(OneSkipped(Pgn("1. wS1 ( and")).why, HasSubstr("no closing parenthesis"));
  EXPECT_THAT(OneSkipped("[GameType Base]\n").why, HasSubstr("a tag that is not"));
}

TEST(PgnGame, SeveralGamesInAFile) {
  const std::vector<ForeignEntry> entries =
      ReadAll(Pgn("1. wS1 1-0") + "\n" + Pgn("1. wS1 {") + "\n\n" + Pgn("1. wG1 2. bG1 wG1-"));
  ASSERT_EQ(entries.size(), 2U);  // the comment without an end goes up to the end of the file
  const std::vector<ForeignEntry> three =
      ReadAll(Pgn("1. wS1 1-0") + "\n[oops\n\n" + Pgn("1. wG1 2. bG1 wG1-"));
  ASSERT_EQ(three.size(), 3U);
  EXPECT_TRUE(std::holds_alternative<SkippedGame>(three[1]));
  ASSERT_TRUE(std::holds_alternative<ForeignGame>(three[2]));
  EXPECT_EQ(std::get<ForeignGame>(three[2]).line, 10);
}

TEST(GameStrings, OneALineAloneOrBetweenTabs) {
  const std::string game = "Base;WhiteWins;White[2];wS1;bS1 wS1-";
  const std::vector<ForeignEntry> entries =
      ReadAll("# a comment\n" + game + "\n\n7\t" + game + "\t4,24\nnonsense\n" + game +
              ";wQ bS1-\nBase;Perhaps;White[1]\n");
  ASSERT_EQ(entries.size(), 5U);
  EXPECT_EQ(std::get<ForeignGame>(entries[0]).line, 2);
  EXPECT_EQ(std::get<ForeignGame>(entries[0]).claimed, env::Result::kWhiteWins);
  EXPECT_EQ(MovesOf(std::get<ForeignGame>(entries[1]).game), "wS1;bS1 wS1-");
  EXPECT_EQ(std::get<SkippedGame>(entries[2]).line, 5);
  EXPECT_EQ(std::get<SkippedGame>(entries[2]).reason, SkipReason::kBrokenText);
  EXPECT_EQ(std::get<SkippedGame>(entries[3]).reason, SkipReason::kIllegalMove);
  EXPECT_THAT(std::get<SkippedGame>(entries[3]).why, HasSubstr("move 3: 'wQ bS1-'"));
  EXPECT_EQ(std::get<SkippedGame>(entries[4]).reason, SkipReason::kBrokenText);
}

// What is read stays within our rules, whatever the text.
void ExpectSound(std::string_view text) {
  for (const ForeignEntry& entry : ReadAll(text)) {
    if (const auto* const skipped = std::get_if<SkippedGame>(&entry)) {
      EXPECT_GE(skipped->line, 1);
      EXPECT_FALSE(skipped->why.empty());
      continue;
    }
    const ForeignGame& game = std::get<ForeignGame>(entry);
    const auto again = env::ParseGameString(env::ToGameString(game.game), ReadingRules({}));
    ASSERT_TRUE(again.ok()) << again.error();
  }
}

TEST(ForeignTexts, CutAndFlippedBytesNeverCrash) {
  const std::string pgn = Pgn("1. wS1 {c} 2. bS1 wS1- (x) 3. wQ -wS1 4. bQ bS1- 1-0");
  const std::string strings = "Base;WhiteWins;White[2];wS1;bS1 wS1-;wQ -wS1\n# c\n1\tBase;x\n";
  std::vector<std::string> texts = {pgn, strings};
  for (const char* sample : kSgfSamples) texts.push_back(ReadTestFile(sample));
  for (const std::string& text : texts) {
    const std::size_t step = text.size() > 1000 ? 23 : 1;
    for (std::size_t i = 0; i < text.size(); i += step) {
      ExpectSound(std::string_view(text).substr(0, i));
      for (const int bit : {0, 3, 5, 7}) {
        std::string flipped = text;
        flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
        ExpectSound(flipped);
      }
    }
  }
  for (const char* text : {"", "(", "[", "(;", "[\"", "(;P0[0", "(;P0[0]", "\xEF\xBB\xBF(", "]",
                           "(;SU[hive]P0[1 done]P0[2 pass]P0[3 passdone]P1[4 pickb A 1 x])"})
    ExpectSound(text);
  ExpectSound(std::string(5000, '('));
  ExpectSound(std::string("Base;\0", 6));
}

}  // namespace
}  // namespace apiary::train
