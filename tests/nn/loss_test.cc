#include "nn/loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "tests/nn/net_blocks.h"

namespace apiary::nn {
namespace {

// Two positions: the empty board (4 moves) and the one after a spider (12 placements or more).
struct Fixture {
  env::Block block = BlockOf({env::Game(), env::PositionOf("Base", "wS1")});
  BlockTensors tensors = MakeBlockTensors(block, torch::kCPU);
  Targets targets;
  NetOutput output;
  Fixture() {
    targets.policy.assign(static_cast<std::size_t>(block.move_count()), 0.0f);
    targets.policy[0] = 0.5f;
    targets.policy[1] = 0.5f;
    targets.policy_weight = {1, 0};
    targets.wdl = {{1, 0, 0}, {0.5f, 0.25f, 0.25f}};
    targets.value_weight = {1, 3};
    targets.moves_left = {30, 500};
    targets.moves_left_weight = {1, 0};
    output.logits = torch::zeros({block.move_count()});
    output.wdl_logits = torch::zeros({2, 3});
    output.moves_left = torch::full({2}, 45.0f);
  }
};

TEST(Loss, HandComputed) {
  Fixture f;
  const Loss loss =
      ComputeLoss(f.output, f.tensors, f.targets, {.policy = 1, .value = 2, .moves_left = 4});
  EXPECT_NEAR(loss.policy.item<float>(), std::log(4.0), 1e-6);
  EXPECT_NEAR(loss.target_entropy.item<float>(), std::log(2.0), 1e-6);
  EXPECT_NEAR(loss.value.item<float>(), std::log(3.0), 1e-6);
  // Half a unit off: Huber 0.125.
  EXPECT_NEAR(loss.moves_left.item<float>(), 0.125, 1e-6);
  EXPECT_NEAR(loss.total.item<float>(), std::log(4.0) + 2 * std::log(3.0) + 0.5, 1e-5);
}

TEST(Loss, ValueWeightsAndSoftTargets) {
  Fixture f;
  f.output.wdl_logits = torch::tensor({{2.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}});
  const Loss loss = ComputeLoss(f.output, f.tensors, f.targets);
  const double first = std::log(std::exp(2.0) + 2) - 2;
  const double second = std::log(std::exp(1.0) + 2) - 0.25;
  EXPECT_NEAR(loss.value.item<float>(), (first + 3 * second) / 4, 1e-5);
}

TEST(Loss, MaskedTargetsMayHoldAnything) {
  Fixture f;
  const float expected = ComputeLoss(f.output, f.tensors, f.targets).total.item<float>();
  for (std::size_t m = 4; m < f.targets.policy.size(); ++m) f.targets.policy[m] = std::nanf("");
  f.targets.moves_left[1] = std::nanf("");
  const Loss loss = ComputeLoss(f.output, f.tensors, f.targets);
  EXPECT_EQ(loss.total.item<float>(), expected);
  f.targets.policy_weight = {0, 0};
  EXPECT_EQ(ComputeLoss(f.output, f.tensors, f.targets).policy.item<float>(), 0);
}

TEST(Loss, MaskedPositionsGetNoGradient) {
  Fixture f;
  f.output.logits.requires_grad_();
  f.output.moves_left.requires_grad_();
  f.targets.policy[6] = 1;
  ComputeLoss(f.output, f.tensors, f.targets).total.backward();
  const torch::Tensor grad = f.output.logits.grad();
  EXPECT_NEAR(grad[0].item<float>(), 0.25f - 0.5f, 1e-6);
  EXPECT_NEAR(grad[3].item<float>(), 0.25f, 1e-6);
  EXPECT_EQ(grad.slice(0, 4).abs().max().item<float>(), 0);
  EXPECT_EQ(f.output.moves_left.grad()[1].item<float>(), 0);
}

TEST(Loss, ReferenceOperationsAgree) {
  HiveNet net = BusyNet(16, 2, 3);
  const env::Block block = BlockOf(env::RandomPositions(16, 3));
  Targets targets;
  targets.policy.assign(static_cast<std::size_t>(block.move_count()), 0.0f);
  for (std::size_t p = 0; p < 16; ++p) {
    const bool has_moves = block.move_begin[p] < block.move_begin[p + 1];
    if (has_moves) targets.policy[static_cast<std::size_t>(block.move_begin[p])] = 1;
    targets.policy_weight.push_back(has_moves ? 1.0f : 0.0f);
    targets.wdl.push_back({0.2f, 0.3f, 0.5f});
    targets.value_weight.push_back(1);
    targets.moves_left.push_back(20);
    targets.moves_left_weight.push_back(1);
  }
  BlockTensors tensors = MakeBlockTensors(block, torch::kCPU);
  std::vector<torch::Tensor> gradients[2];
  for (const bool reference : {false, true}) {
    tensors.reference = reference;
    net->zero_grad();
    ComputeLoss(net->forward(tensors), tensors, targets).total.backward();
    for (const torch::Tensor& parameter : net->parameters())
      gradients[reference].push_back(parameter.grad().clone());
  }
  for (std::size_t i = 0; i < gradients[0].size(); ++i)
    EXPECT_TRUE(torch::allclose(gradients[0][i], gradients[1][i], 1e-3, 1e-5)) << i;
}

// 64 positions with random targets: a net that cannot learn these by heart has a broken path
// somewhere.
TEST(Loss, Overfits64Positions) {
  std::vector<env::Game> games;
  for (std::uint64_t seed = 100; games.size() < 64; ++seed) {
    env::Game game = env::RandomGame({}, 12 + static_cast<int>(seed % 20), seed);
    if (!game.outcome().over()) games.push_back(game);
  }
  const env::Block block = BlockOf(games);
  base::RandomStream random(1);
  Targets targets;
  targets.policy.assign(static_cast<std::size_t>(block.move_count()), 0.0f);
  for (std::size_t p = 0; p < 64; ++p) {
    const std::uint32_t count =
        static_cast<std::uint32_t>(block.move_begin[p + 1] - block.move_begin[p]);
    const std::size_t begin = static_cast<std::size_t>(block.move_begin[p]);
    targets.policy[begin + random.Below(count)] += 0.75f;
    targets.policy[begin + random.Below(count)] += 0.25f;
    targets.policy_weight.push_back(1);
    Wdl wdl;
    (p % 3 == 0 ? wdl.win : p % 3 == 1 ? wdl.draw : wdl.loss) = 1;
    targets.wdl.push_back(wdl);
    targets.value_weight.push_back(1);
    targets.moves_left.push_back(static_cast<float>(random.Below(60)));
    targets.moves_left_weight.push_back(1);
  }
  torch::set_num_threads(1);
  HiveNet net = MakeNet({}, 1);
  torch::optim::AdamW optimizer(net->parameters(),
                                torch::optim::AdamWOptions(4e-3).weight_decay(0));
  const BlockTensors tensors = MakeBlockTensors(block, torch::kCPU);
  Loss loss;
  for (int step = 0; step < 200; ++step) {
    optimizer.zero_grad();
    loss = ComputeLoss(net->forward(tensors), tensors, targets);
    loss.total.backward();
    torch::nn::utils::clip_grad_norm_(net->parameters(), 1.0);
    optimizer.step();
  }
  EXPECT_LT((loss.policy - loss.target_entropy).item<float>(), 0.1f);
  EXPECT_LT(loss.value.item<float>(), 0.05f);
  EXPECT_LT(loss.moves_left.item<float>(), 0.02f);
}

}  // namespace
}  // namespace apiary::nn
