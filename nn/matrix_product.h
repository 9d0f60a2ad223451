// Products of row matrices with small weight matrices, for one CPU thread: the hex convolution
// (seven taps: a row and its six neighbours) and the plain linear layer (one tap). A tile of
// outputs stays in registers while its rows are multiplied with one tap's weights, which stay in
// the first cache for all tiles of a tap; nothing is materialised. The kernel is chosen at run time
// by what the processor has. Torch-free; any thread; no allocation.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "nn/neighbor_pairs.h"
#include "nn/row_kernels.h"

namespace apiary::nn {

inline constexpr int kTaps = 1 + kDirections;  // a row itself, then its neighbours

// out[i, :] = bias + residual[i, :] + sum over taps t of x[tap t of i, :] times weight[t, :, :].
struct ProductCall {
  const float* x = nullptr;                  // [rows, inputs]
  const NeighborPairs* neighbors = nullptr;  // of these rows; unused with one tap
  std::int64_t rows = 0;
  int taps = 1;                     // 1 or 7
  int inputs = 0;                   // a multiple of 8
  int outputs = 0;                  // a multiple of 8
  const float* weight = nullptr;    // packed, see PackedWeights
  const float* bias = nullptr;      // [outputs] or null
  const float* residual = nullptr;  // [rows, outputs] or null
  float* out = nullptr;             // [rows, outputs]; may be residual, not x
  float* relu_out = nullptr;        // max(out, 0), keeps NaN; [rows, outputs], may be out; or null
};

struct ProductKernel {
  const char* name;  // "avx512", "avx2", "portable"
  int lanes;         // floats in a vector register
  // Faster than a gather and a product by LibTorch.
  bool fast;
  void (*multiply)(const ProductCall& call);
  // Runs `steps` rounds of kPeakVectors independent multiply-adds of `lanes` floats on registers:
  // what the core can do at most. Returns a number that depends on all of them.
  float (*peak)(std::int64_t steps, float seed);
  RowKernels rows;  // the rest of the net, for the same vectors
};
inline constexpr int kPeakVectors = 16;

// Those that this processor can run, the best one first. At least the portable one.
std::span<const ProductKernel* const> ProductKernels();
inline const ProductKernel& BestProductKernel() { return *ProductKernels().front(); }

// A weight [taps, inputs, outputs] in the order in which a kernel reads it: by groups of columns
// (GroupWidth), within a group by tap, input and column.
class PackedWeights {
 public:
  PackedWeights() = default;
  PackedWeights(const float* weight, int taps, int inputs, int outputs,
                const ProductKernel& kernel = BestProductKernel());

  void Multiply(const float* x, const NeighborPairs* neighbors, std::int64_t rows,
                const float* bias, const float* residual, float* out,
                float* relu_out = nullptr) const;
  int inputs() const { return inputs_; }
  int outputs() const { return outputs_; }

 private:
  const ProductKernel* kernel_ = nullptr;
  int taps_ = 0, inputs_ = 0, outputs_ = 0;
  std::vector<float> packed_;
};

// Columns that a kernel of `lanes` takes at once where `remaining` are left, a multiple of 8: the
// more, the fewer inputs are loaded for a multiplication; 32 registers (16 lanes) have room for
// four vectors.
constexpr int GroupWidth(int remaining, int lanes) {
  if (lanes >= 16 && remaining >= 4 * lanes) return 4 * lanes;
  if (remaining >= 2 * lanes) return 2 * lanes;
  if (remaining >= lanes) return lanes;
  return 8;
}

}  // namespace apiary::nn
