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

  CellSet& operator|=(const CellSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  // Set difference.
  CellSet& operator-=(const CellSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
    return *this;
  }

  friend CellSet operator|(CellSet a, const CellSet& b) { return a |= b; }
  friend CellSet operator-(CellSet a, const CellSet& b) { return a -= b; }

  int size() const {
    int size = 0;
    for (const std::uint64_t word : words_) size += std::popcount(word);
    return size;
  }
  // Bit b of word i: cell 64 i + b.
  const std::array<std::uint64_t, kWords>& words() const { return words_; }
  // Bit i: there is a member among the cells 64 i .. 64 i + 63.
  std::uint32_t NonzeroWords() const {
    std::uint32_t nonzero = 0;
    for (std::size_t i = 0; i < kWords; ++i) nonzero |= std::uint32_t{words_[i] != 0} << i;
    return nonzero;
  }

  // The cells next to a member (which may be members themselves).
  CellSet Neighbors() const {
    // Steps of +-1 and, of pairs of cells joined to one bit, +-32: E and W; SE with SW, NW with NE.
    std::array<std::uint64_t, kWords + 4> w;  // w[i + 2] = words_[i], wrapping
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = words_[(i + kWords - 2) % kWords];
    CellSet result;
    for (std::size_t i = 0; i < kWords; ++i) {
      const std::uint64_t east = w[i + 2] << 1 | w[i + 1] >> 63;
      const std::uint64_t west = w[i + 2] >> 1 | w[i + 3] << 63;
      const std::uint64_t here_or_west = w[i + 2] | west;
      const std::uint64_t above = w[i + 1] | w[i + 1] >> 1 | w[i + 2] << 63;
      const std::uint64_t here_or_east = w[i + 2] | east;
      const std::uint64_t below = w[i + 3] | w[i + 3] << 1 | w[i + 2] >> 63;
      result.words_[i] =
          east | west | here_or_west << 32 | above >> 32 | here_or_east >> 32 | below << 32;
    }
    return result;
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
  static constexpr std::size_t Word(Cell cell) {
    return static_cast<std::size_t>(cell.index() >> 6);
  }
  static constexpr std::uint64_t Bit(Cell cell) { return std::uint64_t{1} << (cell.index() & 63); }

  std::array<std::uint64_t, kWords> words_{};
};

}  // namespace apiary::env
