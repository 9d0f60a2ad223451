// Contracts of Board and of move generation on random games: undo, hash, order of moves, quick ends
// of the game.
#include "env/board.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "env/movegen.h"
#include "env/notation.h"

namespace apiary::env {
namespace {

// Calls visit(game) for every position of some random games of every variant.
template <typename Visit>
void ForEachRandomPosition(int games, int plies, Visit visit) {
  for (const Variant variant : AllVariants()) {
    Rules rules;
    rules.variant = variant;
    rules.repetition = 0;
    for (int g = 0; g < games; ++g) {
      base::RandomStream random(
          1, {static_cast<std::uint64_t>(variant.index()), static_cast<std::uint64_t>(g)});
      Game game(rules);
      for (int ply = 0; ply <= plies && !game.outcome().over(); ++ply) {
        visit(game);
        if (::testing::Test::HasFatalFailure()) return;
        MoveList moves;
        game.LegalMoves(moves);
        game.Apply(moves[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves.size())))]);
      }
    }
  }
}

Game After(std::string_view text) {
  base::Result<ParsedGame> parsed = ParseGameString(text, {});
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error());
  return std::move(parsed->game);
}

TEST(Board, Empty) {
  Rules rules;
  rules.variant = Variant::FromIndex(7);
  const Board board(rules);
  EXPECT_EQ(board.ply(), 0);
  EXPECT_EQ(board.side_to_move(), Color::kWhite);
  EXPECT_EQ(board.pieces_on_board(), 0);
  EXPECT_EQ(board.hash(), board.RecomputeHash());
  EXPECT_FALSE(board.moved_last().valid());
  EXPECT_FALSE(board.SurroundOutcome().over());
  EXPECT_EQ(PinnedPieces(board), 0u);
  for (int c = 0; c < kNumCells; ++c) {
    EXPECT_EQ(board.height(Cell::FromIndex(c)), 0);
    EXPECT_FALSE(board.top(Cell::FromIndex(c)).valid());
    EXPECT_EQ(board.OccupiedNeighbors(Cell::FromIndex(c)), 0);
  }
  int in_hand = 0;
  for (int t = 0; t < kNumPieceTypes; ++t)
    in_hand += board.hand_count(Color::kBlack, static_cast<PieceType>(t));
  EXPECT_EQ(in_hand, kPiecesPerSide);
  MoveList moves;
  GenerateLegalMoves(board, moves);
  EXPECT_EQ(moves.size(), 7);  // one of each type but the queen, at the origin
  for (const Move move : moves) EXPECT_EQ(move.destination(), kOrigin);
}

TEST(Board, HandsAndTurns) {
  const Board board = After("Base+L;InProgress;White[3];wA1;bL wA1-;wQ -wA1;bQ bL-").board();
  EXPECT_EQ(board.hand_count(Color::kWhite, PieceType::kAnt), 2);
  EXPECT_EQ(board.hand_count(Color::kWhite, PieceType::kMosquito), 0);  // not in this variant
  EXPECT_EQ(board.hand_count(Color::kWhite, PieceType::kLadybug), 1);
  EXPECT_EQ(board.hand_count(Color::kBlack, PieceType::kLadybug), 0);
  EXPECT_EQ(board.next_in_hand(Color::kWhite, PieceType::kAnt), ParsePiece("wA2").value());
  EXPECT_FALSE(board.next_in_hand(Color::kBlack, PieceType::kLadybug).valid());
  EXPECT_FALSE(board.next_in_hand(Color::kBlack, PieceType::kPillbug).valid());
  EXPECT_EQ(board.turns_taken(Color::kWhite), 2);
  EXPECT_EQ(board.turns_taken(Color::kBlack), 2);
  EXPECT_EQ(board.QueenNeighbors(Color::kWhite), 1);
}

TEST(Board, UndoRestoresEverythingAfterEveryMove) {
  ForEachRandomPosition(3, 80, [](const Game& game) {
    Board board = game.board();
    MoveList moves;
    game.LegalMoves(moves);
    for (const Move move : moves) {
      const Undo undo = board.Apply(move);
      ASSERT_EQ(board.hash(), board.RecomputeHash());
      ASSERT_EQ(board.ply(), game.ply() + 1);
      board.Undo(undo);
      ASSERT_EQ(board, game.board()) << ToGameString(game) << "  " << MoveToString(board, move);
    }
  });
}

