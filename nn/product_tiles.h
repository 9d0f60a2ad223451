// The kernels of nn/matrix_product.h for one width of vectors. Included by one source file for each
// width, which is compiled for processors that have it; so everything here is local to that file.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "nn/matrix_product.h"
#include "nn/vectors.h"

namespace apiary::nn {
namespace {

// The rows of a tile: what they are multiplied from and what they add to. Row i of the first tap is
// row first + i for both; of a further tap, pairs[first + i].
struct TileRows {
  std::int64_t first;
  const NeighborPairs::Pair* pairs;  // of the tap; null for the first
};

// `kRows` rows, `kVectors` vectors of columns from `column` on, one tap. The first tap begins with
// bias and residual, the others go on from `out`.
template <bool kFirstTap, int kRows, int kVectors, int kWidth>
void Tile(const ProductCall& call, const TileRows& rows, int column, const float* weight) {
  using Vector = Floats<kWidth>;
  const float* inputs[kRows];
  std::int64_t at[kRows];
  Vector sum[kRows][kVectors];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    const std::int64_t from = kFirstTap ? rows.first + i : rows.pairs[rows.first + i].from;
    inputs[i] = call.x + from * call.inputs;
    at[i] = (kFirstTap ? from : rows.pairs[rows.first + i].to) * call.outputs + column;
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) {
      if constexpr (kFirstTap) {
        sum[i][j] = call.bias == nullptr ? Vector{} : At<kWidth>(call.bias + column + j * kWidth);
        if (call.residual != nullptr) sum[i][j] += At<kWidth>(call.residual + at[i] + j * kWidth);
      } else {
        sum[i][j] = At<kWidth>(call.out + at[i] + j * kWidth);
      }
    }
  }
#pragma GCC unroll 2
  for (int k = 0; k < call.inputs; ++k, weight += kVectors * kWidth) {
    Vector row_of_weights[kVectors];
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) row_of_weights[j] = At<kWidth>(weight + j * kWidth);
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
      for (int j = 0; j < kVectors; ++j) sum[i][j] += inputs[i][k] * row_of_weights[j];
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) At<kWidth>(call.out + at[i] + j * kWidth) = sum[i][j];
  }
}

// Tiles of 1 .. kMostRows rows, so that any number of rows splits into tiles of nearly one size.
template <bool kFirstTap, int kMostRows, int kVectors, int kWidth>
struct Tiles {
  using Function = void (*)(const ProductCall&, const TileRows&, int, const float*);
  template <int... kRows>
  static constexpr std::array<Function, kMostRows + 1> Table(std::integer_sequence<int, kRows...>) {
    return {nullptr, &Tile<kFirstTap, kRows + 1, kVectors, kWidth>...};
  }
  static void Run(const ProductCall& call, std::int64_t rows, const NeighborPairs::Pair* pairs,
                  int column, const float* weight) {
    static constexpr auto kTable = Table(std::make_integer_sequence<int, kMostRows>());
    const std::int64_t tiles = (rows + kMostRows - 1) / kMostRows;
    std::int64_t row = 0;
    for (std::int64_t t = 0; t < tiles; ++t) {
      const std::int64_t end = rows * (t + 1) / tiles;
      kTable[static_cast<std::size_t>(end - row)](call, {row, pairs}, column, weight);
      row = end;
    }
  }
};

// All taps of one group of columns.
template <int kMostRows, int kVectors, int kWidth>
void MultiplyGroup(const ProductCall& call, int column, const float* weight) {
  Tiles<true, kMostRows, kVectors, kWidth>::Run(call, call.rows, nullptr, column, weight);
  for (int tap = 1; tap < call.taps; ++tap) {
    weight += static_cast<std::int64_t>(call.inputs) * kVectors * kWidth;
    const auto pairs = call.neighbors->of(tap - 1);
    Tiles<false, kMostRows, kVectors, kWidth>::Run(call, static_cast<std::int64_t>(pairs.size()),
                                                   pairs.data(), column, weight);
  }
}

template <int kWidth>
void ReluRows(const ProductCall& call) {
  using Vector = Floats<kWidth>;
  const std::int64_t count = call.rows * call.outputs;
  for (std::int64_t i = 0; i < count; i += kWidth) {
    const Vector& x = At<kWidth>(call.out + i);
    At<kWidth>(call.relu_out + i) = x < 0 ? Vector{} : x;
  }
}

// kMostRows: of a tile two vectors wide.
template <int kLanes, int kMostRows>
void MultiplyTiles(const ProductCall& call) {
  const float* weight = call.weight;
  for (int column = 0; column < call.outputs;) {
    const int width = GroupWidth(call.outputs - column, kLanes);
    if (width == 4 * kLanes) {
      if constexpr (kLanes == 16) MultiplyGroup<kMostRows / 2, 4, kLanes>(call, column, weight);
    } else if (width == 2 * kLanes) {
      MultiplyGroup<kMostRows, 2, kLanes>(call, column, weight);
    } else if (width == kLanes) {
      MultiplyGroup<kMostRows, 1, kLanes>(call, column, weight);
    } else {
      MultiplyGroup<kMostRows, 1, 8>(call, column, weight);
    }
    weight += static_cast<std::int64_t>(call.taps) * call.inputs * width;
    column += width;
  }
  if (call.relu_out != nullptr) ReluRows<8>(call);
}

template <int kLanes>
float RunPeak(std::int64_t steps, float seed) {
  using Vector = Floats<kLanes>;
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
