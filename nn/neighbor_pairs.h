// The neighbours of rows by direction. A hex convolution multiplies for the pairs that exist and
// for nothing else: a sixth of the slots of a Base game hold no row.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace apiary::nn {

inline constexpr int kDirections = 6;                         // E, NE, NW, W, SW, SE
using NeighborSlots = std::array<std::int32_t, kDirections>;  // rows, -1 where there is none

class NeighborPairs {
 public:
  struct Pair {
    std::int32_t to;    // a row
    std::int32_t from;  // its neighbour in the direction
  };

  // `first_row`: what the slots call the first of the rows; pairs count from 0. Allocates only
  // while it grows.
  void Assign(std::span<const NeighborSlots> neighbors, std::int32_t first_row = 0);
  // In the order of their rows.
  std::span<const Pair> of(int direction) const {
    const auto d = static_cast<std::size_t>(direction);
    return {pairs_.data() + begin_[d], pairs_.data() + begin_[d + 1]};
  }

 private:
  std::vector<Pair> pairs_;
  std::array<std::size_t, kDirections + 1> begin_{};
};

}  // namespace apiary::nn