TEST(Board, HashKnowsTypesNotNumbers) {
  // The same position, reached with the two white spiders in each other's place.
  const Game a = After("Base;InProgress;White[4];wS1;bG1 wS1-;wQ -wS1;bQ bG1-;wS2 -wQ;bG2 bQ-");
  const Game b = After("Base;InProgress;White[4];wS1;bG1 wS1-;wQ -wS1;bG2 bG1-;wS2 -wQ;bQ bG2-");
  EXPECT_NE(a.board().hash(), b.board().hash());  // queen and grasshopper swapped
  Board forward = After("Base;InProgress;Black[3];wA1;bG1 wA1-;wQ -wA1;bQ bG1-;wA2 -wQ").board();
  Board crossed = forward;
  // wA2 to where wA1 would go and the other way round, with a black move to and fro in between.
  const auto play = [](Board& board, std::initializer_list<Move> moves) {
    for (const Move move : moves) board.Apply(move);
  };
  const PieceId ant = ParsePiece("wA2").value();
  const PieceId queen = ParsePiece("bQ").value();
  const Cell home = forward.cell(ant);
  const Cell queen_home = forward.cell(queen);
  const std::uint64_t before = forward.hash();
  const Cell above = Neighbor(forward.cell(ParsePiece("bG1").value()), Direction::kNE);
  play(forward, {Move(queen, above),
                 Move(ant, Neighbor(forward.cell(ParsePiece("wQ").value()), Direction::kSW)),
                 Move(queen, queen_home), Move(ant, home)});
  EXPECT_EQ(forward.hash(), before);
  EXPECT_NE(forward.moved_last(), crossed.moved_last());  // the mark is not in the hash
  crossed.Apply(Move(queen, above));
  EXPECT_NE(crossed.hash(), before);
}

TEST(Board, NumbersOfEqualPiecesAreInterchangeable) {
  // White's ants change places; everything else is as before.
  const Game before =
      After("Base;InProgress;Black[4];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 \\wQ;bA1 bQ/;wA2 /wQ");
  const Game after = After(
      "Base;InProgress;Black[7];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 \\wQ;bA1 bQ/;wA2 /wQ;bA1 bQ\\;wA1 "
      "-wQ;bA1 bQ-;"
      "wA2 \\wQ;bA1 bQ/;wA1 /wQ");
  EXPECT_NE(before.board().cell(ParsePiece("wA1").value()),
            after.board().cell(ParsePiece("wA1").value()));
  EXPECT_EQ(before.board().hash(), after.board().hash());
  EXPECT_EQ(after.occurrences(), 2);
}

TEST(MoveGeneration, ShuffledMovesSortIntoTheCanonicalOrder) {
  base::RandomStream random(5);
  ForEachRandomPosition(2, 80, [&](const Game& game) {
    MoveList moves;
    game.LegalMoves(moves);
    MoveList shuffled = moves;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    SortCanonically(game.board(), shuffled);
    ASSERT_TRUE(std::equal(moves.begin(), moves.end(), shuffled.begin(), shuffled.end()))
        << ToGameString(game);
    for (int i = 1; i < moves.size(); ++i) ASSERT_NE(moves[i - 1], moves[i]);
  });
}

TEST(MoveGeneration, OrderIsPlacementsByTypeThenSourceThenDestination) {
  const Game game = After("Base;InProgress;White[3];wA1;bG1 wA1-;wQ -wA1;bQ bG1-");
  MoveList moves;
  game.LegalMoves(moves);
  const auto key = [&](Move move) {
    const Cell from = game.board().cell(move.piece());
    return std::tuple(from.valid() ? 1 : 0,
                      from.valid() ? from.index() : static_cast<int>(move.piece().type()),
                      move.destination().index());
  };
  ASSERT_GT(moves.size(), 10);
  for (int i = 1; i < moves.size(); ++i) EXPECT_LT(key(moves[i - 1]), key(moves[i]));
}

TEST(MoveGeneration, ResultAfterAndWinInOneAgreeWithPlaying) {
  int wins = 0;
  ForEachRandomPosition(6, 200, [&](const Game& game) {
    MoveList moves;
    game.LegalMoves(moves);
    const Result win =
        game.side_to_move() == Color::kWhite ? Result::kWhiteWins : Result::kBlackWins;
    int first_win = -1;
    for (int i = 0; i < moves.size(); ++i) {
      Board board = game.board();
      board.Apply(moves[i]);
      const Result expected = board.SurroundOutcome().result;
      ASSERT_EQ(ResultAfter(game.board(), moves[i]), expected) << ToGameString(game);
      if (expected == win && first_win < 0) first_win = i;
    }
    ASSERT_EQ(FindWinInOne(game.board(), moves), first_win) << ToGameString(game);
    wins += first_win >= 0;
  });
  EXPECT_GT(wins, 10);
}

TEST(MoveGeneration, MarkMattersOnlyWhereAThrowOrMoveDependsOnIt) {
  // Black's ladybug has just come next to White's pillbug: unmarked it could be thrown.
  const Game thrown = After("Base+LP;InProgress;White[4];wP;bL wP-;wQ /wP;bQ bL-;wA1 -wP;bQ bL\\");
  EXPECT_TRUE(MarkMatters(thrown.board(),
                          ParsePiece("wP").value()));  // a stunned pillbug could not walk or throw
  EXPECT_FALSE(MarkMatters(thrown.board(), kNoPiece));
  // Far from any pillbug the black queen's mark changes nothing.
  EXPECT_FALSE(MarkMatters(thrown.board(), ParsePiece("bQ").value()));
  // Without a pillbug in play no mark does.
  const Game base = After("Base;InProgress;White[3];wA1;bA1 wA1-;wQ -wA1;bQ bA1-");
  EXPECT_FALSE(MarkMatters(base.board(), ParsePiece("wA1").value()));
}

}  // namespace
}  // namespace apiary::env
