// CellSet: a set of grid cells as 1,024 bits, visited in cell order. Plain value; any thread.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "env/cell.h"

namespace apiary::env {

class CellSet {
 public:
  void Add(Cell cell) { words_[Word(cell)] |= Bit(cell); }
  void Remove(Cell cell) { words_[Word(cell)] &= ~Bit(cell); }
  bool Contains(Cell cell) const { return (words_[Word(cell)] & Bit(cell)) != 0; }

  CellSet& operator|=(const CellSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  // Set difference.
  CellSet& operator-=(const CellSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
    return *this;
  }

  // Calls visit(Cell) for each member in order of cell index.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (int i = 0; i < kWords; ++i) {
      for (std::uint64_t word = words_[static_cast<std::size_t>(i)]; word != 0; word &= word - 1) {
        visit(Cell::FromIndex(64 * i + std::countr_zero(word)));
      }
    }
  }
  friend bool operator==(const CellSet&, const CellSet&) = default;

 private:
  static constexpr int kWords = kNumCells / 64;
  static constexpr std::size_t Word(Cell cell) {
    return static_cast<std::size_t>(cell.index() >> 6);
  }
  static constexpr std::uint64_t Bit(Cell cell) { return std::uint64_t{1} << (cell.index() & 63); }

  std::array<std::uint64_t, kWords> words_{};
};

}  // namespace apiary::env
