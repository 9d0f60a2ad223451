// Variants, each rules option, and the ways a game ends (repetition: rules_repetition_test.cc).
#include "env/rules.h"

#include <gtest/gtest.h>

#include "env/game.h"
#include "env/notation.h"
#include "tests/env/rules_data.h"

namespace apiary::env {
namespace {

bool MayPlace(const Game& game, PieceType type) {
  MoveList moves;
  game.LegalMoves(moves);
  for (const Move move : moves) {
    if (!move.is_pass() && move.piece().type() == type && game.board().in_hand(move.piece()))
      return true;
  }
  return false;
}

int LegalMoveCount(const Game& game) {
  MoveList moves;
  game.LegalMoves(moves);
  return moves.size();
}

Game Parse(std::string_view text, const Rules& options) {
  base::Result<ParsedGame> parsed = ParseGameString(text, options);
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error());
  return parsed.ok() ? std::move(parsed->game) : Game(options);
}

TEST(Variants, TextBothWays) {
  const std::array<const char*, 8> names = {"Base",   "Base+M",  "Base+L",  "Base+ML",
                                            "Base+P", "Base+MP", "Base+LP", "Base+MLP"};
  for (int i = 0; i < 8; ++i) {
    const char* name = names[static_cast<std::size_t>(i)];
    const Variant variant = Variant::FromIndex(i);
    EXPECT_EQ(variant.index(), i);
    EXPECT_EQ(ToString(variant), name);
    EXPECT_EQ(AllVariants()[static_cast<std::size_t>(i)], variant);
    EXPECT_EQ(ParseVariant(name).value(), variant);
  }
  EXPECT_EQ(ToString(ParseVariant("base+plm").value()), "Base+MLP");
  EXPECT_EQ(ToString(ParseVariant("BASE+Pm").value()), "Base+MP");
  for (const char* wrong :
       {"", "Bas", "Basement", "Base+", "Base+X", "Base+MM", "Base M", "Base+M ", "+M", "Base-M"}) {
    const base::Result<Variant> result = ParseVariant(wrong);
    ASSERT_FALSE(result.ok()) << wrong;
    EXPECT_NE(result.error().find("unknown game type"), std::string::npos) << result.error();
  }
}

TEST(Variants, NamesOfOneOrOfAll) {
  EXPECT_EQ(ParseVariants("Base+L").value(), std::vector<Variant>{ParseVariant("Base+L").value()});
  EXPECT_EQ(ParseVariants("all").value().size(), 8U);
  EXPECT_FALSE(ParseVariants("ALL").ok());
  for (const Variant variant : AllVariants()) {
    EXPECT_TRUE(IsOneOf(variant, "all"));
    EXPECT_EQ(IsOneOf(variant, "base+pm"), ToString(variant) == "Base+MP");
    EXPECT_FALSE(IsOneOf(variant, ""));
  }
}

TEST(Variants, PiecesInPlay) {
  EXPECT_EQ(CountInVariant(PieceType::kAnt, {}), 3);
  EXPECT_EQ(CountInVariant(PieceType::kMosquito, {}), 0);
  EXPECT_EQ(CountInVariant(PieceType::kPillbug, ParseVariant("Base+P").value()), 1);
}

TEST(Outcomes, Text) {
  EXPECT_EQ(ToString(Result::kInProgress), "InProgress");
  EXPECT_EQ(ToString(Result::kWhiteWins), "WhiteWins");
  EXPECT_EQ(ToString(Result::kBlackWins), "BlackWins");
  EXPECT_EQ(ToString(Result::kDraw), "Draw");
  EXPECT_EQ(ToString(Result::kUnfinished), "Unfinished");
  EXPECT_EQ(ToString(Reason::kNone), "none");
  EXPECT_EQ(ToString(Reason::kSurround), "surround");
  EXPECT_EQ(ToString(Reason::kBoth), "both");
  EXPECT_EQ(ToString(Reason::kRepetition), "repetition");
  EXPECT_EQ(ToString(Reason::kCap), "cap");
}

TEST(QueenFirstTurn, OffByDefaultForBothPlayers) {
  Game game;
  EXPECT_FALSE(MayPlace(game, PieceType::kQueen));
  EXPECT_EQ(LegalMoveCount(game), 4);
  game = Parse("Base;InProgress;Black[1];wS1", {});
  EXPECT_FALSE(MayPlace(game, PieceType::kQueen));
  EXPECT_EQ(LegalMoveCount(game), 6 * 4);
  game = Parse("Base;InProgress;White[2];wS1;bS1 wS1-", {});
  EXPECT_TRUE(MayPlace(game, PieceType::kQueen));
}

TEST(QueenFirstTurn, AllowedByTheOption) {
  Rules rules;
  rules.queen_first_turn = true;
  EXPECT_EQ(LegalMoveCount(Game(rules)), 5);
  const Game game = Parse("Base;InProgress;Black[1];wQ", rules);
  EXPECT_TRUE(MayPlace(game, PieceType::kQueen));
  EXPECT_EQ(LegalMoveCount(game), 6 * 5);
  // A queen that lies on the board moves from the second turn on: two steps beside the ones of
  // placements.
  const Game second = Parse("Base;InProgress;White[2];wQ;bQ wQ-", rules);
  EXPECT_EQ(LegalMoveCount(second), 4 * 3 + 2);
}

TEST(QueenDeadline, FourthTurnForcesTheQueen) {
  const Game third = Parse("Base;InProgress;White[3];wS1;bS1 wS1-;wS2 -wS1;bS2 bS1-", {});
  EXPECT_TRUE(MayPlace(third, PieceType::kAnt));
  const Game fourth =
      Parse("Base;InProgress;White[4];wS1;bS1 wS1-;wS2 -wS1;bS2 bS1-;wA1 -wS2;bA1 bS2-", {});
  EXPECT_TRUE(MayPlace(fourth, PieceType::kQueen));
  for (const PieceType type : {PieceType::kAnt, PieceType::kBeetle, PieceType::kGrasshopper}) {
    EXPECT_FALSE(MayPlace(fourth, type));
  }
  MoveList moves;
  fourth.LegalMoves(moves);
  EXPECT_EQ(moves.size(),
            7);  // the free cells round three white pieces in a line that do not touch Black
}

TEST(QueenInHand, OnlyPlacements) {
  const Game game = Parse("Base;InProgress;White[3];wA1;bA1 wA1-;wA2 -wA1;bQ bA1-", {});
  MoveList moves;
  game.LegalMoves(moves);
  for (const Move move : moves) EXPECT_TRUE(game.board().in_hand(move.piece()));
}

TEST(FirstPlayer, Black) {
  Rules rules;
  rules.first_player = Color::kBlack;
  Game game(rules);
  EXPECT_EQ(game.side_to_move(), Color::kBlack);
  EXPECT_EQ(ToGameString(game), "Base;NotStarted;Black[1]");
  EXPECT_NE(game.board().hash(), Game().board().hash());
  game = Parse("Base;InProgress;Black[2];bS1;wS1 bS1-", rules);
  EXPECT_EQ(game.side_to_move(), Color::kBlack);
  EXPECT_EQ(game.board().turns_taken(Color::kBlack), 1);
  EXPECT_EQ(ToGameString(game), "Base;InProgress;Black[2];bS1;wS1 bS1-");
  Board board(rules);
  EXPECT_EQ(Perft(board, 4), 21600u);  // as if White began
}

TEST(LengthCap, UnfinishedIsNotADraw) {
  Rules rules;
  rules.max_plies = 3;
  Game game = Parse("Base;InProgress;Black[2];wS1;bS1 wS1-;wQ -wS1", rules);
  EXPECT_EQ(game.outcome(), (Outcome{Result::kUnfinished, Reason::kCap}));
  EXPECT_TRUE(game.outcome().over());
  EXPECT_FALSE(game.outcome().decisive());
  EXPECT_EQ(LegalMoveCount(game), 0);
  EXPECT_EQ(ToGameString(game), "Base;InProgress;Black[2];wS1;bS1 wS1-;wQ -wS1");
  game.Undo();
  EXPECT_FALSE(game.outcome().over());
  EXPECT_GT(LegalMoveCount(game), 0);
}

TEST(Surround, BothQueensAtOnceIsADraw) {
  const Game game = testing::Replay(testing::FileRow("tricky-positions.tsv", "B32")[1]);
  EXPECT_EQ(game.outcome(), (Outcome{Result::kDraw, Reason::kBoth}));
  EXPECT_EQ(game.board().QueenNeighbors(Color::kWhite), 6);
  EXPECT_EQ(game.board().QueenNeighbors(Color::kBlack), 6);
  EXPECT_EQ(LegalMoveCount(game), 0);
}

// Black's queen steps into the last free cell beside White's pieces and its own, and is surrounded
// there.
constexpr std::string_view kOwnSurround =
    "Base+P;WhiteWins;White[6];wS1;bP wS1-;wQ \\wS1;bB1 bP/;wG1 \\wQ;bG1 bP\\;wP wG1-;bQ bP-;wG1 "
    "wP-;bQ wQ-";

TEST(Surround, OneCanLoseByOnesOwnMove) {
  Game game = Parse(kOwnSurround, {});
  EXPECT_EQ(game.outcome(), (Outcome{Result::kWhiteWins, Reason::kSurround}));
  EXPECT_TRUE(game.outcome().decisive());
  const Move last = game.moves().back();
  game.Undo();
  EXPECT_EQ(game.side_to_move(), Color::kBlack);
  EXPECT_EQ(ResultAfter(game.board(), last), Result::kWhiteWins);
}

TEST(Surround, BeatsTheLengthCap) {
  Rules rules;
  rules.max_plies = 10;
  EXPECT_EQ(Parse(kOwnSurround, rules).outcome(), (Outcome{Result::kWhiteWins, Reason::kSurround}));
}

TEST(Pass, IsForcedAndExplicit) {
  Game game = Parse(
      "Base;InProgress;White[7];wA1;bS1 wA1-;wQ -wA1;bQ bS1/;wQ \\wA1;bA1 bS1\\;wQ -wA1;bA2 "
      "bQ\\;wQ \\wA1;"
      "bA1 \\wQ;wG1 /wQ;bA2 /wG1",
      {});
  MoveList moves;
  game.LegalMoves(moves);
  ASSERT_EQ(moves.size(), 1);
  EXPECT_TRUE(moves[0].is_pass());
  EXPECT_EQ(ResultAfter(game.board(), moves[0]), Result::kInProgress);
  const Board before = game.board();
  game.Apply(moves[0]);
  EXPECT_EQ(game.side_to_move(), Color::kBlack);
  EXPECT_EQ(game.ply(), 13);
  EXPECT_FALSE(game.board().moved_last().valid());
  EXPECT_NE(game.board().hash(), before.hash());
  EXPECT_EQ(game.board().hash(), game.board().RecomputeHash());
  game.Undo();
  EXPECT_EQ(game.board(), before);
  // And never where a move exists.
  EXPECT_FALSE(ParseMove(Game(), "pass").ok());
}

}  // namespace
}  // namespace apiary::env
