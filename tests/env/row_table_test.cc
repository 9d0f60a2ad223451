// The order of rows from the ring of cells equals that from unwrapped coordinates, sorted.
#include "env/row_table.h"

#include <gtest/gtest.h>

#include "env/notation.h"
#include "env/unwrapped_hive.h"
#include "tests/env/random_positions.h"

namespace apiary::env {
namespace {

constexpr std::int32_t kFirstRow = 1000;

void ExpectSameRows(const Board& board) {
  const UnwrappedHive hive(board);
  const RowTable table(board, Symmetry(), kFirstRow);
  ASSERT_EQ(table.size(), hive.size());
  ASSERT_EQ(table.occupied(), hive.occupied());
  for (int i = 0; i < hive.size(); ++i) {
    ASSERT_EQ(table.cell(i), hive[i].cell) << i;
    for (const int step : kCellSteps) {
      const int neighbor = hive.IndexOf(Cell::FromIndex(hive[i].cell.index() + step));
      ASSERT_EQ(table.row_at(table.place(i))[step], neighbor < 0 ? -1 : kFirstRow + neighbor);
    }
  }
  for (int c = 0; c < kNumCells; ++c) {
    const Cell cell = Cell::FromIndex(c);
    const int index = hive.IndexOf(cell);
    ASSERT_EQ(table.RowOf(cell), index < 0 ? -1 : kFirstRow + index);
  }
}

TEST(RowTable, RandomPositions) {
  for (const Game& game : RandomPositions(600, 21)) {
    SCOPED_TRACE(ToGameString(game));
    ExpectSameRows(game.board());
    if (HasFatalFailure()) return;
  }
}

TEST(RowTable, EmptyBoardIsTheOrigin) { ExpectSameRows(Board()); }

// The longest hives, which also wrap around the ring wherever they begin.
TEST(RowTable, TwentyEightInALine) {
  for (const Direction direction : {Direction::kE, Direction::kNE, Direction::kNW}) {
    const Board board = LineOf28(direction).board();
    ExpectSameRows(board);
    EXPECT_EQ(RowTable(board, Symmetry(), 0).size(), kMaxRows);
  }
}

}  // namespace
}  // namespace apiary::env
