// The draw by repetition (rules.md, section 2.4).
#include <gtest/gtest.h>

#include "env/game.h"
#include "env/notation.h"
#include "tests/env/rules_data.h"

namespace apiary::env {
namespace {

// Both queens step to and fro: the position after ply 4 stands on the board again after plies 8
// and 12.
constexpr std::string_view kShuffle =
    "Base;InProgress;White[7];wS1;bB1 wS1-;wQ \\wS1;bQ bB1\\;wQ -wS1;bQ bB1-;wQ \\wS1;bQ bB1\\;wQ "
    "-wS1;bQ bB1-;"
    "wQ \\wS1;bQ bB1\\";

Rules WithRepetition(int n) {
  Rules rules;
  rules.repetition = n;
  return rules;
}

Game Parse(std::string_view text, const Rules& options) {
  base::Result<ParsedGame> parsed = ParseGameString(text, options);
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error());
  return parsed.ok() ? std::move(parsed->game) : Game(options);
}

TEST(Repetition, ThirdOccurrenceDraws) {
  EXPECT_EQ(testing::FileRow("tricky-positions.tsv", "B22")[1], kShuffle);
  Game game = Parse(kShuffle, WithRepetition(3));
  EXPECT_EQ(game.outcome(), (Outcome{Result::kDraw, Reason::kRepetition}));
  EXPECT_EQ(game.occurrences(), 3);
  MoveList moves;
  game.LegalMoves(moves);
  EXPECT_TRUE(moves.empty());
  const std::array<int, 12> expected = {1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3};  // after plies 1 to 12
  for (int ply = 12; ply > 0; --ply) {
    EXPECT_EQ(game.occurrences(), expected[static_cast<std::size_t>(ply - 1)])
        << "after ply " << ply;
    game.Undo();
    EXPECT_FALSE(game.outcome().over());
  }
  EXPECT_EQ(game.occurrences(), 1);
}

TEST(Repetition, OffMeansOff) {
  const Game game = Parse(kShuffle, WithRepetition(0));
  EXPECT_FALSE(game.outcome().over());
  EXPECT_EQ(game.occurrences(), 1);
  MoveList moves;
  game.LegalMoves(moves);
  EXPECT_EQ(moves.size(), 22);
}

TEST(Repetition, AnyCountCanBeChosen) {
  EXPECT_FALSE(Parse(kShuffle, WithRepetition(4)).outcome().over());
  const base::Result<ParsedGame> early = ParseGameString(kShuffle, WithRepetition(2));
  ASSERT_FALSE(early.ok());
  EXPECT_NE(early.error().find("move 9"), std::string::npos) << early.error();
  EXPECT_NE(early.error().find("repetition"), std::string::npos) << early.error();
}

TEST(Repetition, BeatsTheLengthCap) {
  Rules rules = WithRepetition(3);
  rules.max_plies = 12;
  EXPECT_EQ(Parse(kShuffle, rules).outcome().reason, Reason::kRepetition);
  rules.max_plies = 11;
  EXPECT_FALSE(ParseGameString(kShuffle, rules).ok());
}

// After plies 6 and 10 the same pieces lie in the same cells with White to move, but first Black's
// queen, then Black's pillbug was moved last, and White's pillbug could throw either.
constexpr std::string_view kOtherMark =
    "Base+P;InProgress;White[6];wP;bP wP/;wQ -wP;bQ bP-;wS1 \\wQ;bQ wS1-;wP wQ\\;bP bQ/;wP wQ-;bP "
    "bQ-";
// Likewise after plies 5 and 9, but the mark on White's grasshopper takes no move from Black.
constexpr std::string_view kIdleMark =
    "Base+P;InProgress;Black[5];wP;bP \\wP;wQ /wP;bQ bP/;wG1 wQ-;bQ /bP;wG1 \\bP;bQ wG1-;wG1 wQ-";

Game Prefix(const Game& game, int plies) {
  Game prefix(game.rules());
  for (int i = 0; i < plies; ++i) prefix.Apply(game.moves()[static_cast<std::size_t>(i)]);
  return prefix;
}

TEST(Repetition, MarkCountsWhereItChangesTheMoves) {
  const Game game = Parse(kOtherMark, {});
  const Game earlier = Prefix(game, 6);
  ASSERT_EQ(earlier.board().hash(), game.board().hash());
  MoveList before;
  MoveList now;
  earlier.LegalMoves(before);
  game.LegalMoves(now);
  EXPECT_FALSE(std::equal(before.begin(), before.end(), now.begin(), now.end()));
  EXPECT_EQ(game.occurrences(), 1);
}

TEST(Repetition, MarkThatChangesNothingIsIgnored) {
  const Game game = Parse(kIdleMark, {});
  const Game earlier = Prefix(game, 5);
  ASSERT_EQ(earlier.board().hash(), game.board().hash());
  EXPECT_FALSE(earlier.board().moved_last().valid());
  EXPECT_TRUE(game.board().moved_last().valid());
  EXPECT_EQ(game.occurrences(), 2);
}

TEST(Repetition, PositionsAfterAPassCount) {
  // White goes to and fro, Black must pass or answer; the position after the last pass has been
  // there before.
  const Game game = Parse(
      "Base+P;InProgress;White[17];wS1;bG1 wS1-;wB1 \\wS1;bQ bG1\\;wA1 wB1/;bA1 bG1-;wQ -wA1;bA1 "
      "/bQ;wB2 /wB1;"
      "bA1 bG1-;wA1 /bQ;bA1 -wA1;wB2 /wQ;bA1 bG1-;wA1 wQ-;bA1 -wB2;wA1 /bQ;bA1 bG1-;wG1 /wA1;bA1 "
      "-wB2;wG1 bG1-;"
      "bA1 wB2\\;wB2 bA1;pass;wA1 wQ-;bQ wS1\\;wA1 bQ\\;pass;wA1 wQ-;bQ bG1\\;wA1 /bQ;pass",
      {});
  EXPECT_TRUE(game.moves().back().is_pass());
  EXPECT_EQ(game.occurrences(), 2);
}

TEST(Repetition, OneHumanGameGoesOnPastAThirdOccurrence) {
  int repeated = 0;
  for (const testing::Row& row : testing::ReadTable("human-games.tsv")) {
    const Game game = testing::Replay(row[1]);
    Rules rules = game.rules();
    rules.repetition = 3;
    Game strict(rules);
    for (const Move move : game.moves()) {
      if (strict.outcome().over()) break;
      strict.Apply(move);
    }
    repeated += strict.outcome().reason == Reason::kRepetition;
  }
  EXPECT_EQ(repeated, 1);
}

TEST(Repetition, UndoAndRedoCountAlike) {
  Game game = Parse(kShuffle, WithRepetition(10));
  const std::vector<Move> moves(game.moves().begin(), game.moves().end());
  for (int back = 1; back <= 12; ++back) {
    for (int i = 0; i < back; ++i) game.Undo();
    for (int i = back; i > 0; --i) game.Apply(moves[moves.size() - static_cast<std::size_t>(i)]);
    EXPECT_EQ(game.occurrences(), 3) << back;
  }
}

}  // namespace
}  // namespace apiary::env
