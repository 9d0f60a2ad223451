// Shapes at the limits of the wrapping grid: 28 pieces in a line, a hive that wanders, a stack of
// seven.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/random.h"
#include "env/movegen.h"
#include "env/notation.h"
#include "tests/env/oracle_match.h"

namespace apiary::env {
namespace {

Rules AllPieces() {
  Rules rules;
  rules.variant = Variant::FromIndex(7);
  rules.repetition = 0;
  return rules;
}

Cell At(int steps, int direction) {
  const Axial step = kAxialSteps[static_cast<std::size_t>(direction)];
  return Cell::FromAxial({steps * step.q, steps * step.r});
}

// Both sides place all their pieces in one line, White towards the back of `direction`, in the
// order of `types`.
Game Line(std::string_view types, int direction) {
  constexpr std::string_view kLetters = "QSBGAMLP";
  Game game(AllPieces());
  for (int turn = 0; turn < kPiecesPerSide; ++turn) {
    for (const Color color : {Color::kWhite, Color::kBlack}) {
      const auto type =
          static_cast<PieceType>(kLetters.find(types[static_cast<std::size_t>(turn)]));
      const Cell cell = At(color == Color::kWhite ? -turn : turn + 1, direction);
      game.Apply(Move(game.board().next_in_hand(color, type), cell));
    }
  }
  return game;
}

struct LineCase {
  const char* types;  // in order of placement; the last one lies at the free end
  int moves;          // of the end piece: all others are pinned
};
// An ant reaches all 2 * 27 + 4 empty cells around the other 27 pieces but its own. The ladybug
// comes down on four cells and its neighbour, the pillbug, throws it on two more; the pillbug
// slides to two cells and its neighbour, the mosquito, throws it there and on two more.
constexpr std::array<LineCase, 7> kLineCases = {{{"SQSBBGGGMLPAAA", 57},
                                                 {"SQSBBMLPAAAGGG", 1},
                                                 {"SQSMLPAAAGGGBB", 3},
                                                 {"BQBMLPAAAGGGSS", 2},
                                                 {"SQSBBGGGAAAMPL", 6},
                                                 {"SQSBBGGGAAALMP", 4},
                                                 {"SQSBBGGGLPAAAM", 57}}};

TEST(Shapes, TwentyEightInALineOnEveryAxis) {
  for (int direction = 0; direction < kNumDirections; ++direction) {
    for (const LineCase& line : kLineCases) {
      SCOPED_TRACE(std::string(line.types) + " direction " + std::to_string(direction));
      const Game game = Line(line.types, direction);
      ASSERT_EQ(game.board().pieces_on_board(), kNumPieces);
      EXPECT_EQ(PinnedPieces(game.board()),
                (1u << kNumPieces) - 1 - (1u << game.board().top(At(-13, direction)).index()) -
                    (1u << game.board().top(At(14, direction)).index()));
      MoveList moves;
      game.LegalMoves(moves);
      EXPECT_EQ(moves.size(), line.moves);
      for (const Move move : moves) EXPECT_EQ(move.piece(), game.board().top(At(-13, direction)));
    }
  }
}

TEST(Shapes, GrasshopperLeapsOverTwentySeven) {
  for (int direction = 0; direction < kNumDirections; ++direction) {
    Game game = Line("SQSBBMLPAAAGGG", direction);
    MoveList moves;
    game.LegalMoves(moves);
    ASSERT_EQ(moves.size(), 1);
    EXPECT_EQ(moves[0].destination(), At(15, direction));
    game.Apply(moves[0]);
    game.LegalMoves(moves);  // both ends are White's now
    ASSERT_EQ(moves.size(), 1);
    EXPECT_TRUE(moves[0].is_pass());
    const base::Result<ParsedGame> again = ParseGameString(ToGameString(game), AllPieces());
    ASSERT_TRUE(again.ok()) << again.error();
    EXPECT_EQ(again->game.board(), game.board());
  }
}

int Along(oracle::Point p, int direction) {
  // Twice the projection on the direction, in steps: the step itself counts 2, its neighbours 1.
  const Axial d = kAxialSteps[static_cast<std::size_t>(direction)];
  return 2 * (p.first * d.q + p.second * d.r) + p.first * d.r + p.second * d.q;
}

constexpr std::size_t kWanderers = 6;  // pieces placed before the hive begins to wander

// The move that brings a piece furthest forward; queens are placed as soon as may be.
oracle::Move FurthestForward(const oracle::Oracle& oracle, int direction) {
  std::optional<oracle::Move> best;
  int best_gain = 0;
  for (const oracle::Move& move : oracle.LegalMoves()) {
    if (move.pass) return move;
    const auto place = oracle.places().find(move.piece);
    const int placement_gain = oracle.places().size() >= kWanderers
                                   ? -1000
                                   : 1000 + 2 * (move.piece.type == 'Q') + (move.piece.type == 'A');
    const int gain = place == oracle.places().end()
                         ? placement_gain
                         : Along(move.to, direction) - Along(place->second, direction);
    if (!best || gain > best_gain) {
      best = move;
      best_gain = gain;
    }
  }
  return *best;
}

// Now and then another move, so that nobody blocks the way for ever; placements never after the
// first ones.
oracle::Move Wander(const oracle::Oracle& oracle, int direction, base::RandomStream& random) {
  std::vector<oracle::Move> walks;
  for (const oracle::Move& move : oracle.LegalMoves()) {
    if (oracle.places().contains(move.piece)) walks.push_back(move);
  }
  if (walks.empty() || random.Below(4) != 0) return FurthestForward(oracle, direction);
  return walks[random.Below(static_cast<std::uint32_t>(walks.size()))];
}

TEST(Shapes, AWanderingHiveWrapsRoundTheGrid) {
  for (int direction = 0; direction < kNumDirections; ++direction) {
    SCOPED_TRACE(direction);
    Rules rules;
    rules.repetition = 0;
    Game game(rules);
    oracle::Oracle oracle(testing::OracleOptions(rules));
    base::RandomStream random(1, {static_cast<std::uint64_t>(direction)});
    int furthest = 0;
    for (int ply = 0; ply < 5000 && furthest <= 2 * 32 && !game.outcome().over(); ++ply) {
      const oracle::Move move = Wander(oracle, direction, random);
      oracle.Play(move);
      game.Apply(testing::FromOracle(move));
      ASSERT_NO_FATAL_FAILURE(testing::ExpectSamePosition(game, oracle));
      furthest = 1000;
      for (const auto& [piece, place] : oracle.places())
        furthest = std::min(furthest, Along(place, direction));
    }
    EXPECT_GT(furthest, 2 * 32) << "the hive has left the grid's 32 cells behind";
  }
}

// All four beetles and both mosquitoes on the black queen; only the white queen lies beside them.
constexpr std::string_view kSevenHigh =
    "Base+M;InProgress;White[9];wM;bM -wM;wQ wM/;bQ \\bM;wB1 \\wQ;bQ /wB1;wB1 bQ;bM wB1;wB2 "
    "wM-;bB1 \\bM;wM bM;"
    "bB1 wM;wB2 wQ;bB2 /bB1;wB2 bB1;bB2 wB2";

TEST(Shapes, StackOfSeven) {
  Rules options;
  options.repetition = 0;
  base::Result<ParsedGame> parsed = ParseGameString(kSevenHigh, options);
  ASSERT_TRUE(parsed.ok()) << parsed.error();
  Game& game = parsed->game;
  const Board& board = game.board();
  const Cell stack = board.cell(ParsePiece("bQ").value());
  EXPECT_EQ(board.height(stack), 7);
  PieceId piece = board.top(stack);
  for (const char* expected : {"bB2", "wB2", "bB1", "wM", "bM", "wB1", "bQ"}) {
    EXPECT_EQ(ToString(piece), expected);
    piece = board.beneath(piece);
  }
  EXPECT_FALSE(piece.valid());
  EXPECT_EQ(board.hash(), board.RecomputeHash());
  EXPECT_EQ(board.QueenNeighbors(Color::kBlack), 1);
  // White: two steps of the queen around the stack, three types in hand on the three cells that do
  // not touch it.
  MoveList moves;
  game.LegalMoves(moves);
  EXPECT_EQ(moves.size(), 2 + 3 * 3);
  // Black, after a step of the queen: the beetle goes in all six directions, one of them onto the
  // queen.
  const Board before = board;
  ASSERT_EQ(ToString(moves[moves.size() - 1].piece()), "wQ");
  game.Apply(moves[moves.size() - 1]);
  game.LegalMoves(moves);
  EXPECT_EQ(moves.size(), 6 + 3 * 3);
  game.Undo();
  EXPECT_EQ(board, before);
  EXPECT_EQ(ToGameString(game), kSevenHigh);
}

}  // namespace
}  // namespace apiary::env
