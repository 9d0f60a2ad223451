// The fast parts of move generation against their plain versions.
#include <gtest/gtest.h>

#include <set>

#include "base/random.h"
#include "env/append_moves.h"
#include "env/cell_set.h"
#include "env/destinations.h"
#include "env/movegen.h"
#include "env/neighbor_mask.h"
#include "env/notation.h"
#include "env/placement_cells.h"
#include "env/rim_walk.h"
#include "tests/env/random_positions.h"

namespace apiary::env {
namespace {

using Masks = std::array<NeighborMask, kNumCells>;

Cell RandomCell(base::RandomStream& random) {
  return Cell::FromIndex(static_cast<int>(random.Below(kNumCells)));
}

// A connected set of `size` cells. A greater `stretch` makes thinner ones, with rings and pockets.
std::set<Cell> RandomHive(int size, int stretch, base::RandomStream& random) {
  std::set<Cell> hive = {RandomCell(random)};
  while (static_cast<int>(hive.size()) < size) {
    auto it = hive.begin();
    std::advance(it, random.Below(static_cast<std::uint32_t>(hive.size())));
    const Cell cell = Neighbor(*it, static_cast<int>(random.Below(6)));
    int around = 0;
    for (int d = 0; d < kNumDirections; ++d)
      around += static_cast<int>(hive.count(Neighbor(cell, d)));
    if (around == 1 || random.Below(static_cast<std::uint32_t>(stretch)) == 0) hive.insert(cell);
  }
  return hive;
}

Masks MasksOf(const std::set<Cell>& hive) {
  Masks masks{};
  for (int i = 0; i < kNumCells; ++i) {
    for (int d = 0; d < kNumDirections; ++d) {
      if (hive.count(Neighbor(Cell::FromIndex(i), d)) != 0)
        masks[static_cast<std::size_t>(i)] |= static_cast<NeighborMask>(1 << d);
    }
  }
  return masks;
}

// Slides by the words of the rule: to an empty neighbour, with exactly one of the two shared
// neighbours occupied.
std::set<Cell> FloodBySlides(const std::set<Cell>& hive, Cell from) {
  std::set<Cell> reached = {from};
  std::vector<Cell> pending = {from};
  while (!pending.empty()) {
    const Cell cell = pending.back();
    pending.pop_back();
    for (int d = 0; d < kNumDirections; ++d) {
      const Cell to = Neighbor(cell, d);
      const auto beside =
          hive.count(Neighbor(cell, Left(d))) + hive.count(Neighbor(cell, Right(d)));
      if (hive.count(to) == 0 && beside == 1 && reached.insert(to).second) pending.push_back(to);
    }
  }
  return reached;
}

std::set<Cell> Drained(Destinations& destinations) {
  std::set<Cell> cells;
  destinations.DrainWords([&](int word, std::uint64_t bits) {
    for (; bits != 0; bits &= bits - 1)
      cells.insert(Cell::FromIndex(64 * word + std::countr_zero(bits)));
  });
  return cells;
}

TEST(MovegenParts, RimWalkReachesWhatAFloodReaches) {
  base::RandomStream random(1);
  Destinations reached;
  std::size_t most = 0;
  for (int round = 0; round < 3000; ++round) {
    std::set<Cell> hive = RandomHive(1 + static_cast<int>(random.Below(27)),
                                     1 + static_cast<int>(random.Below(40)), random);
    // The lifted piece came from any empty cell next to the hive.
    Cell from = *hive.begin();
    while (hive.count(from) != 0) from = Neighbor(from, static_cast<int>(random.Below(6)));
    AddReachableBySlides(MasksOf(hive), 0xFFFF, from, reached);
    const std::set<Cell> cells = Drained(reached);
    ASSERT_EQ(cells, FloodBySlides(hive, from)) << "round " << round;
    most = std::max(most, cells.size());
  }
  EXPECT_GT(most, 40U);
}

TEST(MovegenParts, EulerTermsCountHoles) {
  base::RandomStream random(2);
  std::array<int, 4> seen{};
  for (int round = 0; round < 400; ++round) {
    const std::set<Cell> hive = RandomHive(28, 30, random);
    // Grown cell by cell in any order, as a board does.
    int euler = 0;
    std::set<Cell> grown;
    for (const Cell cell : hive) {
      euler += kEulerTerm[MasksOf(grown)[static_cast<std::size_t>(cell.index())]];
      grown.insert(cell);
    }
    // Regions of empty cells, less the outside.
    std::set<Cell> empty;
    for (int i = 0; i < kNumCells; ++i) {
      if (hive.count(Cell::FromIndex(i)) == 0) empty.insert(Cell::FromIndex(i));
    }
    int regions = 0;
    for (; !empty.empty(); ++regions) {
      std::vector<Cell> pending = {*empty.begin()};
      empty.erase(empty.begin());
      while (!pending.empty()) {
        const Cell cell = pending.back();
        pending.pop_back();
        for (int d = 0; d < kNumDirections; ++d) {
          if (empty.erase(Neighbor(cell, d)) != 0) pending.push_back(Neighbor(cell, d));
        }
      }
    }
    ASSERT_EQ(1 - euler, regions - 1);
    ++seen[static_cast<std::size_t>(std::min(regions - 1, 3))];
  }
  EXPECT_GT(seen[1], 40);
  EXPECT_GT(seen[2], 3);
}

// rules.md, section 3: an empty cell next to an own piece and to no enemy piece.
TEST(MovegenParts, PlacementCellsTouchOwnPiecesOnly) {
  for (const Game& game : RandomPositions(800, 3)) {
    const Board& board = game.board();
    if (board.pieces_on_board() < 2) continue;
    for (const Color color : {Color::kWhite, Color::kBlack}) {
      std::set<Cell> expected;
      for (int i = 0; i < kNumCells; ++i) {
        const Cell cell = Cell::FromIndex(i);
        std::array<int, 2> beside{};
        for (int d = 0; d < kNumDirections; ++d) {
          const PieceId top = board.top(Neighbor(cell, d));
          if (top.valid()) ++beside[top.color() == color ? 0 : 1];
        }
        if (board.height(cell) == 0 && beside[0] > 0 && beside[1] == 0) expected.insert(cell);
      }
      Destinations cells;
      AddPlacementCells(board, color, cells);
      ASSERT_EQ(Drained(cells), expected) << ToGameString(game);
    }
  }
}

TEST(MovegenParts, MovesOfAWordAreItsBitsInOrder) {
  base::RandomStream random(4);
  for (const std::uint64_t bits : {std::uint64_t{1}, std::uint64_t{1} << 63, ~std::uint64_t{0},
                                   random.Next(), random.Next()}) {
    MoveList moves;
    moves.push_back(Move::Pass());
    const PieceId piece = PieceId::FromIndex(27);
    AppendMoves(bits, 15, piece, moves);
    int i = 1;
    for (int b = 0; b < 64; ++b) {
      if ((bits >> b & 1) == 0) continue;
      ASSERT_LT(i, moves.size());
      EXPECT_EQ(moves[i++], Move(piece, Cell::FromIndex(64 * 15 + b)));
    }
    ASSERT_EQ(moves.size(), i);
    AppendCopies(1, i - 1, PieceId::FromIndex(3), moves);
    ASSERT_EQ(moves.size(), 2 * i - 1);
    for (int j = 1; j < i; ++j)
      EXPECT_EQ(moves[i - 1 + j], Move(PieceId::FromIndex(3), moves[j].destination()));
  }
}

TEST(MovegenParts, SlidesAndGapsByHand) {
  // E and NE occupied: slides along both ends, one gap of four.
  EXPECT_EQ(kSlides[0b000011], 0b100100);
  EXPECT_EQ(kGapStarts[0b000011], 0b000100);
  // E and NW: NE is a closed gate.
  EXPECT_EQ(kSlides[0b000101], 0b101000);
  EXPECT_EQ(kGapStarts[0b000101], 0b001010);
  // Five neighbours: the only way out is a closed gate.
  EXPECT_EQ(kSlides[0b011111], 0);
  EXPECT_EQ(kSlides[0], 0);
  EXPECT_EQ(kGapStarts[0b111111], 0);
  // A sixth piece that closes a ring; one in the middle of a ring.
  EXPECT_EQ(kEulerTerm[0b001001], -1);
  EXPECT_EQ(kEulerTerm[0b111111], 1);
  EXPECT_EQ(kEulerTerm[0b000001], 0);
}

TEST(MovegenParts, CountIsTheSizeOfTheList) {
  MoveList moves;
  for (const Game& game : RandomPositions(800, 6)) {
    GenerateLegalMoves(game.board(), moves);
    ASSERT_EQ(CountLegalMoves(game.board()), moves.size());
  }
}

}  // namespace
}  // namespace apiary::env
