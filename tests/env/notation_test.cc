// UHP strings: strict writing, lenient reading, whole games there and back.
#include "env/notation.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace apiary::env {
namespace {

Game Parse(std::string_view text, const Rules& options = {}) {
  base::Result<ParsedGame> parsed = ParseGameString(text, options);
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error()) << "\n" << text;
  return parsed.ok() ? std::move(parsed->game) : Game(options);
}

// The move that `text` means, written strictly.
std::string Strictly(const Game& game, std::string_view text) {
  const base::Result<Move> move = ParseMove(game, text);
  return move.ok() ? MoveToString(game.board(), *move) : move.error();
}

TEST(PieceNames, AllTwentyEightThereAndBack) {
  const std::array<const char*, 14> names = {"Q",  "S1", "S2", "B1", "B2", "G1", "G2",
                                             "G3", "A1", "A2", "A3", "M",  "L",  "P"};
  for (int i = 0; i < kNumPieces; ++i) {
    const PieceId piece = PieceId::FromIndex(i);
    const std::string name =
        fmt::format("{}{}", i < 14 ? "w" : "b", names[static_cast<std::size_t>(i % 14)]);
    EXPECT_EQ(ToString(piece), name);
    EXPECT_EQ(ParsePiece(name).value(), piece);
  }
}

TEST(PieceNames, LenientAndWrong) {
  EXPECT_EQ(ParsePiece("wM1").value(), ParsePiece("wM").value());
  EXPECT_EQ(ParsePiece("BQ1").value(), ParsePiece("bQ").value());
  EXPECT_EQ(ParsePiece("Wa3").value(), ParsePiece("wA3").value());
  for (const char* wrong :
       {"", "w", "wA", "wA4", "wA0", "wS3", "wM2", "xA1", "wX1", "wA11", "w1A", " wA1", "wA-"}) {
    const base::Result<PieceId> result = ParsePiece(wrong);
    ASSERT_FALSE(result.ok()) << wrong;
    EXPECT_EQ(result.error(), fmt::format("unknown piece '{}'", wrong));
  }
}

TEST(Writing, FirstMoveIsThePieceAlone) {
  const Game game;
  EXPECT_EQ(Strictly(game, "wG1"), "wG1");
  EXPECT_EQ(ToGameString(game), "Base;NotStarted;White[1]");
}

TEST(Writing, EveryDirection) {
  const Game game = Parse("Base;InProgress;Black[1];wS1");
  const std::array<std::pair<const char*, Direction>, 6> directions = {
      {{"bA1 wS1-", Direction::kE},
       {"bA1 wS1/", Direction::kNE},
       {"bA1 \\wS1", Direction::kNW},
       {"bA1 -wS1", Direction::kW},
       {"bA1 /wS1", Direction::kSW},
       {"bA1 wS1\\", Direction::kSE}}};
  for (const auto& [text, direction] : directions) {
    const base::Result<Move> move = ParseMove(game, text);
    ASSERT_TRUE(move.ok()) << move.error();
    EXPECT_EQ(move->destination(), Neighbor(kOrigin, direction)) << text;
    EXPECT_EQ(MoveToString(game.board(), *move), text);
  }
}

TEST(Writing, ReferenceIsTheFirstNeighbourInTheFixedOrder) {
  // The cell north of the two spiders has wS1 to its SW and bS1 to its SE: SE comes first.
  Game game = Parse("Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-");
  // wA1 to the cell NW of wQ: its only neighbour is wQ, to the SE.
  EXPECT_EQ(Strictly(game, "wA1 \\wQ"), "wA1 \\wQ");
  // The queen's step to the cell NE of itself touches wS1 (SE) and, with the mover lifted, nothing
  // else.
  EXPECT_EQ(Strictly(game, "wQ wQ/"), "wQ \\wS1");
  game = Parse("Base;InProgress;White[4];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 /wQ;bA1 bQ\\");
  // wA1 to the cell between and above wS1 (SW) and bS1 (SE): SE precedes SW.
  EXPECT_EQ(Strictly(game, "wA1 wS1/"), "wA1 \\bS1");
  // ... and below them: NW (wS1) precedes NE (bS1).
  EXPECT_EQ(Strictly(game, "wA1 /bS1"), "wA1 wS1\\");
}

TEST(Writing, MoverIsLiftedFromItsStack) {
  // White's beetle sits on the white queen and comes down to the west: the reference is the queen
  // it leaves.
  const Game game =
      Parse("Base;InProgress;White[5];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 -wQ;bA1 bQ-;wB1 wQ;bA1 bQ/");
  EXPECT_EQ(ToString(game.board().top(game.board().cell(ParsePiece("wQ").value()))), "wB1");
  EXPECT_EQ(Strictly(game, "wB1 -wQ"), "wB1 -wQ");
  EXPECT_EQ(Strictly(game, "wB1 -wB1"), "wB1 -wQ");  // the mover itself as reference
  EXPECT_EQ(Strictly(game, "wB1 wS1"), "wB1 wS1");   // level
  EXPECT_EQ(Strictly(game, "wB1 wQ-"),
            "wB1 wS1");  // a direction onto an occupied cell; a covered reference
  EXPECT_EQ(Strictly(game, "wA1 \\wQ"), "wA1 \\wB1");  // written by the stack's top piece
}

