#include "nn/torch_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "nn/cpu_evaluator.h"
#include "tests/nn/net_blocks.h"

namespace apiary::nn {
namespace {

using testing::HasSubstr;

NetSpec Spec() {
  return {.channels = 16, .blocks = 2, .variant = "Base", .encoder_version = 1, .generation = 4};
}

TEST(TorchEvaluator, FromAFile) {
  HiveNet net = BusyNet(16, 2, 1);
  const std::string path = testing::TempDir() + "/torch_evaluator.safetensors";
  ASSERT_TRUE(WriteTensors(path, SaveNet(net, Spec())).ok());
  auto evaluator = MakeTorchEvaluator(path);
  ASSERT_TRUE(evaluator.ok()) << evaluator.error();
  EXPECT_EQ((*evaluator)->Describe(), "torch hive-conv-1 16x2 Base generation 4 on cpu");
  const env::Block block = BlockOf(env::RandomPositions(20, 1));
  Evaluation evaluation;
  (*evaluator)->Evaluate(block, evaluation);
  const torch::NoGradGuard no_grad;
  const NetOutput expected = net->forward(MakeBlockTensors(block, torch::kCPU));
  ASSERT_EQ(evaluation.logits.size(), static_cast<std::size_t>(block.move_count()));
  for (std::size_t m = 0; m < evaluation.logits.size(); ++m)
    ASSERT_EQ(evaluation.logits[m], expected.logits[static_cast<std::int64_t>(m)].item<float>());
  for (std::size_t p = 0; p < 20; ++p) {
    const Wdl wdl = evaluation.wdl[p];
    EXPECT_NEAR(wdl.win + wdl.draw + wdl.loss, 1, 1e-6);
    const torch::Tensor row = expected.wdl_logits[static_cast<std::int64_t>(p)];
    EXPECT_NEAR(std::log(wdl.win / wdl.loss), (row[0] - row[2]).item<float>(), 1e-4);
    EXPECT_GE(evaluation.moves_left[p], 0);
  }
}

TEST(TorchEvaluator, EqualsTheTorchFreeNet) {
  for (const auto& [channels, blocks] : {std::pair{16, 1}, {32, 4}, {56, 2}, {64, 3}}) {
    NetSpec spec = Spec();
    spec.channels = channels;
    spec.blocks = blocks;
    HiveNet net = BusyNet(channels, blocks, 7);
    CpuEvaluator plain(CpuNet(SaveNet(net, spec), spec));
    TorchEvaluator torch_evaluator(net, spec);
    const env::Block block = BlockOf(env::RandomPositions(100, 3));
    Evaluation a, b;
    plain.Evaluate(block, a);
    torch_evaluator.Evaluate(block, b);
    for (std::size_t m = 0; m < a.logits.size(); ++m)
      ASSERT_NEAR(a.logits[m], b.logits[m], 1e-4 * (1 + std::abs(b.logits[m])));
    for (std::size_t p = 0; p < a.wdl.size(); ++p) {
      ASSERT_NEAR(a.wdl[p].win, b.wdl[p].win, 1e-4);
      ASSERT_NEAR(a.wdl[p].draw, b.wdl[p].draw, 1e-4);
      ASSERT_NEAR(a.moves_left[p], b.moves_left[p], 1e-4 * (1 + b.moves_left[p]));
    }
  }
}

TEST(TorchEvaluator, NonFiniteWeightStopsAtOnce) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    HiveNet all = BusyNet(16, 2, 2);
    for (const auto& item : all->named_parameters()) {
      // The embedding of a value that no position of the block has is never read.
      if (item.key().find("table") != std::string::npos || item.key() == "policy_hand" ||
          item.key() == "value_queen_in_hand")
        continue;
      HiveNet net = BusyNet(16, 2, 2);
      {
        const torch::NoGradGuard no_grad;
        net->named_parameters()[item.key()].flatten()[0] = bad;
      }
      TorchEvaluator evaluator(net, Spec());
      const env::Block block = BlockOf(env::RandomPositions(8, 2));
      Evaluation evaluation;
      EXPECT_THROW(evaluator.Evaluate(block, evaluation), Error) << item.key();
    }
  }
}

TEST(TorchEvaluator, BadFilesAndDevicesAreNamed) {
  const auto missing = MakeTorchEvaluator("/nonexistent/net.safetensors");
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error(), HasSubstr("/nonexistent/net.safetensors"));
  EXPECT_THAT(ParseDevice("tpu").error(), HasSubstr("expected cpu, torch, cuda or auto"));
  EXPECT_TRUE(ParseDevice("auto").ok());
  if (!torch::cuda::is_available()) {
    EXPECT_THAT(ParseDevice("cuda").error(), HasSubstr("no usable CUDA"));
  }
}

}  // namespace
}  // namespace apiary::nn
