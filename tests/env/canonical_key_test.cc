#include "env/canonical_key.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"
#include "env/notation.h"
#include "tests/env/exact_form.h"
#include "tests/env/random_positions.h"

namespace apiary::env {
namespace {

PositionKey KeyOf(std::string_view game_type, std::string_view moves) {
  return Canonicalize(PositionOf(game_type, moves).board()).key;
}

TEST(CanonicalKey, EqualUnderTheTwelveSymmetries) {
  for (const Game& game : RandomPositions(160, 11)) {
    const CanonicalPosition position = Canonicalize(game.board());
    const CanonicalPosition encoding = CanonicalizeEncoding(game);
    const PieceId mark = game.board().moved_last();
    const auto shape = testing::ExactShape(game.board(), position.symmetry, mark);
    for (int i = 0; i < kNumSymmetries; ++i) {
      const Game seen = Transform(game, Symmetry::FromIndex(i));
      const CanonicalPosition other = Canonicalize(seen.board());
      ASSERT_EQ(other.key, position.key) << ToGameString(seen);
      ASSERT_EQ(CanonicalizeEncoding(seen).key, encoding.key) << ToGameString(seen);
      const auto same =
          testing::ExactShape(seen.board(), CanonicalizeEncoding(seen).symmetry, mark);
      ASSERT_EQ(same, testing::ExactShape(game.board(), encoding.symmetry, mark));
      if (!MarkMatters(game.board(), game.board().moved_last())) continue;
      ASSERT_EQ(testing::ExactShape(seen.board(), other.symmetry, mark), shape);
    }
  }
}

// A hive longer than half of the grid, where nearest places are the wrong ones.
TEST(CanonicalKey, LinesOf28InThreeDirectionsAreOnePosition) {
  const CanonicalPosition east = Canonicalize(LineOf28(Direction::kE).board());
  for (const Direction direction : {Direction::kNE, Direction::kNW})
    EXPECT_EQ(Canonicalize(LineOf28(direction).board()).key, east.key);
  // A line is its own mirror image: of the two symmetries that do, the first.
  const auto line = testing::ExactShape(LineOf28(Direction::kE).board(), east.symmetry, kNoPiece);
  for (int i = 0; i < east.symmetry.index(); ++i)
    EXPECT_NE(
        testing::ExactShape(LineOf28(Direction::kE).board(), Symmetry::FromIndex(i), kNoPiece),
        line);
}

// Queens open, one of two copies of the hive walks away, then both play on alike.
TEST(CanonicalKey, EqualWhereTheHiveHasWalked) {
  Rules rules;
  rules.queen_first_turn = true;
  rules.variant = Variant::FromIndex(7);
  const PieceId white = PieceId::Of(Color::kWhite, PieceType::kQueen, 1);
  const PieceId black = PieceId::Of(Color::kBlack, PieceType::kQueen, 1);
  for (const int rolls : {1, 7, 29}) {
    Game game(rules), shifted(rules);
    for (Game* g : {&game, &shifted}) {
      g->Apply(Move(white, kOrigin));
      g->Apply(Move(black, Neighbor(kOrigin, Direction::kE)));
    }
    for (int i = 0; i < rolls; ++i) {
      shifted.Apply(Move(white, Neighbor(shifted.board().cell(white), Direction::kSE)));
      shifted.Apply(Move(black, Neighbor(shifted.board().cell(white), Direction::kE)));
    }
    const int step = shifted.board().cell(white).index() - game.board().cell(white).index();
    base::RandomStream random(8);
    MoveList moves;
    for (int ply = 2; ply < 70 && !game.outcome().over(); ++ply) {
      game.LegalMoves(moves);
      const Move move =
          moves[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves.size())))];
      game.Apply(move);
      shifted.Apply(move.is_pass()
                        ? move
                        : Move(move.piece(), Cell::FromIndex(move.destination().index() + step)));
      const CanonicalPosition a = Canonicalize(game.board()), b = Canonicalize(shifted.board());
      ASSERT_EQ(a.key, b.key) << ToGameString(game);
      ASSERT_EQ(a.symmetry, b.symmetry) << ToGameString(game);
    }
  }
}

constexpr std::string_view kRow = "wS1;bS1 wS1-;wQ -wS1;bQ bS1-";

TEST(CanonicalKey, MoveOrderAndPieceNumbersDoNotMatter) {
  const std::string row(kRow);
  const PositionKey key = KeyOf("Base", row + ";wA1 -wQ;bA1 bQ-;wA2 \\wQ;bA2 bQ/");
  EXPECT_EQ(KeyOf("Base", row + ";wA1 \\wQ;bA1 bQ/;wA2 -wQ;bA2 bQ-"), key);
  EXPECT_EQ(KeyOf("Base", row + ";wA1 \\wQ;bA1 bQ-;wA2 -wQ;bA2 bQ/"), key);
  // A step that is taken back, where no pillbug is: nothing is left of it.
  EXPECT_EQ(KeyOf("Base", row + ";wQ \\wS1;bQ bS1\\;wQ -wS1;bQ bS1-"), KeyOf("Base", row));
}

// Black began, and its ant took three steps where White's took two.
TEST(CanonicalKey, WhoBeganDoesNotMatterOnceTheQueensAreThere) {
  EXPECT_EQ(KeyOf("Base",
                  "bS1;wS1 -bS1;bQ bS1-;wQ -wS1;bA1 bQ-;wA1 -wQ;bA1 bQ/;wA1 /wQ;bA1 bQ\\;"
                  "wA1 -wQ;bA1 bQ-"),
            KeyOf("Base", std::string(kRow) + ";wA1 -wQ;bA1 bQ-"));
}

