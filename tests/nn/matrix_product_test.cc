#include "nn/matrix_product.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.h"

namespace apiary::nn {
namespace {

std::vector<float> RandomValues(std::size_t count, base::RandomStream& random) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.Normal());
  return values;
}

// Neighbours at random, mutual or not; about a third is missing.
std::vector<NeighborSlots> RandomNeighbors(int rows, int first_row, base::RandomStream& random) {
  std::vector<NeighborSlots> neighbors(static_cast<std::size_t>(rows));
  for (NeighborSlots& slots : neighbors) {
    for (std::int32_t& slot : slots) {
      slot = random.Below(3) == 0
                 ? -1
                 : first_row +
                       static_cast<std::int32_t>(random.Below(static_cast<std::uint32_t>(rows)));
    }
  }
  return neighbors;
}

struct Shape {
  int rows, taps, inputs, outputs;
  bool bias, residual;
};

// The definition, in double precision.
std::vector<double> Plain(const Shape& shape, const std::vector<float>& x,
                          const std::vector<NeighborSlots>& neighbors, int first_row,
                          const std::vector<float>& weight, const std::vector<float>& bias,
                          const std::vector<float>& residual) {
  std::vector<double> out;
  for (int i = 0; i < shape.rows; ++i) {
    for (int o = 0; o < shape.outputs; ++o) {
      double sum = shape.bias ? bias[static_cast<std::size_t>(o)] : 0;
      if (shape.residual) sum += residual[static_cast<std::size_t>(i * shape.outputs + o)];
      for (int t = 0; t < shape.taps; ++t) {
        const int slot =
            t == 0 ? i + first_row
                   : neighbors[static_cast<std::size_t>(i)][static_cast<std::size_t>(t - 1)];
        if (slot < 0) continue;
        for (int k = 0; k < shape.inputs; ++k)
          sum += static_cast<double>(
                     x[static_cast<std::size_t>((slot - first_row) * shape.inputs + k)]) *
                 weight[static_cast<std::size_t>(((t * shape.inputs) + k) * shape.outputs + o)];
      }
      out.push_back(sum);
    }
  }
  return out;
}

class MatrixProduct : public testing::TestWithParam<const ProductKernel*> {};

TEST_P(MatrixProduct, EqualsItsDefinition) {
  base::RandomStream random(1);
  std::vector<Shape> shapes;
  for (const int outputs : {8, 16, 24, 32, 40, 56, 64, 88, 128})
    for (const int rows : {1, 5, 12, 13, 38})
      shapes.push_back(
          {rows, outputs % 16 == 0 ? kTaps : 1, outputs, outputs, rows % 2 == 0, rows > 5});
  shapes.push_back({3, 1, 128, 64, true, false});
  shapes.push_back({100, kTaps, 16, 32, false, true});
  for (const Shape& s : shapes) {
    const int first_row = 7;
    const auto count = [](int a, int b) {
      return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
    };
    const auto x = RandomValues(count(s.rows, s.inputs), random);
    const auto weight = RandomValues(count(s.taps * s.inputs, s.outputs), random);
    const auto bias = RandomValues(count(1, s.outputs), random);
    const auto residual = RandomValues(count(s.rows, s.outputs), random);
    const auto neighbors = RandomNeighbors(s.rows, first_row, random);
    const auto expected = Plain(s, x, neighbors, first_row, weight, bias, residual);
    NeighborPairs pairs;
    pairs.Assign(neighbors, first_row);
    std::vector<float> out(expected.size()), relu(expected.size());
    PackedWeights(weight.data(), s.taps, s.inputs, s.outputs, *GetParam())
        .Multiply(x.data(), &pairs, s.rows, s.bias ? bias.data() : nullptr,
                  s.residual ? residual.data() : nullptr, out.data(), relu.data());
    // Rounding of n summands: at most n eps times the sum of their sizes; 4 n eps is seen.
    const double rounding = 4 * 6e-8 * s.taps * s.inputs + 1e-6;
    for (std::size_t i = 0; i < out.size(); ++i) {
      ASSERT_NEAR(out[i], expected[i], rounding) << s.rows << " rows, " << s.outputs << " outputs";
      ASSERT_EQ(relu[i], out[i] < 0 ? 0 : out[i]);
    }
  }
}

// Hand-made: two cells side by side (row 1 is east of row 0).
TEST_P(MatrixProduct, TakesTheNeighbourFromItsTap) {
  constexpr int kChannels = 8;
  const NeighborSlots neighbors[] = {{1, -1, -1, -1, -1, -1}, {-1, -1, -1, 0, -1, -1}};
  std::vector<float> x(2 * kChannels), weight(kTaps * kChannels * kChannels), out(2 * kChannels);
  x[0] = 3;              // row 0, channel 0
  x[kChannels + 1] = 5;  // row 1, channel 1
  // Own channel 0 -> output 2; east channel 1 -> output 3; west channel 0 -> output 4.
  weight[(0 * kChannels + 0) * kChannels + 2] = 10;
  weight[(1 * kChannels + 1) * kChannels + 3] = 100;
  weight[(4 * kChannels + 0) * kChannels + 4] = 1000;
  NeighborPairs pairs;
  pairs.Assign(neighbors);
  PackedWeights(weight.data(), kTaps, kChannels, kChannels, *GetParam())
      .Multiply(x.data(), &pairs, 2, nullptr, nullptr, out.data());
  std::vector<float> expected(2 * kChannels);
  expected[2] = 30;
  expected[3] = 500;
  expected[kChannels + 4] = 3000;
  EXPECT_EQ(out, expected);
}

TEST_P(MatrixProduct, NanPassesThrough) {
  std::vector<float> x(8, 1), weight(64, 1), out(8), relu(8);
  weight[3] = std::numeric_limits<float>::quiet_NaN();
  PackedWeights(weight.data(), 1, 8, 8, *GetParam())
      .Multiply(x.data(), nullptr, 1, nullptr, nullptr, out.data(), relu.data());
  EXPECT_TRUE(std::isnan(out[3]));
  EXPECT_TRUE(std::isnan(relu[3]));
  EXPECT_EQ(out[2], 8);
}

INSTANTIATE_TEST_SUITE_P(Kernels, MatrixProduct,
                         testing::ValuesIn(ProductKernels().begin(), ProductKernels().end()),
                         [](const auto& kernel) { return std::string(kernel.param->name); });

}  // namespace
}  // namespace apiary::nn
