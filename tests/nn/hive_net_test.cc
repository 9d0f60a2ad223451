#include "nn/hive_net.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "nn/hex_kernels.h"
#include "tests/nn/net_blocks.h"

namespace apiary::nn {
namespace {

using testing::Each;

NetOutput Forward(HiveNet& net, const env::Block& block) {
  const c10::InferenceMode inference;
  return net->forward(MakeBlockTensors(block, torch::kCPU));
}

float MaxDifference(const NetOutput& a, const NetOutput& b) {
  const c10::InferenceMode inference;
  float difference = 0;
  for (const auto& [x, y] :
       {std::pair(a.logits, b.logits), std::pair(a.wdl_logits, b.wdl_logits),
        std::pair(a.moves_left / kMovesLeftScale, b.moves_left / kMovesLeftScale)})
    difference = std::max(difference, ((x - y).abs() / (1 + y.abs())).max().item<float>());
  return difference;
}

TEST(HiveNet, ActivationsStayInScaleAtInitialisation) {
  NetSpec spec;
  spec.blocks = 8;
  HiveNet net = MakeNet(spec, 1);
  const env::Block block = BlockOf(env::RandomPositions(40, 1));
  const std::vector<float> scales = net->ActivationScales(MakeBlockTensors(block, torch::kCPU));
  ASSERT_EQ(scales.size(), 9U);
  EXPECT_GT(scales[0], 0.3f);
  EXPECT_LT(scales[0], 3.0f);
  for (const float scale : scales) {
    EXPECT_GT(scale / scales[0], 0.9f);
    EXPECT_LT(scale / scales[0], 1.1f);
  }
}

TEST(HiveNet, StartsUniform) {
  HiveNet net = MakeNet({}, 2);
  const NetOutput out = Forward(net, BlockOf(env::RandomPositions(20, 2)));
  EXPECT_EQ(out.logits.abs().max().item<float>(), 0);
  EXPECT_EQ(out.wdl_logits.abs().max().item<float>(), 0);
  EXPECT_NEAR(out.moves_left.max().item<float>(), kMovesLeftScale * std::log(2.0f), 1e-3);
}

TEST(HiveNet, SameSeedSameWeights) {
  HiveNet a = MakeNet({}, 3), b = MakeNet({}, 3), c = MakeNet({}, 4);
  EXPECT_TRUE(torch::equal(a->parameters()[0], b->parameters()[0]));
  EXPECT_FALSE(torch::equal(a->parameters()[0], c->parameters()[0]));
}

// Both round; how much depends on the net and on the order of the sums. So both are held against
// the same net in double precision.
TEST(HiveNet, KernelsAreAsExactAsLibTorch) {
  for (const int channels : {8, 32, 40}) {
    HiveNet net = BusyNet(channels, 4, 5);
    const env::Block block = BlockOf(env::RandomPositions(30, 5));
    BlockTensors tensors = MakeBlockTensors(block, torch::kCPU);
    const torch::NoGradGuard no_grad;
    const NetOutput fast = net->forward(tensors);
    tensors.reference = true;
    const NetOutput reference = net->forward(tensors);
    net->to(torch::kDouble);
    const NetOutput exact = net->forward(tensors);
    const float rounding = MaxDifference(reference, exact);
    EXPECT_LT(rounding, 1e-4f) << channels;
    EXPECT_LT(MaxDifference(fast, exact), 3 * rounding) << channels;
  }
}

TEST(HiveNet, BatchEqualsSinglePositions) {
  HiveNet net = BusyNet(32, 4, 6);
  const auto games = env::RandomPositions(40, 6);
  const env::Block block = BlockOf(games);
  const NetOutput all = Forward(net, block);
  for (std::size_t p = 0; p < games.size(); ++p) {
    const NetOutput one = Forward(net, BlockOf({games[p]}));
    const c10::InferenceMode inference;
    const std::int64_t at = static_cast<std::int64_t>(p);
    const NetOutput part{all.logits.slice(0, block.move_begin[p], block.move_begin[p + 1]),
                         all.wdl_logits.slice(0, at, at + 1), all.moves_left.slice(0, at, at + 1)};
    ASSERT_EQ(part.logits.size(0), one.logits.size(0));
    if (one.logits.size(0) == 0) continue;
    EXPECT_LT(MaxDifference(part, one), 1e-5f) << p;
  }
}

// Rows of each position in another order, every index changed accordingly.
env::Block Shuffled(const env::Block& block) {
  std::vector<std::int32_t> to(static_cast<std::size_t>(block.rows()));
  for (std::size_t p = 0; p + 1 < block.row_begin.size(); ++p)
    for (std::int32_t r = block.row_begin[p]; r < block.row_begin[p + 1]; ++r)
      to[static_cast<std::size_t>(r)] = block.row_begin[p] + block.row_begin[p + 1] - 1 - r;
  const auto map = [&](std::int32_t r) { return r < 0 ? r : to[static_cast<std::size_t>(r)]; };
  env::Block out = block;
  for (int r = 0; r < block.rows(); ++r) {
    const std::size_t from = static_cast<std::size_t>(r), there = static_cast<std::size_t>(map(r));
    for (std::size_t s = 0; s < 6; ++s) out.neighbors[there][s] = map(block.neighbors[from][s]);
    std::copy_n(block.row_features.begin() + r * env::kNumRowFeatures, env::kNumRowFeatures,
                out.row_features.begin() + map(r) * env::kNumRowFeatures);
  }
  for (auto& queens : out.queen_rows) queens = {map(queens[0]), map(queens[1])};
  for (auto& move : out.moves) move = {map(move.source), map(move.destination)};
  return out;
}

TEST(HiveNet, RowOrderDoesNotMatter) {
  HiveNet net = BusyNet(32, 4, 7);
  const env::Block block = BlockOf(env::RandomPositions(30, 7));
  EXPECT_LT(MaxDifference(Forward(net, Shuffled(block)), Forward(net, block)), 1e-5f);
}

TEST(HiveNet, EmptyBoardAndPass) {
  HiveNet net = BusyNet(32, 4, 8);
  env::Block block;
  env::MoveList moves;
  env::Game game;
  game.LegalMoves(moves);
  env::Append(game, moves, {}, block);
  env::MoveList pass;
  pass.push_back(env::Move::Pass());
  env::Append(env::RandomGame({}, 20, 8), pass, {}, block);
  const NetOutput out = Forward(net, block);
  ASSERT_EQ(out.logits.size(0), 5);
  EXPECT_NE(out.logits[0].item<float>(), 0);
  EXPECT_EQ(out.logits[4].item<float>(), 0);
  EXPECT_TRUE(out.wdl_logits.isfinite().all().item<bool>());
}

TEST(HiveNet, BlockWithoutAnyMove) {
  HiveNet net = BusyNet(32, 2, 8);
  env::Block block;
  env::Append(env::Game(), env::MoveList(), {}, block);
  const NetOutput out = Forward(net, block);
  EXPECT_EQ(out.logits.size(0), 0);
  EXPECT_EQ(out.wdl_logits.size(0), 1);
}

// The net is not built equivariant: it learns the symmetries from randomly turned positions. What
// must hold is that a symmetry acts on nothing but the six neighbour taps. So with all six matrices
// of a convolution equal, outputs must be invariant (exactly the property, no statistics needed);
// with different ones they must change, else the net would not see directions.
TEST(HiveNet, SymmetrisedWeightsGiveInvariantOutputs) {
  HiveNet net = BusyNet(32, 4, 9);
  const auto games = env::RandomPositions(30, 9);
  const NetOutput plain = Forward(net, BlockOf(games));
  for (int i = 1; i < env::kNumSymmetries; ++i)
    EXPECT_GT(MaxDifference(Forward(net, BlockOf(games, env::Symmetry::FromIndex(i))), plain),
              1e-2f)
        << i;
  {
    const torch::NoGradGuard no_grad;
    for (const auto& item : net->named_parameters()) {
      if (item.value().dim() != 2 || item.value().size(0) != kTaps * 32) continue;
      torch::Tensor taps = item.value().view({kTaps, 32, 32}).slice(0, 1);
      taps.copy_(taps.mean(0, /*keepdim=*/true).expand_as(taps));
    }
  }
  const NetOutput symmetric = Forward(net, BlockOf(games));
  for (int i = 1; i < env::kNumSymmetries; ++i)
    EXPECT_LT(MaxDifference(Forward(net, BlockOf(games, env::Symmetry::FromIndex(i))), symmetric),
              2e-5f)
        << i;
}

}  // namespace
}  // namespace apiary::nn
