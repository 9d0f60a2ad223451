// Cells of the 32 x 32 wrapping grid. A cell's index is (32 r + q) mod 1024 in axial coordinates
// with pointy-top hexes, so a step is one addition: the rows are joined helically, which identifies
// cells at distance >= 32 only; 28 pieces reach 27 cells and their empty neighbours 29, so the grid
// is exact.
//
//     NW (0,-1)  NE (+1,-1)
//   W (-1,0)   .   E (+1,0)
//     SW (-1,+1) SE (0,+1)
#pragma once

#include <array>
#include <cstdint>

namespace apiary::env {

inline constexpr int kNumCells = 1024;

// The six directions, anticlockwise from east; d + 3 (mod 6) is the opposite direction.
// This order (E, NE, NW, W, SW, SE) is the one of the encoder's neighbour slots.
enum class Direction : std::uint8_t { kE = 0, kNE = 1, kNW = 2, kW = 3, kSW = 4, kSE = 5 };
inline constexpr int kNumDirections = 6;
inline constexpr std::array<Direction, 6> kDirections = {
    Direction::kE, Direction::kNE, Direction::kNW, Direction::kW, Direction::kSW, Direction::kSE};

// Axial coordinates, unwrapped.
struct Axial {
  int q = 0;
  int r = 0;
  friend bool operator==(const Axial&, const Axial&) = default;
};
constexpr Axial operator+(Axial a, Axial b) { return {a.q + b.q, a.r + b.r}; }
inline constexpr std::array<Axial, 6> kAxialSteps = {Axial{+1, 0}, Axial{+1, -1}, Axial{0, -1},
                                                     Axial{-1, 0}, Axial{-1, +1}, Axial{0, +1}};

class Cell {
 public:
  constexpr Cell() = default;  // kNoCell
  static constexpr Cell FromIndex(int index) {
    return Cell(static_cast<std::uint16_t>(index & (kNumCells - 1)));
  }
  static constexpr Cell FromAxial(Axial a) { return FromIndex(32 * a.r + a.q); }

  // [0, 1024); precondition: valid().
  constexpr int index() const { return index_; }
  constexpr bool valid() const { return index_ < kNumCells; }
  friend constexpr bool operator==(Cell, Cell) = default;
  friend constexpr auto operator<=>(Cell, Cell) = default;

 private:
  explicit constexpr Cell(std::uint16_t index) : index_(index) {}
  std::uint16_t index_ = 0xFFFF;
};
static_assert(sizeof(Cell) == 2);

inline constexpr Cell kNoCell{};  // also: "in hand"
inline constexpr Cell kOrigin = Cell::FromIndex(0);

inline constexpr std::array<int, 6> kCellSteps = {+1, -31, -32, -1, +31, +32};
constexpr Cell Neighbor(Cell cell, Direction direction) {
  return Cell::FromIndex(cell.index() + kCellSteps[static_cast<std::size_t>(direction)]);
}
constexpr Cell Neighbor(Cell cell, int direction) {
  return Cell::FromIndex(cell.index() + kCellSteps[static_cast<std::size_t>(direction)]);
}
constexpr bool Adjacent(Cell a, Cell b) {
  for (int d = 0; d < kNumDirections; ++d)
    if (Neighbor(a, d) == b) return true;
  return false;
}

}  // namespace apiary::env
