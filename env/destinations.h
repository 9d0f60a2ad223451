// Destinations: where one piece can go. A set of cells that knows which of its words it touched, so
// that emptying it costs what is in it. Lives on the stack of one generation.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "env/cell.h"
#include "env/cell_set.h"

namespace apiary::env {

class Destinations {
 public:
  void Add(Cell cell) {
    words_[Word(cell)] |= Bit(cell);
    touched_ |= 1u << Word(cell);
  }
  // bits: bit b set = cell 64 word + b.
  void AddWord(std::size_t word, std::uint64_t bits) {
    words_[word] |= bits;
    touched_ |= 1u << word;
  }
  bool Contains(Cell cell) const { return (words_[Word(cell)] & Bit(cell)) != 0; }
  // Whether the cell was not in the set before.
  bool AddNew(Cell cell) {
    std::uint64_t& word = words_[Word(cell)];
    touched_ |= 1u << Word(cell);
    const bool added = (word & Bit(cell)) == 0;
    word |= Bit(cell);
    return added;
  }
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
  static constexpr std::size_t Word(Cell cell) {
    return static_cast<std::size_t>(cell.index() >> 6);
  }
  static constexpr std::uint64_t Bit(Cell cell) { return std::uint64_t{1} << (cell.index() & 63); }

  std::array<std::uint64_t, CellSet::kWords> words_{};
  std::uint32_t touched_ = 0;
};

}  // namespace apiary::env
