#include "nn/neighbor_pairs.h"

namespace apiary::nn {

void NeighborPairs::Assign(std::span<const NeighborSlots> neighbors, std::int32_t first_row) {
  // One pair more than there can be: an empty slot is written as well and then overwritten.
  pairs_.resize(neighbors.size() * kDirections + 1);
  Pair* next = pairs_.data();
  for (std::size_t d = 0; d < kDirections; ++d) {
    begin_[d] = static_cast<std::size_t>(next - pairs_.data());
    for (std::size_t row = 0; row < neighbors.size(); ++row) {
      const std::int32_t from = neighbors[row][d];
      *next = {static_cast<std::int32_t>(row), from - first_row};
      next += from >= 0;
    }
  }
  begin_[kDirections] = static_cast<std::size_t>(next - pairs_.data());
}

}  // namespace apiary::nn
