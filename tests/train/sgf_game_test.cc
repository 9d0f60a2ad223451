#include "train/sgf_game.h"

#include <gmock/gmock.h>

#include "tests/env/rules_data.h"
#include "tests/train/foreign_texts.h"

namespace apiary::train {
namespace {

using ::testing::HasSubstr;

// A file of the new dialect around these actions, each a "P0[1 Done]".
std::string Sgf(const std::vector<std::string>& actions, const std::string& type = "hive",
                const std::string& more = "") {
  std::string text = "(;\nGM[27]VV[1]\nSU[" + type + "]\nP0[id \"ann\"]\nP1[id \"ben\"]\n" + more +
                     "\n; P0[0 Start P0]\n";
  for (const std::string& action : actions) text += "; " + action + "\n";
  return text + ")\n";
}

// wS1, bS1 east of it, at the cells N 13 and O 13.
const std::vector<std::string> kTwoPlies = {"P0[1 Dropb wS1 N 13 .]", "P0[2 Done]",
                                            "P1[3 Dropb bS1 O 13 wS1-]", "P1[4 Done]"};

std::vector<std::string> TwoPliesAnd(const std::vector<std::string>& more) {
  std::vector<std::string> actions = kTwoPlies;
  actions.insert(actions.end(), more.begin(), more.end());
  return actions;
}

TEST(SgfGame, OurSamplesGiveTheExpectedGames) {
  const std::vector<std::string> lines =
      env::testing::Split(ReadTestFile("sgf/expected.tsv"), '\n');
  int samples = 0;
  for (const std::string& line : lines) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> row = env::testing::Split(line, '\t');
    SCOPED_TRACE(row[0]);
    const ForeignGame game = OneGame(ReadTestFile("sgf/" + row[0]));
    const std::vector<std::string> fields = env::testing::Split(row[1], ';');
    EXPECT_EQ(env::ToString(game.game.rules().variant), fields[0]);
    EXPECT_EQ(env::TurnString(game.game.board()), fields[2]);
    EXPECT_EQ(fields[0] + ";" + fields[1] + ";" + fields[2] + ";" + MovesOf(game.game), row[1]);
    const env::Result played = game.game.outcome().result;
    EXPECT_EQ(ToString(played == env::Result::kInProgress ? game.claimed : played), fields[1]);
    ++samples;
  }
  EXPECT_EQ(samples, 3);
}

TEST(SgfGame, TheSixDirections) {
  struct Case {
    const char* cell;
    const char* move;
  };
  for (const Case& c :
       {Case{"O 13", "bS1 wS1-"}, Case{"O 14", "bS1 wS1/"}, Case{"N 14", "bS1 \\wS1"},
        Case{"M 13", "bS1 -wS1"}, Case{"M 12", "bS1 /wS1"}, Case{"N 12", "bS1 wS1\\"}}) {
    const std::string drop = std::string("P1[3 Dropb bS1 ") + c.cell + " .]";
    EXPECT_EQ(MovesOf(OneGame(Sgf({kTwoPlies[0], kTwoPlies[1], drop, kTwoPlies[3]})).game),
              std::string("wS1;") + c.move);
  }
}

TEST(SgfGame, TheBoardIsATorus) {
  // East of column Z is A, north of row 26 is 1.
  const ForeignGame game =
      OneGame(Sgf({"P0[1 Dropb wS1 Z 26 .]", "P0[2 Done]", "P1[3 Dropb bS1 A 1 .]", "P1[4 Done]",
                   "P0[5 Dropb wQ Y 25 .]", "P0[6 Done]", "P1[7 Dropb bQ B 2 .]", "P1[8 Done]"}));
  EXPECT_EQ(MovesOf(game.game), "wS1;bS1 wS1/;wQ /wS1;bQ bS1/");
}

TEST(SgfGame, TheLastDropBeforeDoneCounts) {
  const ForeignGame game = OneGame(
      Sgf(TwoPliesAnd({"P0[5 Pick W 0 wA1]", "P0[6 Dropb wA1 M 13 .]", "P0[7 Pickb M 13 wA1]",
                       "P0[8 Drop W 0 wA1]", "P0[9 Pick W 1 wQ]", "P0[10 Dropb wQ M 12 .]",
                       "P0[11 Pickb M 12 wQ]", "P0[12 Dropb wQ M 13 -wS1]", "P0[13 Done]"})));
  EXPECT_EQ(MovesOf(game.game), "wS1;bS1 wS1-;wQ -wS1");
}

TEST(SgfGame, OldDialectTakesColoursFromPicksAndTheBoard) {
  const std::string text =
      "(;GM[27]VV[1]\nSU[Hive]\nP0[id \"ann\"]P1[id \"ben\"]\n; P0[0 Start P0]\n"
      "; P0[1 pick W 0 s1]\n; P0[2 dropb s1 N 13 .]\n; P0[3 done]\n"
      "; P1[4 pick B 0 b1]\n; P1[5 dropb b1 O 13 s1-]\n; P1[6 done]\n"
      "; P0[7 pick W 0 q]\n; P0[8 dropb q M 13 -wS1]\n; P0[9 done]\n"
      "; P1[10 pick B 0 Q]\n; P1[11 dropb Q P 13 bB1-]\n; P1[12 done]\n"
      "; P0[13 move W Q M 12 /wS1]\n; P0[14 done]\n"
      "; P1[15 pickb P 13 q]\n; P1[16 dropb q O 12 bB1\\]\n; P1[17 done]\n)";
  EXPECT_EQ(MovesOf(OneGame(text).game), "wS1;bB1 wS1-;wQ -wS1;bQ bB1-;wQ /wS1;bQ bB1\\");
}

TEST(SgfGame, APieceOfTheOpponentMayBeThrown) {
  const ForeignGame game = OneGame(ReadTestFile("sgf/new-throws.sgf"));
  int thrown = 0;
  env::Board board(game.game.rules());
  for (const env::Move move : game.game.moves()) {
    thrown += !move.is_pass() && move.piece().color() != board.side_to_move();
    board.Apply(move);
  }
  EXPECT_EQ(thrown, 3);
}

TEST(SgfGame, ResultIsTheResignationBeforeTheText) {
  EXPECT_EQ(OneGame(Sgf(TwoPliesAnd({"P1[5 Resign]", "P1[6 Done]"}), "hive",
                        "RE[The game is won by ben]"))
                .claimed,
            env::Result::kWhiteWins);
  EXPECT_EQ(OneGame(Sgf(kTwoPlies, "hive", "RE[The game is won by ben]")).claimed,
            env::Result::kBlackWins);
  EXPECT_EQ(OneGame(Sgf(kTwoPlies, "hive", "RE[Partie nulle]")).claimed, env::Result::kDraw);
  EXPECT_EQ(OneGame(Sgf(kTwoPlies)).claimed, env::Result::kInProgress);
}

TEST(SgfGame, DrawOffersHaveADoneOfTheirOwn) {
  const std::vector<std::string> offer = {"P0[5 OfferDraw]", "P0[6 Done]"};
  std::vector<std::string> accepted = TwoPliesAnd(offer);
  accepted.insert(accepted.end(), {"P1[7 AcceptDraw]", "P1[8 Done]"});
  EXPECT_EQ(OneGame(Sgf(accepted)).claimed, env::Result::kDraw);
  std::vector<std::string> declined = TwoPliesAnd(offer);
  declined.insert(declined.end(),
                  {"P1[7 DeclineDraw]", "P1[8 Done]", "P0[9 Dropb wQ M 13 .]", "P0[10 Done]"});
  const ForeignGame game = OneGame(Sgf(declined));
  EXPECT_EQ(game.claimed, env::Result::kInProgress);
  EXPECT_EQ(MovesOf(game.game), "wS1;bS1 wS1-;wQ -wS1");
}

TEST(SgfGame, NamesInAResult) {
  using env::Result;
  EXPECT_EQ(ResultOfText("The game is won by ann", "ann", "anna"), Result::kWhiteWins);
  EXPECT_EQ(ResultOfText("The game is won by anna", "ann", "anna"), Result::kBlackWins);
  EXPECT_EQ(ResultOfText("The game is won by ann", "ann", "won"), Result::kWhiteWins);
  EXPECT_EQ(ResultOfText("The game is won by guest", "guest", "guest"), Result::kInProgress);
  EXPECT_EQ(ResultOfText("The game is a draw", "ann", "ben"), Result::kDraw);
  EXPECT_EQ(ResultOfText("", "ann", "ben"), Result::kInProgress);
  EXPECT_EQ(ResultOfText("it is over", "", ""), Result::kInProgress);
}

TEST(SgfGame, TheFirstIllegalMoveIsNamedWithItsLine) {
  // wA1 on a cell that touches a black piece.
  const SkippedGame skipped =
      OneSkipped(Sgf(TwoPliesAnd({"P0[5 Dropb wA1 P 13 .]", "P0[6 Done]"})));
  EXPECT_EQ(skipped.reason, SkipReason::kIllegalMove);
  EXPECT_EQ(skipped.line, 13);  // of the `done`
  EXPECT_THAT(skipped.why, HasSubstr("move 3: 'Done': wA1 to P 13: not legal"));
  EXPECT_EQ(OneSkipped(Sgf(TwoPliesAnd({"P0[5 Pass]", "P0[6 Done]"}))).reason,
            SkipReason::kIllegalMove);
  EXPECT_THAT(OneSkipped(Sgf({"P0[1 Dropb wL N 13 .]", "P0[2 Done]"})).why,
              HasSubstr("wL is not in play in Base"));
}

TEST(SgfGame, WhatCannotBeReadIsNamed) {
  EXPECT_EQ(OneSkipped("(;GM[1];B[aa])").reason, SkipReason::kNotSupported);
  EXPECT_EQ(OneSkipped(Sgf(kTwoPlies, "Hive-Ultimate")).reason, SkipReason::kNotSupported);
  EXPECT_EQ(OneSkipped(Sgf(kTwoPlies, "hive-pm2")).line, 3);
  EXPECT_EQ(OneSkipped("(;GM[27])").reason, SkipReason::kBrokenText);  // no SU
  EXPECT_EQ(OneSkipped(Sgf({})).reason, SkipReason::kNoResult);
  EXPECT_THAT(OneSkipped(Sgf({"P0[1 Dropb wS1 N]", "P0[2 Done]"})).why, HasSubstr("no cell"));
  EXPECT_THAT(OneSkipped(Sgf({"P0[1 Dropb wX1 N 13 .]"})).why, HasSubstr("unknown piece 'wX1'"));
  EXPECT_THAT(OneSkipped(Sgf({"P0[1 Dropb wS1 1A 13 .]"})).why, HasSubstr("unknown cell '1A 13'"));
  EXPECT_THAT(OneSkipped(Sgf({"P0[1 Jump wS1 N 13]"})).why, HasSubstr("unknown action"));
  EXPECT_THAT(OneSkipped("(;GM[27]\nSU[hive").why, HasSubstr("no closing bracket"));
  EXPECT_THAT(OneSkipped("(;GM[27]SU[hive]\n").why, HasSubstr("ends inside the game"));
  EXPECT_THAT(OneSkipped("(;GM[27]SU[hive](;C[a])(;C[b]))").why, HasSubstr("variations"));
}

TEST(SgfGame, SeveralGamesInAFile) {
  const std::vector<ForeignEntry> entries =
      ReadAll(Sgf(kTwoPlies) + "(;GM[27]SU[hive\n" + Sgf(kTwoPlies));
  ASSERT_EQ(entries.size(), 2U);  // the value without an end swallows up to the next bracket
  EXPECT_TRUE(std::holds_alternative<ForeignGame>(entries[0]));
  const std::vector<ForeignEntry> three =
      ReadAll(Sgf(kTwoPlies) + "(;GM[27]SU[hive]!\n" + Sgf(kTwoPlies));
  ASSERT_EQ(three.size(), 3U);
  EXPECT_TRUE(std::holds_alternative<SkippedGame>(three[1]));
  ASSERT_TRUE(std::holds_alternative<ForeignGame>(three[2]));
  EXPECT_EQ(std::get<ForeignGame>(three[2]).line, 14);
}

}  // namespace
}  // namespace apiary::train
