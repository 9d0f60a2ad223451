// The kernels of nn/matrix_product.h for one width of vectors. Included by one source file for each
// width, which is compiled for processors that have it; so everything here is local to that file.
#pragma once

#include <cstdint>

#include "nn/matrix_product.h"

namespace apiary::nn {
namespace {

template <int lanes>
struct VectorOf {
  typedef float Type __attribute__((vector_size(lanes * sizeof(float)), aligned(4), may_alias));
};

// A row of zeros for the neighbours that are not there.
alignas(64) constexpr float kZeros[kMaxProductInputs] = {};

// `kRows` rows of outputs from `row` on, `kVectors` vectors of columns each.
template <int kRows, int kVectors, int kWidth>
void Tile(const ProductCall& call, std::int64_t row, int column, const float* weight) {
  using Vector = typename VectorOf<kWidth>::Type;
  Vector sum[kRows][kVectors];
  for (int j = 0; j < kVectors; ++j) {
    const int at = column + j * kWidth;
    const Vector bias =
        call.bias == nullptr ? Vector{} : *reinterpret_cast<const Vector*>(call.bias + at);
    for (int i = 0; i < kRows; ++i) {
      sum[i][j] = bias;
      if (call.residual != nullptr)
        sum[i][j] +=
            *reinterpret_cast<const Vector*>(call.residual + (row + i) * call.outputs + at);
    }
  }
  for (int tap = 0; tap < call.taps; ++tap) {
    const float* inputs[kRows];
    for (int i = 0; i < kRows; ++i) {
      if (tap == 0) {
        inputs[i] = call.x + (row + i) * call.inputs;
        continue;
      }
      const std::int64_t source = call.neighbors[(row + i) * 6 + tap - 1];
      inputs[i] = source < 0 ? kZeros : call.x + (source - call.first_row) * call.inputs;
    }
    for (int k = 0; k < call.inputs; ++k, weight += kVectors * kWidth) {
      Vector row_of_weights[kVectors];
      for (int j = 0; j < kVectors; ++j)
        row_of_weights[j] = *reinterpret_cast<const Vector*>(weight + j * kWidth);
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i)
        for (int j = 0; j < kVectors; ++j) sum[i][j] += inputs[i][k] * row_of_weights[j];
    }
  }
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kVectors; ++j) {
      const std::int64_t at = (row + i) * call.outputs + column + j * kWidth;
      if (call.out != nullptr) *reinterpret_cast<Vector*>(call.out + at) = sum[i][j];
      if (call.relu_out != nullptr)
        *reinterpret_cast<Vector*>(call.relu_out + at) = sum[i][j] < 0 ? Vector{} : sum[i][j];
    }
  }
}

// Tiles of 1 .. kTileRows rows, so that any number of rows splits into tiles of nearly one size.
template <int kTileRows, int kVectors, int kWidth>
struct Tiles {
  using Function = void (*)(const ProductCall&, std::int64_t, int, const float*);
  template <int kRows>
  static void Fill(Function* table) {
    table[kRows] = &Tile<kRows, kVectors, kWidth>;
    if constexpr (kRows > 1) Fill<kRows - 1>(table);
  }
  static void Run(const ProductCall& call, int column, const float* weight) {
    Function table[kTileRows + 1] = {};
    Fill<kTileRows>(table);
    const std::int64_t tiles = (call.rows + kTileRows - 1) / kTileRows;
    std::int64_t row = 0;
    for (std::int64_t t = 0; t < tiles; ++t) {
      const std::int64_t end = call.rows * (t + 1) / tiles;
      table[end - row](call, row, column, weight);
      row = end;
    }
  }
};

template <int kLanes, int kTileRows>
void MultiplyTiles(const ProductCall& call) {
  const float* weight = call.weight;
  for (int column = 0; column < call.outputs;) {
    const int width = GroupWidth(call.outputs - column, kLanes);
    if (width == 2 * kLanes) {
      Tiles<kTileRows, 2, kLanes>::Run(call, column, weight);
    } else if (width == kLanes) {
      Tiles<kTileRows, 1, kLanes>::Run(call, column, weight);
    } else {
      Tiles<kTileRows, 1, 8>::Run(call, column, weight);
    }
    weight += static_cast<std::int64_t>(call.taps) * call.inputs * width;
    column += width;
  }
}

template <int kLanes>
float RunPeak(std::int64_t steps, float seed) {
  using Vector = typename VectorOf<kLanes>::Type;
  Vector sum[kPeakVectors];
  for (int i = 0; i < kPeakVectors; ++i) sum[i] = Vector{} + (seed + static_cast<float>(i));
  const Vector factor = Vector{} + seed, term = Vector{} + seed / 2;
  for (std::int64_t s = 0; s < steps; ++s) {
#pragma GCC unroll 16
    for (int i = 0; i < kPeakVectors; ++i) sum[i] = sum[i] * factor + term;
  }
  float total = 0;
  for (int i = 0; i < kPeakVectors; ++i)
    for (int j = 0; j < kLanes; ++j) total += sum[i][j];
  return total;
}

}  // namespace
}  // namespace apiary::nn
