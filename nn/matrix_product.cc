#include "nn/matrix_product.h"

#include "base/check.h"
#include "nn/product_kernels.h"

namespace apiary::nn {

std::span<const ProductKernel* const> ProductKernels() {
  static const std::vector<const ProductKernel*> kernels = [] {
    std::vector<const ProductKernel*> usable;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) usable.push_back(&kAvx512Product);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      usable.push_back(&kAvx2Product);
#endif
    usable.push_back(&kPortableProduct);
    return usable;
  }();
  return kernels;
}

PackedWeights::PackedWeights(const float* weight, int taps, int inputs, int outputs,
                             const ProductKernel& kernel)
    : kernel_(&kernel), taps_(taps), inputs_(inputs), outputs_(outputs) {
  APIARY_CHECK((taps == 1 || taps == kTaps) && inputs > 0 && inputs % 8 == 0 && outputs > 0 &&
                   outputs % 8 == 0,
               "{} taps, {} inputs, {} outputs", taps, inputs, outputs);
  packed_.reserve(static_cast<std::size_t>(taps) * static_cast<std::size_t>(inputs) *
                  static_cast<std::size_t>(outputs));
  for (int column = 0; column < outputs;) {
    const int width = GroupWidth(outputs - column, kernel.lanes);
    for (int row = 0; row < taps * inputs; ++row) {
      const float* begin = weight + static_cast<std::ptrdiff_t>(row) * outputs + column;
      packed_.insert(packed_.end(), begin, begin + width);
    }
    column += width;
  }
}

void PackedWeights::Multiply(const float* x, const NeighborPairs* neighbors, std::int64_t rows,
                             const float* bias, const float* residual, float* out,
                             float* relu_out) const {
  ProductCall call;
  call.x = x;
  call.neighbors = neighbors;
  call.rows = rows;
  call.taps = taps_;
  call.inputs = inputs_;
  call.outputs = outputs_;
  call.weight = packed_.data();
  call.bias = bias;
  call.residual = residual;
  call.out = out;
  call.relu_out = relu_out;
  kernel_->multiply(call);
}

}  // namespace apiary::nn