TEST(Reading, LenientForms) {
  const Game game = Parse("Base+MLP;InProgress;White[3];wL;bL wL-;wQ -wL;bQ bL-");
  EXPECT_EQ(Strictly(game, "WM1 -WQ1"), "wM -wQ");
  EXPECT_EQ(Strictly(game, "  wm \t -wq \r"), "wM -wQ");
  EXPECT_EQ(Strictly(game, "wQ wQ/"), "wQ \\wL");  // by the mover's own cell
  EXPECT_EQ(Strictly(game, "wL1 wL\\"), "'wL1 wL\\': not legal in this position");  // pinned
  const Game pass = Parse(
      "Base;InProgress;White[7];wA1;bS1 wA1-;wQ -wA1;bQ bS1/;wQ \\wA1;bA1 bS1\\;wQ -wA1;bA2 "
      "bQ\\;wQ \\wA1;"
      "bA1 \\wQ;wG1 /wQ;bA2 /wG1");
  EXPECT_EQ(Strictly(pass, "PASS"), "pass");
}

TEST(Reading, NokamuteNamesTheMoverItself) {
  const Game game = Parse("Base+L;InProgress;White[4];wL;bS1 wL-;wQ /wL;bQ bS1-;wA1 \\wL;bA1 bQ-");
  const Cell below = Neighbor(game.board().cell(ParsePiece("wL").value()), Direction::kSE);
  MoveList moves;
  game.LegalMoves(moves);
  const Move move(ParsePiece("wQ").value(), below);
  ASSERT_TRUE(moves.Contains(move));
  EXPECT_EQ(ParseMove(game, "wQ wQ-").value(), move);
}

TEST(GameStrings, LenientFields) {
  EXPECT_EQ(ToGameString(Parse("base+PM")), "Base+MP;NotStarted;White[1]");
  const base::Result<ParsedGame> parsed =
      ParseGameString(" base+lm ; whitewins ; white[99] ; WS1 ; bs1 WS1- ;\r\n", {});
  ASSERT_TRUE(parsed.ok()) << parsed.error();
  EXPECT_EQ(parsed->claimed_state, "whitewins");
  EXPECT_EQ(ToGameString(parsed->game), "Base+ML;InProgress;White[2];wS1;bS1 wS1-");
}

TEST(GameStrings, OptionsAreKept) {
  Rules options;
  options.repetition = 5;
  options.max_plies = 77;
  options.variant = Variant::FromIndex(7);
  const Game game = Parse("Base+M", options);
  EXPECT_EQ(game.rules().repetition, 5);
  EXPECT_EQ(game.rules().max_plies, 77);
  EXPECT_EQ(ToString(game.rules().variant), "Base+M");
}

TEST(GameStrings, GameBegunByBlack) {
  for (const char* text :
       {"Base;NotStarted;Black[1]", "Base;InProgress;White[1];bS1",
        "Base;InProgress;Black[2];bS1;wS1 bS1-", "Base;InProgress;White[2];bS1;wS1 bS1-;bQ -bS1"}) {
    const Game game = Parse(text);
    EXPECT_EQ(game.rules().first_player, Color::kBlack);
    EXPECT_EQ(ToGameString(game), text);
  }
  Rules black;
  black.first_player = Color::kBlack;
  EXPECT_EQ(ToGameString(Parse("Base", black)), "Base;NotStarted;Black[1]");
  EXPECT_EQ(Parse("Base;InProgress;Black[1];wS1", black).rules().first_player, Color::kWhite);
}

TEST(GameStrings, PiecesOutOfNumberOrderAreRenumbered) {
  // wA3 is the first white ant, bG2 the first black grasshopper, wA1 the second white ant.
  const Game game = Parse(
      "Base;InProgress;White[5];wA3;bG2 wA3-;wQ -wA3;bQ bG2-;wA1 -wQ;bG1 bQ-;wA1 \\wQ;bG1 -wQ");
  EXPECT_EQ(
      ToGameString(game),
      "Base;InProgress;White[5];wA1;bG1 wA1-;wQ -wA1;bQ bG1-;wA2 -wQ;bG2 bQ-;wA2 \\wQ;bG2 /wA2");
}

TEST(GameStrings, RandomGamesThereAndBack) {
  for (const Variant variant : AllVariants()) {
    Rules rules;
    rules.variant = variant;
    base::RandomStream random(11, {static_cast<std::uint64_t>(variant.index())});
    for (int g = 0; g < 5; ++g) {
      Game game(rules);
      for (int ply = 0; ply < 120 && !game.outcome().over(); ++ply) {
        MoveList moves;
        game.LegalMoves(moves);
        for (const Move move : moves) {
          const std::string text = MoveToString(game.board(), move);
          const base::Result<Move> read = ParseMove(game, text);
          ASSERT_TRUE(read.ok()) << read.error() << "\n" << ToGameString(game);
          ASSERT_EQ(*read, move) << text << "\n" << ToGameString(game);
          if (ply > 30) break;  // all moves of the opening, one a ply later
        }
        game.Apply(moves[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves.size())))]);
      }
      const std::string text = ToGameString(game);
      const Game again = Parse(text);
      ASSERT_TRUE(std::equal(game.moves().begin(), game.moves().end(), again.moves().begin(),
                             again.moves().end()));
      EXPECT_EQ(again.outcome(), game.outcome());
      EXPECT_EQ(ToGameString(again), text);
    }
  }
}

}  // namespace
}  // namespace apiary::env
