// Products of row matrices with small weight matrices, for one CPU thread: the hex convolution
// (seven taps: a row and its six neighbours) and the plain linear layer (one tap). A tile of
// outputs stays in registers while the rows are gathered and multiplied; nothing is materialised.
// The kernel is chosen at run time by what the processor has. Torch-free; any thread; no
// allocation.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace apiary::nn {

using NeighborSlots = std::array<std::int32_t, 6>;  // rows, -1 where there is none
inline constexpr int kTaps = 7;  // a row itself, then its neighbours E, NE, NW, W, SW, SE

// out[i, :] = bias + residual[i, :] + sum over taps t of x[tap t of i, :] times weight[t, :, :].
struct ProductCall {
  const float* x = nullptr;                 // [rows, inputs]
  const std::int32_t* neighbors = nullptr;  // [rows, 6]; unused with one tap
  std::int32_t first_row = 0;               // what the neighbours call the first row of x
  std::int64_t rows = 0;
  int taps = 1;                     // 1 or 7
  int inputs = 0;                   // at most kMaxProductInputs
  int outputs = 0;                  // a multiple of 8
  const float* weight = nullptr;    // packed, see PackedWeights
  const float* bias = nullptr;      // [outputs] or null
  const float* residual = nullptr;  // [rows, outputs] or null
  float* out = nullptr;             // [rows, outputs] or null; may be residual, not x
  float* relu_out = nullptr;        // max(out, 0), keeps NaN; [rows, outputs] or null
};
inline constexpr int kMaxProductInputs = 4096;

struct ProductKernel {
  const char* name;  // "avx512", "avx2", "portable"
  int lanes;         // floats in a vector register
  // Faster than a gather and a product by LibTorch.
  bool fast;
  void (*multiply)(const ProductCall& call);
  // Runs `steps` rounds of kPeakVectors independent multiply-adds of `lanes` floats on registers:
  // what the core can do at most. Returns a number that depends on all of them.
  float (*peak)(std::int64_t steps, float seed);
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

  // out and relu_out as in ProductCall, either may be null.
  void Multiply(const float* x, const NeighborSlots* neighbors, std::int64_t rows,
                const float* bias, const float* residual, float* out, float* relu_out = nullptr,
                std::int32_t first_row = 0) const;
  int inputs() const { return inputs_; }
  int outputs() const { return outputs_; }

 private:
  const ProductKernel* kernel_ = nullptr;
  int taps_ = 0, inputs_ = 0, outputs_ = 0;
  std::vector<float> packed_;
};

// Columns that a kernel of `lanes` takes at once where `remaining` are left, a multiple of 8.
constexpr int GroupWidth(int remaining, int lanes) {
  if (remaining >= 2 * lanes) return 2 * lanes;
  if (remaining >= lanes) return lanes;
  return 8;
}

}  // namespace apiary::nn
