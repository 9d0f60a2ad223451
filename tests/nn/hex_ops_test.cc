// The kernels against LibTorch's own operations: values and gradients.
#include "nn/hex_ops.h"

#include <gtest/gtest.h>

#include "nn/hex_kernels.h"
#include "tests/nn/net_blocks.h"

namespace apiary::nn {
namespace {

using Operation =
    std::function<torch::Tensor(const std::vector<torch::Tensor>&, const BlockTensors&)>;

void ExpectClose(const torch::Tensor& a, const torch::Tensor& b, const std::string& what) {
  ASSERT_EQ(a.sizes(), b.sizes()) << what;
  const float scale = std::max(1.0f, b.numel() > 0 ? b.abs().max().item<float>() : 0.0f);
  EXPECT_TRUE(torch::allclose(a, b, 1e-4, 1e-5 * scale))
      << what << " differs by " << (a - b).abs().max().item<float>();
}

// Outputs with and without a graph, and gradients of a random projection of the outputs.
void Compare(const Operation& operation, const std::vector<at::IntArrayRef>& shapes,
             BlockTensors block) {
  torch::manual_seed(3);
  std::vector<torch::Tensor> inputs;
  for (const auto& shape : shapes) inputs.push_back(torch::randn(shape));
  torch::Tensor projection;
  std::vector<torch::Tensor> outputs, gradients[2];
  for (const bool reference : {true, false}) {
    block.reference = reference;
    std::vector<torch::Tensor> leaves;
    for (const torch::Tensor& input : inputs) leaves.push_back(input.clone().requires_grad_());
    const torch::Tensor out = operation(leaves, block);
    if (!projection.defined()) projection = torch::randn(out.sizes());
    (out * projection).sum().backward();
    outputs.push_back(out.detach());
    for (const torch::Tensor& leaf : leaves) gradients[reference].push_back(leaf.grad());
  }
  {
    const torch::NoGradGuard no_grad;
    outputs.push_back(operation(inputs, block));
  }
  ExpectClose(outputs[1], outputs[0], "output");
  ExpectClose(outputs[2], outputs[0], "output without graph");
  for (std::size_t i = 0; i < inputs.size(); ++i)
    ExpectClose(gradients[0][i], gradients[1][i], "gradient " + std::to_string(i));
}

class HexOps : public testing::TestWithParam<int> {
 protected:
  HexOps()
      : block_(BlockOf(env::RandomPositions(24, 7))),
        tensors_(MakeBlockTensors(block_, torch::kCPU)) {}
  std::int64_t c() const { return GetParam(); }
  std::int64_t rows() const { return tensors_.rows(); }
  std::int64_t n() const { return tensors_.positions(); }
  env::Block block_;
  BlockTensors tensors_;
};

TEST_P(HexOps, EmbedSum) {
  std::vector<std::int32_t> offsets;
  int total = 0;
  for (const auto& feature : env::kRowFeatures) {
    offsets.push_back(total);
    total += feature.range;
  }
  const torch::Tensor at = torch::tensor(offsets, torch::kInt);
  Compare([&](const auto& in,
              const BlockTensors& b) { return EmbedSum(in[0], b.row_features, at, b.reference); },
          {{total, c()}}, tensors_);
}

TEST_P(HexOps, HexConvWithAndWithoutResidual) {
  Compare(
      [](const auto& in, const BlockTensors& b) { return HexConv(in[0], in[1], in[2], in[3], b); },
      {{rows(), c()}, {kTaps * c(), c()}, {c()}, {rows(), c()}}, tensors_);
  Compare([](const auto& in,
             const BlockTensors& b) { return HexConv(in[0], in[1], in[2], torch::Tensor(), b); },
          {{rows(), c()}, {kTaps * c(), c()}, {c()}}, tensors_);
}

TEST_P(HexOps, SegmentPool) {
  Compare([](const auto& in, const BlockTensors& b) { return SegmentPool(in[0], b); },
          {{rows(), c()}}, tensors_);
}

TEST_P(HexOps, SegmentAdd) {
  Compare([](const auto& in, const BlockTensors& b) { return SegmentAdd(in[0], in[1], b); },
          {{rows(), c()}, {n(), c()}}, tensors_);
}

TEST_P(HexOps, PolicyLogits) {
  Compare([](const auto& in,
             const BlockTensors& b) { return PolicyLogits(in[0], in[1], in[2], in[3], b); },
          {{rows(), 2 * c()}, {n(), 2 * c()}, {env::kNumPieceTypes, c()}, {c()}}, tensors_);
}

TEST_P(HexOps, SegmentCrossEntropy) {
  const torch::Tensor target = torch::rand({tensors_.move_count()});
  Compare(
      [&](const auto& in, const BlockTensors& b) { return SegmentCrossEntropy(in[0], target, b); },
      {{tensors_.move_count()}}, tensors_);
}

INSTANTIATE_TEST_SUITE_P(Channels, HexOps, testing::Values(8, 16, 24, 32, 56, 64));

}  // namespace
}  // namespace apiary::nn
