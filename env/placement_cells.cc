#include "env/placement_cells.h"

#include <array>
#include <bit>
#include <cstdint>

namespace apiary::env {
namespace {

constexpr int kWords = CellSet::kWords;

// A word of each of two sets, side by side in one register.
using WordPair = std::uint64_t __attribute__((vector_size(16)));

// The members of two sets and the cells next to them, word by word: a word is 64 cells, rows 2 i
// and 2 i + 1. The steps are +-1 (E, W) and, for each cell joined to its neighbour, +-32:
//
//     NW NE       row - 1:  cells joined to their E neighbour, up
//    W  c  E
//     SW SE       row + 1:  cells joined to their W neighbour, down
class ClosedNeighborhoods {
 public:
  // The first call of Next is for word `first`.
  ClosedNeighborhoods(const CellSet& a, const CellSet& b, int first)
      : a_(a.words()),
        b_(b.words()),
        here_(At(first)),
        below_(At(first + 1)),
        with_west_above_(WithWest(At(first - 1), here_)),
        with_east_(WithEast(At(first - 1), here_)),
        read_(first + 1) {}

  WordPair Next() {
    const WordPair with_west = WithWest(here_, below_);
    const WordPair with_east_below = WithEast(here_, below_);
    const WordPair near = with_east_ | with_west | with_west << 32 | with_west_above_ >> 32 |
                          with_east_ >> 32 | with_east_below << 32;
    here_ = below_;
    below_ = At(++read_);
    with_west_above_ = with_west;
    with_east_ = with_east_below;
    return near;
  }

 private:
  WordPair At(int i) const {
    const auto word = static_cast<std::size_t>(i & (kWords - 1));
    return WordPair{a_[word], b_[word]};
  }
  // Members of a word and the cells east (west) of members, the word before (after) it included.
  static WordPair WithEast(WordPair before, WordPair word) {
    return word | word << 1 | before >> 63;
  }
  static WordPair WithWest(WordPair word, WordPair after) { return word | word >> 1 | after << 63; }

  const std::array<std::uint64_t, kWords>& a_;
  const std::array<std::uint64_t, kWords>& b_;
  WordPair here_, below_;
  WordPair with_west_above_, with_east_;
  int read_;
};

// Black's first piece touches White's.
void AddCellsAround(Cell cell, Destinations& cells) {
  ForEachDirection(kNumMasks - 1, cell, [&](Cell near, int) { cells.Add(near); });
}

}  // namespace

void AddPlacementCells(const Board& board, Color color, Destinations& cells) {
  if (board.pieces_on_board() == 0) return cells.Add(kOrigin);
  const CellSet& own = board.tops(color);
  const CellSet& enemy = board.tops(Opponent(color));
  if (board.pieces_on_board() == 1)
    return enemy.ForEach([&](Cell cell) { AddCellsAround(cell, cells); });
  // A connected hive's words follow each other on the ring. Its first row is near the word before
  // it, its last row near the word after it.
  const std::uint32_t live = board.live_words();
  const std::uint32_t begins = live & ~(live << 1 | live >> (kWords - 1));
  int first = begins == 0 ? 0 : std::countr_zero(begins);
  int end = first + std::popcount(live);
  const auto occupied = [&](int i) {
    const auto word = static_cast<std::size_t>(i & (kWords - 1));
    return own.words()[word] | enemy.words()[word];
  };
  if (occupied(end - 1) >> 32 != 0) ++end;
  if (static_cast<std::uint32_t>(occupied(first)) != 0) --first;
  ClosedNeighborhoods near(own, enemy, first);
  for (int i = first; i < end; ++i) {
    const auto word = static_cast<std::size_t>(i & (kWords - 1));
    const WordPair around = near.Next();
    cells.AddWord(word, around[0] & ~(around[1] | own.words()[word]));
  }
}

}  // namespace apiary::env
