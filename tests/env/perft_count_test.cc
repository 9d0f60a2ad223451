// Counting with threads and with a table gives what counting alone gives.
#include <gtest/gtest.h>

#include <atomic>

#include "env/movegen.h"
#include "env/notation.h"
#include "env/perft.h"
#include "env/perft_table.h"
#include "tests/env/random_positions.h"
#include "tests/env/rules_data.h"

namespace apiary::env {
namespace {

using testing::Row;

constexpr std::size_t kSmallTable = 4096;  // entries are overwritten all the time
constexpr std::size_t kLargeTable = 8 << 20;

PerftOptions With(int threads, std::size_t hash_bytes) {
  PerftOptions options;
  options.threads = threads;
  options.hash_bytes = hash_bytes;
  return options;
}

TEST(PerftCount, StartPositionOfEveryVariant) {
  for (const Row& row : testing::ReadTable("start-perft.tsv")) {
    Rules rules;
    rules.variant = ParseVariant(row[0]).value();
    const Board board(rules);
    for (int depth = 1; depth <= 4; ++depth) {
      for (const int threads : {1, 3}) {
        for (const std::size_t bytes : {std::size_t{0}, kSmallTable, kLargeTable}) {
          EXPECT_EQ(CountLeaves(board, depth, With(threads, bytes)),
                    std::stoull(row[static_cast<std::size_t>(depth)]))
              << row[0] << " depth " << depth << ", " << threads << " threads, " << bytes;
        }
      }
    }
  }
}

TEST(PerftCount, StartPositionsAtDepthSixWithATable) {
  for (const Row& row : testing::ReadTable("start-perft.tsv")) {
    if (row[0] != "Base" && row[0] != "Base+P") continue;
    Rules rules;
    rules.variant = ParseVariant(row[0]).value();
    EXPECT_EQ(CountLeaves(Board(rules), 6, With(2, kLargeTable)), std::stoull(row[6])) << row[0];
  }
}

TEST(PerftCount, MidgamePositions) {
  for (const Row& row : testing::ReadTable("midgame-perft.tsv")) {
    const Board board = testing::Replay(row[0]).board();
    for (const std::size_t bytes : {kSmallTable, kLargeTable})
      EXPECT_EQ(CountLeaves(board, 3, With(2, bytes)), std::stoull(row[3])) << row[0];
  }
}

// Deep enough for a side to make two moves in either order, so that the table is used.
TEST(PerftCount, MidgamePositionsAtDepthFive) {
  int positions = 0;
  for (const Row& row : testing::ReadTable("midgame-perft.tsv")) {
    if (std::stoull(row[4]) > 100000) continue;
    ++positions;
    const Board board = testing::Replay(row[0]).board();
    EXPECT_EQ(CountLeaves(board, 5, With(2, kLargeTable)), CountLeaves(board, 5, With(1, 0)))
        << row[0];
  }
  EXPECT_EQ(positions, 2);
}

TEST(PerftCount, RootMovesComeInOrderWithTheirLeaves) {
  for (const Row& row : testing::ReadTable("midgame-perft.tsv")) {
    Board board = testing::Replay(row[0]).board();
    MoveList moves;
    GenerateLegalMoves(board, moves);
    for (const int depth : {1, 2, 3}) {
      int next = 0;
      std::uint64_t sum = 0;
      PerftOptions options = With(2, kSmallTable);
      options.on_root_move = [&](Move move, std::uint64_t leaves) {
        ASSERT_LT(next, moves.size());
        EXPECT_EQ(move, moves[next++]);
        sum += leaves;
        if (depth == 3) return;
        const Undo undo = board.Apply(move);
        EXPECT_EQ(leaves, Perft(board, depth - 1)) << MoveToString(board, move);
        board.Undo(undo);
      };
      const Board root = board;
      EXPECT_EQ(CountLeaves(root, depth, options), sum);
      EXPECT_EQ(next, moves.size());
    }
  }
}

// Right before the end of games that end by a surrounded queen.
TEST(PerftCount, MovesThatEndTheGameHaveNoLeaves) {
  Rules rules;
  rules.repetition = 0;
  int games = 0;
  for (std::uint64_t seed = 1; games < 4; ++seed) {
    Game game = RandomGame(rules, 1000, seed);
    if (!game.outcome().over()) continue;
    ++games;
    const Move last = game.moves().back();
    game.Undo();
    const Board& board = game.board();
    MoveList moves;
    GenerateLegalMoves(board, moves);
    for (const int depth : {2, 3}) {
      int next = 0;
      PerftOptions options;
      options.on_root_move = [&](Move move, std::uint64_t leaves) {
        EXPECT_EQ(move, moves[next++]);
        EXPECT_EQ(leaves == 0, ResultAfter(board, move) != Result::kInProgress);
        EXPECT_TRUE(leaves == 0 || move != last);
      };
      CountLeaves(board, depth, options);
      EXPECT_EQ(next, moves.size());
    }
  }
}

TEST(PerftCount, StopsEarly) {
  PerftOptions options = With(2, kSmallTable);
  std::atomic<int> asked{0};
  options.stop = [&] { return ++asked > 20; };
  int reported = 0;
  options.on_root_move = [&](Move, std::uint64_t) { ++reported; };
  EXPECT_LT(CountLeaves(Board(), 8, options), 2657392800u);
  EXPECT_LT(reported, 4);
}

bool SameKey(const PerftTable::Key& a, const PerftTable::Key& b) {
  EXPECT_EQ(a.key == b.key, a.check == b.check);
  return a.key == b.key;
}

// The same arrangement with and without a piece that has just moved.
TEST(PerftTable, KeyKnowsTheStunnedPieceWhereItMatters) {
  const auto key = [](const char* type, const char* moves, int remaining = 3) {
    const Game game = testing::Replay(std::string(type) + ";InProgress;White[1];" + moves);
    return PerftTable::KeyOf(game.board(), remaining);
  };
  // Both queens go one step and come back: the last to move is Black's queen, or its spider placed.
  const char* base_a = "wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wQ \\wS1;bQ bS1/;wQ -wS1;bQ bS1-";
  const char* base_b = "wS1;bS1 wS1-;wQ -wS1;bQ bS1-";
  EXPECT_TRUE(SameKey(key("Base", base_a), key("Base", base_b)));
  EXPECT_FALSE(SameKey(key("Base", base_a, 3), key("Base", base_a, 4)));
  EXPECT_TRUE(SameKey(key("Base+P", base_a), key("Base+P", base_b)));
  // A pillbug that is not of the side to move cannot throw either queen.
  const char* pillbug_a = "wS1;bP wS1-;wQ -wS1;bQ bP-;wQ \\wS1;bQ bP/;wQ -wS1;bQ bP-";
  const char* pillbug_b = "wS1;bP wS1-;wQ -wS1;bQ bP-";
  EXPECT_TRUE(SameKey(key("Base+P", pillbug_a), key("Base+P", pillbug_b)));
  // Black's ant and queen move in either order; the ant ends beside White's pillbug.
  const std::string before = "wP;bS1 wP-;wQ -wP;bQ bS1-;wS1 -wQ;bA1 bS1/;wS2 -wS1;";
  const std::string ant_last = before + "bQ bS1\\;wB1 -wS2;bA1 wP/";
  const std::string queen_last = before + "bA1 wP/;wB1 -wS2;bQ bS1\\";
  EXPECT_FALSE(SameKey(key("Base+P", ant_last.c_str()), key("Base+P", queen_last.c_str())));
}

TEST(PerftTable, FindsWhatWasStored) {
  PerftTable table(kSmallTable);
  ASSERT_TRUE(table.enabled());
  EXPECT_FALSE(PerftTable(0).enabled());
  const PerftTable::Key key = PerftTable::KeyOf(Board(), 3);
  EXPECT_FALSE(table.Find(key).has_value());
  table.Store(key, 3, 0);
  EXPECT_EQ(table.Find(key), 0u);
  table.Store(key, 3, 1440);
  EXPECT_EQ(table.Find(key), 1440u);
  EXPECT_FALSE(table.Find({key.key, key.check + 1}).has_value());
  EXPECT_FALSE(table.Find(PerftTable::KeyOf(Board(), 4)).has_value());
}

}  // namespace
}  // namespace apiary::env
