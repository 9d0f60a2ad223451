// RowTable: the rows of one position in the encoder's order, found without unwrapping coordinates
// and without comparisons. Plain value on the stack of one encoding; no allocation.
//
// Cells are numbered round a ring of 1,024 (env/cell.h), rows r one after the other. Pieces are
// connected, at most 28 of them: two are at most 27 steps of at most 32 apart, so at least 159
// numbers in a row are free outside the hive. Inside it at most 31 in a row are free, because two
// rows of the grid that follow each other are joined somewhere. With the ring cut in the outer gap
//
//     | free |  . . o o .  |  . o . o o  |  . o . . .  | free ...     o = piece
//            r = -1         r = 0          r = +1
//
// the order of the numbers is the (r, q) order of the unwrapped coordinates: hive and border span
// at most 30 of the 32 columns. A **place** is a cell's number counted from the first cell of the
// first word (64 cells, two rows of the grid) in which a row lies. Hive and border together span at
// most 929 numbers, so they lie in 16 words at most, and places are below 1,024.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "env/board.h"
#include "env/symmetry.h"

namespace apiary::env {

// n connected cells have at most 2 n + 4 empty neighbours: one cell has six, and each further one
// takes one and shares two of its own with the cell it is attached to, so it brings at most three.
inline constexpr int kMaxRows = kNumPieces + 2 * kNumPieces + 4;

class RowTable {
 public:
  // Places around those of rows: a step from a row leads at most 32 beyond.
  static constexpr int kMargin = 64;

  // Rows are numbered from `first_row` on.
  RowTable(const Board& board, Symmetry symmetry, std::int32_t first_row);

  // Occupied cells and then empty cells next to one, each group in the (r, q) order of the position
  // seen through the symmetry. The origin alone if the board is empty.
  int occupied() const { return occupied_; }
  int size() const { return size_; }
  // Places of rows are below this.
  int end_place() const { return end_place_; }

  int place(int i) const { return places_[static_cast<std::size_t>(i)]; }
  Cell cell(int i) const { return Cell::FromIndex(place(i) + base_); }
  int PlaceOf(Cell cell) const { return (cell.index() - base_) & (kNumCells - 1); }
  // Points at the row at a place; a step away are the rows of the cells around it. -1: none.
  // Precondition: place <= end_place(), where no row is.
  const std::int32_t* row_at(int place) const { return rows_.data() + kMargin + place; }
  // Finds the row of any cell, -1 if it is none. A copy of what that takes, for loops that write.
  struct Lookup {
    const std::int32_t* rows;  // by place
    int base, end;
    std::int32_t operator()(Cell cell) const {
      return rows[std::min((cell.index() - base) & (kNumCells - 1), end)];
    }
  };
  Lookup lookup() const { return {row_at(0), base_, end_place_}; }
  std::int32_t RowOf(Cell cell) const { return lookup()(cell); }

 private:
  // One word more than rows need, for words written whole.
  static constexpr int kSlack = 64;

  void OrderThrough(Symmetry symmetry);
  void NumberPlaces(std::int32_t first_row);

  int base_ = 0;  // the cell of place 0
  int occupied_ = 0;
  int size_ = 0;
  int end_place_ = 64;
  std::array<std::uint16_t, kMaxRows + kSlack> places_;           // [size_]
  std::array<std::int32_t, kMargin + kNumCells + kMargin> rows_;  // by kMargin + place
};

}  // namespace apiary::env
