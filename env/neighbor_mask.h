// What the six neighbours of a cell alone tell, by neighbour mask: bit d is set if the neighbour in
// direction d is occupied. Tables made at compile time; any thread.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "env/cell.h"

namespace apiary::env {

using NeighborMask = std::uint8_t;
inline constexpr int kNumMasks = 64;

constexpr int Left(int direction) { return (direction + 1) % kNumDirections; }
constexpr int Right(int direction) { return (direction + 5) % kNumDirections; }
constexpr bool Has(unsigned mask, int direction) { return (mask >> direction & 1) != 0; }

// Calls function(neighbour, direction) for each direction in `directions`.
template <typename Function>
void ForEachDirection(unsigned directions, Cell cell, Function function) {
  for (; directions != 0; directions &= directions - 1) {
    const int direction = std::countr_zero(directions);
    function(Neighbor(cell, direction), direction);
  }
}

namespace internal {

template <typename Value, typename Function>
constexpr std::array<Value, kNumMasks> MakeMaskTable(Function function) {
  std::array<Value, kNumMasks> table{};
  for (unsigned mask = 0; mask < kNumMasks; ++mask) table[mask] = function(mask);
  return table;
}

constexpr std::uint8_t SlidesOf(unsigned mask) {
  unsigned slides = 0;
  for (int d = 0; d < kNumDirections; ++d) {
    if (!Has(mask, d) && Has(mask, Left(d)) != Has(mask, Right(d))) slides |= 1u << d;
  }
  return static_cast<std::uint8_t>(slides);
}

constexpr std::uint8_t GapStartsOf(unsigned mask) {
  unsigned starts = 0;
  for (int d = 0; d < kNumDirections; ++d) {
    if (!Has(mask, d) && Has(mask, Right(d))) starts |= 1u << d;
  }
  return static_cast<std::uint8_t>(starts);
}

constexpr std::int8_t EulerTermOf(unsigned mask) {
  int triangles = 0;
  for (int d = 0; d < kNumDirections; ++d) triangles += Has(mask, d) && Has(mask, Left(d));
  return static_cast<std::int8_t>(1 - std::popcount(mask) + triangles);
}

}  // namespace internal

// Directions of legal ground steps from a cell. The neighbour is empty and exactly one of the two
// cells beside the way is occupied: none loses contact with the hive, both close the gate.
inline constexpr auto kSlides = internal::MakeMaskTable<std::uint8_t>(internal::SlidesOf);

// Where the gaps begin, anticlockwise: the directions of empty neighbours that follow an occupied
// one. A gap is a run of empty neighbours.
//
//      o  .        o = occupied: E and NW, W
//    o  c  o       gap 1 begins at NE, gap 2 at SW
//      .  .
inline constexpr auto kGapStarts = internal::MakeMaskTable<std::uint8_t>(internal::GapStartsOf);

// What an occupied cell with this mask adds to the Euler characteristic of the hive: cells minus
// pairs of neighbours plus triples of mutual neighbours. The characteristic is the number of
// connected parts minus the number of holes.
inline constexpr auto kEulerTerm = internal::MakeMaskTable<std::int8_t>(internal::EulerTermOf);

}  // namespace apiary::env
