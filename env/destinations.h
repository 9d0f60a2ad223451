// Destinations: where one piece can go. A set of cells that knows which of its words it touched, so
// that emptying it costs what is in it. Lives on the stack of one generation.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "env/cell.h"
#include "env/cell_set.h"
#include "env/neighbor_mask.h"

namespace apiary::env {

class Destinations {
 public:
  void Add(Cell cell) {
    words_[Word(cell)] |= Bit(cell);
    touched_ |= 1u << Word(cell);
  }
  // The neighbours of `cell` in `directions`, without a branch.
  //
  //     bit of the pattern   0  1  ...  31  .  33  ...  63     from cell - 32 on; SE, the 64th,
  //                          NW NE      W       E       SW     does not fit in
  void AddNeighbors(Cell cell, unsigned directions) {
    const std::uint64_t pattern = kPatterns[directions];
    const unsigned begin = static_cast<unsigned>(cell.index() + kNumCells - 32) & (kNumCells - 1);
    const unsigned shift = begin & 63;
    AddBits(begin >> 6, pattern << shift);
    AddBits(((begin >> 6) + 1) & (CellSet::kWords - 1), pattern >> 1 >> (63 - shift));
    const Cell south_east = Neighbor(cell, Direction::kSE);
    AddBits(
        static_cast<unsigned>(Word(south_east)),
        std::uint64_t{directions >> static_cast<int>(Direction::kSE)} << (south_east.index() & 63));
  }
  // bits: bit b set = cell 64 word + b.
  void AddWord(std::size_t word, std::uint64_t bits) {
    words_[word] |= bits;
    touched_ |= 1u << word;
  }
  bool Contains(Cell cell) const { return (words_[Word(cell)] & Bit(cell)) != 0; }
  // Announces cells of the words i of which bit i of `words` is set; AddTouched adds one of them.
  void Touch(std::uint32_t words) { touched_ |= words; }
  void AddTouched(Cell cell) { words_[Word(cell)] |= Bit(cell); }
  void Remove(Cell cell) { words_[Word(cell)] &= ~Bit(cell); }

  // Calls visit(i, bits) for each word of 64 cells from 64 i on with a member, in order, and
  // empties the set.
  template <typename Visit>
  void DrainWords(Visit visit) {
    for (; touched_ != 0; touched_ &= touched_ - 1) {
      const int word = std::countr_zero(touched_);
      std::uint64_t& bits = words_[static_cast<std::size_t>(word)];
      visit(word, bits);
      bits = 0;
    }
  }

  // Empties the set and says how many members it had.
  int DrainSize() {
    int size = 0;
    DrainWords([&](int, std::uint64_t bits) { size += std::popcount(bits); });
    return size;
  }

 private:
  static constexpr auto kPatterns = [] {
    std::array<std::uint64_t, kNumMasks> patterns{};
    for (unsigned mask = 0; mask < kNumMasks; ++mask) {
      for (int d = 0; d < static_cast<int>(Direction::kSE); ++d) {
        if (Has(mask, d))
          patterns[mask] |= std::uint64_t{1} << (32 + kCellSteps[static_cast<std::size_t>(d)]);
      }
    }
    return patterns;
  }();

  void AddBits(unsigned word, std::uint64_t bits) {
    words_[word] |= bits;
    touched_ |= std::uint32_t{bits != 0} << word;
  }
  static constexpr std::size_t Word(Cell cell) {
    return static_cast<std::size_t>(cell.index() >> 6);
  }
  static constexpr std::uint64_t Bit(Cell cell) { return std::uint64_t{1} << (cell.index() & 63); }

  std::array<std::uint64_t, CellSet::kWords> words_{};
  std::uint32_t touched_ = 0;
};

}  // namespace apiary::env
