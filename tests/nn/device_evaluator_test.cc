// The evaluator of GPUs: on the CPU always, on a GPU where there is one.
#include "nn/device_evaluator.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "nn/torch_evaluator.h"
#include "tests/nn/net_blocks.h"

namespace apiary::nn {
namespace {

constexpr int kChannels = 16;
constexpr int kBlocks = 4;

NetSpec Spec() {
  NetSpec spec;
  spec.channels = kChannels;
  spec.blocks = kBlocks;
  return spec;
}

env::Block SomeBlock(int positions, std::uint64_t seed) {
  return BlockOf(env::RandomPositions(positions, seed));
}

Evaluation Expected(const env::Block& block) {
  TorchEvaluator evaluator(BusyNet(kChannels, kBlocks, 3), Spec());
  Evaluation evaluation;
  evaluator.Evaluate(block, evaluation);
  return evaluation;
}

void ExpectNear(const Evaluation& a, const Evaluation& b, float tolerance) {
  ASSERT_EQ(a.logits.size(), b.logits.size());
  ASSERT_EQ(a.wdl.size(), b.wdl.size());
  ASSERT_EQ(a.moves_left.size(), b.moves_left.size());
  for (std::size_t m = 0; m < a.logits.size(); ++m)
    EXPECT_NEAR(a.logits[m], b.logits[m], tolerance * (1 + std::abs(b.logits[m])));
  for (std::size_t p = 0; p < a.wdl.size(); ++p) {
    EXPECT_NEAR(a.wdl[p].win, b.wdl[p].win, tolerance);
    EXPECT_NEAR(a.wdl[p].loss, b.wdl[p].loss, tolerance);
    EXPECT_NEAR(a.moves_left[p], b.moves_left[p], tolerance * (1 + b.moves_left[p]));
  }
}

class DeviceEvaluators : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    SetUpTorch();
    if (GetParam() == std::string("cuda") && !torch::cuda::is_available())
      GTEST_SKIP() << "no CUDA device: LibTorch sees no GPU here";
  }
  DeviceEvaluator Make(torch::ScalarType type) {
    return DeviceEvaluator(BusyNet(kChannels, kBlocks, 3), Spec(),
                           {.device = torch::Device(GetParam()), .trunk_type = type});
  }
};

TEST_P(DeviceEvaluators, AgreeWithThePlainOne) {
  DeviceEvaluator evaluator = Make(torch::kFloat);
  // Sizes come again, so that recorded work is replayed on other positions.
  for (const int positions : {1, 7, 64, 1, 7, 64, 1, 7, 64}) {
    const env::Block block = SomeBlock(positions, static_cast<std::uint64_t>(positions));
    Evaluation evaluation;
    evaluator.Evaluate(block, evaluation);
    ExpectNear(evaluation, Expected(block), 1e-4F);
    EXPECT_GE(evaluator.RowsComputed(block), block.rows());
  }
}

TEST_P(DeviceEvaluators, GiveAPositionTheSameInAnyBatch) {
  DeviceEvaluator evaluator = Make(torch::kFloat);
  const std::vector<env::Game> games = env::RandomPositions(20, 9);
  Evaluation together;
  evaluator.Evaluate(BlockOf(games), together);
  std::size_t move = 0;
  for (std::size_t p = 0; p < games.size(); ++p) {
    Evaluation alone;
    evaluator.Evaluate(BlockOf({games[p]}), alone);
    const Evaluation part{.logits = {together.logits.begin() + static_cast<std::ptrdiff_t>(move),
                                     together.logits.begin() +
                                         static_cast<std::ptrdiff_t>(move + alone.logits.size())},
                          .wdl = {together.wdl[p]},
                          .moves_left = {together.moves_left[p]}};
    ExpectNear(alone, part, 1e-5F);
    move += alone.logits.size();
  }
}

TEST_P(DeviceEvaluators, TakeTwoBlocksAtATime) {
  DeviceEvaluator evaluator = Make(torch::kFloat);
  for (int round = 0; round < 3; ++round) {
    const env::Block a = SomeBlock(12, 1), b = SomeBlock(13, 2), c = SomeBlock(2, 3);
    Evaluation of_a, of_b, of_c;
    evaluator.Submit(a, of_a);
    evaluator.Submit(b, of_b);
    EXPECT_THROW(evaluator.Submit(c, of_c), Error);
    evaluator.Wait(of_b);
    evaluator.Submit(c, of_c);
    evaluator.Wait(of_a);
    evaluator.Wait(of_c);
    ExpectNear(of_a, Expected(a), 1e-4F);
    ExpectNear(of_b, Expected(b), 1e-4F);
    ExpectNear(of_c, Expected(c), 1e-4F);
  }
}

TEST_P(DeviceEvaluators, MayComputeTheTrunkInBfloat16) {
  DeviceEvaluator evaluator = Make(torch::kBFloat16);
  const env::Block block = SomeBlock(40, 4);
  Evaluation evaluation;
  evaluator.Evaluate(block, evaluation);
  const Evaluation expected = Expected(block);
  ExpectNear(evaluation, expected, 0.1F);
  EXPECT_NE(evaluation.logits, expected.logits);
}

TEST_P(DeviceEvaluators, SayWhatBroke) {
  HiveNet net = BusyNet(kChannels, kBlocks, 3);
  {
    const torch::NoGradGuard no_grad;
    net->named_parameters()["value_wdl_bias"].fill_(std::numeric_limits<float>::quiet_NaN());
  }
  DeviceEvaluator evaluator(net, Spec(), {.device = torch::Device(GetParam())});
  const env::Block block = SomeBlock(3, 5);
  Evaluation evaluation;
  EXPECT_THROW(evaluator.Evaluate(block, evaluation), Error);
}

TEST_P(DeviceEvaluators, ServeSeveralThreads) {
  const std::string path = ::testing::TempDir() + "device_evaluator_test.safetensors";
  HiveNet net = BusyNet(kChannels, kBlocks, 3);
  ASSERT_TRUE(WriteTensors(path, SaveNet(net, Spec())).ok());
  SharedEvaluators evaluators({.device = torch::Device(GetParam())}, 64);
  constexpr int kThreads = 3, kEach = 5;
  std::vector<env::Block> blocks;
  for (int i = 0; i < kThreads * kEach; ++i)
    blocks.push_back(SomeBlock(3 + i % 4, static_cast<std::uint64_t>(i)));
  std::vector<Evaluation> evaluations(blocks.size());
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      auto client = evaluators.Get(path);
      ASSERT_TRUE(client.ok()) << client.error();
      for (std::size_t i = t; i < blocks.size(); i += kThreads)
        (*client)->Evaluate(blocks[i], evaluations[i]);
    });
  }
  threads.clear();
  for (std::size_t i = 0; i < blocks.size(); ++i)
    ExpectNear(evaluations[i], Expected(blocks[i]), 1e-4F);
  const auto missing = evaluators.Get(path + ".none");
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().find(".none"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceEvaluators, ::testing::Values("cpu", "cuda"));

}  // namespace
}  // namespace apiary::nn
