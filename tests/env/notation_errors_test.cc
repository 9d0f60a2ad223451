// Text that is wrong gives a sentence that names the move and the reason, and never a crash.
#include <gtest/gtest.h>

#include "base/random.h"
#include "env/notation.h"

namespace apiary::env {
namespace {

constexpr std::string_view kOpening = "Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-";

std::string MoveError(std::string_view game_string, std::string_view text) {
  const base::Result<ParsedGame> parsed = ParseGameString(game_string, {});
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error());
  const base::Result<Move> move = ParseMove(parsed->game, text);
  EXPECT_FALSE(move.ok()) << text;
  return move.ok() ? "" : move.error();
}

std::string GameError(std::string_view text) {
  const base::Result<ParsedGame> parsed = ParseGameString(text, {});
  EXPECT_FALSE(parsed.ok()) << text;
  return parsed.ok() ? "" : parsed.error();
}

TEST(MoveErrors, NameTheTextAndTheReason) {
  EXPECT_EQ(MoveError(kOpening, ""), "the move is empty");
  EXPECT_EQ(MoveError(kOpening, "wX1 wS1-"), "'wX1 wS1-': unknown piece 'wX1'");
  EXPECT_EQ(MoveError(kOpening, "wA1 wS9-"), "'wA1 wS9-': unknown piece 'wS9'");
  EXPECT_EQ(MoveError(kOpening, "wA1 -"), "'wA1 -': unknown piece ''");
  EXPECT_EQ(MoveError(kOpening, "wA1 -wS1-"),
            "'wA1 -wS1-': a direction stands before and after the piece");
  EXPECT_EQ(MoveError(kOpening, "wA1 wS1 -"), "'wA1 wS1 -': unknown piece 'wS1 '");
  EXPECT_EQ(MoveError(kOpening, "wA1"), "'wA1': the destination is missing");
  EXPECT_EQ(MoveError(kOpening, "wA1 wG1-"), "'wA1 wG1-': wG1 is not on the board");
  EXPECT_EQ(MoveError(kOpening, "wM -wQ"), "'wM -wQ': wM is not in play in Base");
  EXPECT_EQ(MoveError(kOpening, "wA2 -wQ"), "'wA2 -wQ': not legal: wA1 leaves the hand before wA2");
  EXPECT_EQ(MoveError(kOpening, "bA1 bQ-"), "'bA1 bQ-': not legal: it is White's turn");
  EXPECT_EQ(MoveError(kOpening, "wA1 bQ-"), "'wA1 bQ-': not legal in this position");
  EXPECT_EQ(MoveError(kOpening, "wS1 wQ-"), "'wS1 wQ-': not legal in this position");
  EXPECT_EQ(MoveError(kOpening, "pass"), "'pass': passing is not legal: there are other moves");
}

TEST(MoveErrors, OnlyPassIsLegal) {
  EXPECT_EQ(MoveError("Base;InProgress;White[7];wA1;bS1 wA1-;wQ -wA1;bQ bS1/;wQ \\wA1;bA1 bS1\\;wQ "
                      "-wA1;bA2 bQ\\;"
                      "wQ \\wA1;bA1 \\wQ;wG1 /wQ;bA2 /wG1",
                      "wG1 bA2-"),
            "'wG1 bA2-': only 'pass' is legal");
}

TEST(MoveErrors, GameOver) {
  constexpr std::string_view kOver =
      "Base+P;WhiteWins;White[6];wS1;bP wS1-;wQ \\wS1;bB1 bP/;wG1 \\wQ;bG1 bP\\;wP wG1-;bQ bP-;wG1 "
      "wP-;bQ wQ-";
  EXPECT_EQ(MoveError(kOver, "wA1 -wQ"), "'wA1 -wQ': the game is over (WhiteWins by surround)");
  EXPECT_EQ(GameError(std::string(kOver) + ";wA1 -wQ"),
            "move 11: 'wA1 -wQ': the game is over (WhiteWins by surround)");
}

TEST(GameErrors, NameTheFieldOrTheMove) {
  EXPECT_EQ(GameError(""),
            "unknown game type '': expected Base, or Base+ and some of the letters M, L, P");
  EXPECT_EQ(GameError("Chess;NotStarted;White[1]"),
            "unknown game type 'Chess': expected Base, or Base+ and some of the letters M, L, P");
  EXPECT_EQ(
      GameError("Base;Running;White[1]"),
      "unknown state 'Running': expected NotStarted, InProgress, Draw, WhiteWins or BlackWins");
  EXPECT_EQ(GameError("Base;NotStarted"), "the turn is missing after 'NotStarted'");
  EXPECT_EQ(GameError("Base;NotStarted;Red[1]"),
            "unknown turn 'Red[1]': expected White[n] or Black[n]");
  EXPECT_EQ(GameError("Base;NotStarted;White[x]"),
            "unknown turn 'White[x]': expected White[n] or Black[n]");
  EXPECT_EQ(GameError("Base;NotStarted;White[]"),
            "unknown turn 'White[]': expected White[n] or Black[n]");
  EXPECT_EQ(GameError("Base;InProgress;White[2];wS1;bS9 wS1-"),
            "move 2: 'bS9 wS1-': unknown piece 'bS9'");
  EXPECT_EQ(GameError("Base;InProgress;White[2];wS1;;bS1 wS1-"), "move 2: the move is empty");
  EXPECT_EQ(GameError("Base;InProgress;White[2];wS1;bS1 wS1-;wA1 wA2-"),
            "move 3: 'wA1 wA2-': wA2 is not on the board");
  EXPECT_EQ(GameError("Base;InProgress;White[2];wS1;bS1 wS1-;wA1 bS1-"),
            "move 3: 'wA1 bS1-': not legal in this position");
  EXPECT_EQ(GameError("Base;InProgress;White[2];wM;bS1 wM-"),
            "move 1: 'wM': wM is not in play in Base");
  EXPECT_EQ(GameError("Base;InProgress;White[2];wQ;bS1 wQ-"),
            "move 1: 'wQ': not legal in this position");
  EXPECT_EQ(GameError("Base;InProgress;White[2];pass"),
            "move 1: 'pass': passing is not legal: there are other moves");
}

TEST(GameErrors, MoreThanTheHandHolds) {
  // wS1 and wS2 are both spiders in hand; a third name does not exist, so the text runs out of
  // names, not of pieces.
  EXPECT_EQ(
      GameError("Base;InProgress;White[4];wS2;bS1 wS2-;wQ -wS2;bQ bS1-;wS1 -wQ;bG1 bQ-;wS3 -wS1"),
      "move 7: 'wS3 -wS1': unknown piece 'wS3'");
}

TEST(GameErrors, AnyBytesAreSafe) {
  constexpr std::string_view kAlphabet =
      "wbQSBGAMLP123;-/\\ []WhiteBlackInProgress+pass\t\n\x80\xff";
  const std::string valid(kOpening);
  base::RandomStream random(3);
  int parsed = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string text = valid;
    const std::uint32_t edits = 1 + random.Below(4);
    for (std::uint32_t e = 0; e < edits; ++e) {
      const std::size_t at = random.Below(static_cast<std::uint32_t>(text.size()));
      const char letter = kAlphabet[random.Below(static_cast<std::uint32_t>(kAlphabet.size()))];
      switch (random.Below(3)) {
        case 0:
          text[at] = letter;
          break;
        case 1:
          text.insert(at, 1, letter);
          break;
        default:
          text.erase(at, 1);
          break;
      }
    }
    const base::Result<ParsedGame> result = ParseGameString(text, {});
    parsed += result.ok();
    if (!result.ok()) {
      ASSERT_FALSE(result.error().empty());
    }
    ASSERT_TRUE(!result.ok() || ParseGameString(ToGameString(result->game), {}).ok()) << text;
  }
  EXPECT_GT(parsed, 0);
}

}  // namespace
}  // namespace apiary::env
