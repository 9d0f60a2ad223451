// CellSet: a set of grid cells as 1,024 bits, visited in cell order. Plain value; any thread.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "env/cell.h"

namespace apiary::env {

class CellSet {
 public:
  static constexpr int kWords = kNumCells / 64;

  void Add(Cell cell) { words_[Word(cell)] |= Bit(cell); }
  void Remove(Cell cell) { words_[Word(cell)] &= ~Bit(cell); }
  bool Contains(Cell cell) const { return (words_[Word(cell)] & Bit(cell)) != 0; }

  friend CellSet operator|(const CellSet& a, const CellSet& b) {
    CellSet result;
    for (std::size_t i = 0; i < kWords; ++i) result.words_[i] = a.words_[i] | b.words_[i];
    return result;
  }

  // Bit b of word i: cell 64 i + b.
  const std::array<std::uint64_t, kWords>& words() const { return words_; }
  // Calls visit(Cell) for each member in order of cell index.
  template <typename Visit>
  void ForEach(Visit visit) const {
    ForEach((1u << kWords) - 1, visit);
  }
  // The same for members in the words i of which bit i of `words` is set.
  template <typename Visit>
  void ForEach(std::uint32_t words, Visit visit) const {
    for (; words != 0; words &= words - 1) {
      const int i = std::countr_zero(words);
      for (std::uint64_t word = words_[static_cast<std::size_t>(i)]; word != 0; word &= word - 1) {
        visit(Cell::FromIndex(64 * i + std::countr_zero(word)));
      }
    }
  }
  friend bool operator==(const CellSet&, const CellSet&) = default;

 private:
  static constexpr std::size_t Word(Cell cell) {
    return static_cast<std::size_t>(cell.index() >> 6);
  }
  static constexpr std::uint64_t Bit(Cell cell) { return std::uint64_t{1} << (cell.index() & 63); }

  std::array<std::uint64_t, kWords> words_{};
};

// Of sets of words: the words themselves and the ones before and after.
constexpr std::uint32_t WithNeighborWords(std::uint32_t words) {
  constexpr std::uint32_t kAll = (1u << CellSet::kWords) - 1;
  return (words | words << 1 | words >> 1 | words << (CellSet::kWords - 1) |
          words >> (CellSet::kWords - 1)) &
         kAll;
}

}  // namespace apiary::env