TEST(CanonicalKey, SideToMoveMatters) {
  EXPECT_NE(KeyOf("Base", "bS1;wS1 -bS1;bQ bS1-;wQ -wS1"), KeyOf("Base", kRow));
}

TEST(CanonicalKey, TypeColorAndVariantMatter) {
  const std::string row(kRow);
  EXPECT_NE(KeyOf("Base", row + ";wA1 -wQ"), KeyOf("Base", row + ";wG1 -wQ"));
  EXPECT_NE(KeyOf("Base", "wS1"), KeyOf("Base", "bS1"));
  EXPECT_NE(KeyOf("Base", "wS1;bG1 wS1-"), KeyOf("Base", "wG1;bS1 wG1-"));
  std::set<PositionKey> keys;
  for (const Variant variant : AllVariants()) keys.insert(KeyOf(ToString(variant), kRow));
  EXPECT_EQ(keys.size(), 8U);
}

TEST(CanonicalKey, OrderInAStackMatters) {
  const std::string opening = "wG1;bG1 wG1-;wQ -wG1;bQ bG1-;wB1 \\wG1;bB1 bG1\\;wA1 -wQ;bB1 wG1\\";
  const Game black_on_top = PositionOf("Base", opening + ";wB1 wG1;bB1 wB1");
  const Game white_on_top =
      PositionOf("Base", opening + ";wA1 /wQ;bB1 wG1;wB1 bB1;bQ bG1/;wA1 -wQ;bQ bG1-");
  EXPECT_EQ(black_on_top.board().occupied(), white_on_top.board().occupied());
  EXPECT_NE(Canonicalize(black_on_top.board()).key, Canonicalize(white_on_top.board()).key);
}

// Black's ant came to White's pillbug with its last move, or earlier and the queen moved last.
TEST(CanonicalKey, MarkMattersWhereAPillbugWouldThrowThePiece) {
  const auto ant_moved = [](std::string_view first) {
    return fmt::format("{0};bG1 {0}-;wQ -{0};bQ bG1-;wA1 -wQ;bA1 bQ-;wA1 /wQ;bA1 {0}\\", first);
  };
  const std::string_view queen_moved = ";wA1 -wQ;bQ bG1/;wA1 /wQ;bQ bG1-";
  for (const std::string_view first : {"wP", "wS1"}) {
    const Game a = PositionOf("Base+P", ant_moved(first));
    const Game b = PositionOf("Base+P", ant_moved(first).append(queen_moved));
    EXPECT_EQ(a.board().hash(), b.board().hash());
    EXPECT_EQ(MarkMatters(a.board(), a.board().moved_last()), first == "wP");
    EXPECT_FALSE(MarkMatters(b.board(), b.board().moved_last()));
    const bool same = Canonicalize(a.board()).key == Canonicalize(b.board()).key;
    EXPECT_EQ(same, first != "wP");
  }
}

TEST(CanonicalKey, TurnsMatterWhileTheQueenIsInHand) {
  Rules tournament, open;
  open.queen_first_turn = true;
  Game a(tournament), b(open);
  const auto key = [](const Game& game) { return Canonicalize(game.board()).key; };
  EXPECT_NE(key(a), key(b));
  for (const char* text : {"wS1", "bS1 wS1-"}) {
    const bool first = a.ply() == 0;
    for (Game* game : {&a, &b}) game->Apply(ParseMove(*game, text).value());
    EXPECT_EQ(key(a) == key(b), !first);  // both have had their first turn
  }
}

TEST(CanonicalKey, AgreesWithTheExactFormOnEveryChild) {
  std::map<PositionKey, std::vector<std::uint32_t>> form_of;
  std::map<std::vector<std::uint32_t>, PositionKey> key_of;
  for (const Game& game : RandomPositions(160, 12)) {
    Board board = game.board();
    MoveList moves;
    GenerateLegalMoves(board, moves);
    for (const Move move : moves) {
      const Undo undo = board.Apply(move);
      const PositionKey key = Canonicalize(board).key;
      const std::vector<std::uint32_t> form = testing::ExactForm(board);
      ASSERT_EQ(form_of.emplace(key, form).first->second, form) << ToGameString(game);
      ASSERT_EQ(key_of.emplace(form, key).first->second, key) << ToGameString(game);
      board.Undo(undo);
    }
  }
  EXPECT_GT(form_of.size(), 2000U);
}

TEST(MarkMatters, AgreesWithTheMovesWithAndWithoutTheMark) {
  base::RandomStream random(13);
  int matters = 0, own = 0, positions = 0;
  for (int index = 4; index < 8; ++index) {  // the variants with the pillbug
    Rules rules;
    rules.variant = Variant::FromIndex(index);
    rules.repetition = 0;
    for (int g = 0; g < 40; ++g) {
      Game game(rules);
      MoveList moves;
      for (int ply = 0; ply < 120 && !game.outcome().over(); ++ply) {
        game.LegalMoves(moves);
        const auto draw = [&] {
          return moves[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves.size())))];
        };
        Move move = draw();
        // Throws are rare among all moves.
        for (int i = 0; i < 6 && (move.is_pass() || move.piece().color() == game.side_to_move());
             ++i)
          move = draw();
        game.Apply(move);
        const Board& board = game.board();
        const bool changes =
            CountMovesWithMark(board, board.moved_last()) != CountMovesWithMark(board, kNoPiece);
        ASSERT_EQ(MarkMatters(board, board.moved_last()), changes) << ToGameString(game);
        ++positions;
        if (!changes) continue;
        ++(board.moved_last().color() == board.side_to_move() ? own : matters);
      }
    }
  }
  EXPECT_GT(positions, 10'000);
  EXPECT_GT(matters, 300);
  EXPECT_GT(own, 300);
}

}  // namespace
}  // namespace apiary::env
