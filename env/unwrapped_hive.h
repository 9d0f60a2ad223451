// Axial coordinates of a hive's cells as they really lie, not as they wrap around the grid: found
// by walking the hive, which is connected. No allocation; plain value, any thread.
#pragma once

#include <array>
#include <cstdint>

#include "env/board.h"
#include "env/row_table.h"

namespace apiary::env {

class UnwrappedHive {
 public:
  struct Place {
    Cell cell;
    Axial at;  // relative to the piece with the lowest index on the board
  };

  explicit UnwrappedHive(const Board& board);

  // Occupied cells and then empty cells next to one, each group in (r, q) order. The origin alone
  // if the board is empty.
  int occupied() const { return occupied_; }
  int size() const { return size_; }
  const Place& operator[](int i) const { return places_[static_cast<std::size_t>(i)]; }
  // Index of a cell among the places, -1 if it is not one of them.
  int IndexOf(Cell cell) const { return index_[static_cast<std::size_t>(cell.index())]; }

 private:
  void Add(Cell cell, Axial at) {
    index_[static_cast<std::size_t>(cell.index())] = static_cast<std::int16_t>(size_);
    places_[static_cast<std::size_t>(size_++)] = {cell, at};
  }
  void Sort(int begin, int end);

  int occupied_ = 0;
  int size_ = 0;
  std::array<Place, kMaxRows> places_;
  std::array<std::int16_t, kNumCells> index_;
};

}  // namespace apiary::env
