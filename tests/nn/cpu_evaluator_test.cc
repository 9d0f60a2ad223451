#include "nn/cpu_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "nn/net_layout.h"
#include "tests/env/random_positions.h"
#include "tests/nn/busy_weights.h"

namespace apiary::nn {
namespace {

using testing::HasSubstr;

NetSpec Spec(int channels, int blocks) {
  return {.channels = channels,
          .blocks = blocks,
          .variant = "Base",
          .encoder_version = 1,
          .generation = 4};
}

Evaluation Evaluate(const TensorFile& file, const NetSpec& spec, const env::Block& block,
                    const ProductKernel& kernel = BestProductKernel()) {
  CpuEvaluator evaluator(CpuNet(file, spec, kernel));
  Evaluation evaluation;
  evaluator.Evaluate(block, evaluation);
  return evaluation;
}

// 300 positions are more than a chunk, and a position in the middle of one is not its first.
TEST(CpuEvaluator, BlockEqualsItsPositionsOneByOne) {
  const NetSpec spec = Spec(24, 3);
  const TensorFile file = BusyWeights(spec, 1);
  const std::vector<env::Game> games = env::RandomPositions(300, 5);
  const Evaluation all = Evaluate(file, spec, BlockOf(games));
  std::size_t move = 0;
  for (std::size_t p = 0; p < games.size(); ++p) {
    const Evaluation one = Evaluate(file, spec, env::BlockOf({games[p]}));
    ASSERT_EQ(one.wdl[0], all.wdl[p]) << p;
    ASSERT_EQ(one.moves_left[0], all.moves_left[p]) << p;
    for (const float logit : one.logits) ASSERT_EQ(logit, all.logits[move++]) << p;
  }
  EXPECT_EQ(move, all.logits.size());
}

TEST(CpuEvaluator, KernelsAgree) {
  const NetSpec spec = Spec(40, 2);
  const TensorFile file = BusyWeights(spec, 2);
  const env::Block block = BlockOf(env::RandomPositions(50, 6));
  const Evaluation expected = Evaluate(file, spec, block);
  for (const ProductKernel* kernel : ProductKernels()) {
    const Evaluation other = Evaluate(file, spec, block, *kernel);
    for (std::size_t m = 0; m < expected.logits.size(); ++m)
      ASSERT_NEAR(other.logits[m], expected.logits[m], 1e-4) << kernel->name;
    for (std::size_t p = 0; p < expected.wdl.size(); ++p)
      ASSERT_NEAR(other.wdl[p].win, expected.wdl[p].win, 1e-5) << kernel->name;
  }
}

TEST(CpuEvaluator, UntrainedNetIsUniform) {
  const NetSpec spec = Spec(32, 4);
  const Evaluation evaluation =
      Evaluate(MakeUntrainedNet(spec, 3), spec, BlockOf(env::RandomPositions(20, 7)));
  for (const float logit : evaluation.logits) EXPECT_EQ(logit, 0);
  for (const Wdl& wdl : evaluation.wdl) EXPECT_FLOAT_EQ(wdl.win, 1.0f / 3);
}

TEST(CpuEvaluator, NonFiniteWeightStopsAtOnce) {
  const NetSpec spec = Spec(16, 2);
  const env::Block block = BlockOf(env::RandomPositions(8, 2));
  for (const std::string name :
       {"block0_weight1", "block1_pool_weight", "policy_rows", "value_bias"}) {
    TensorFile file = BusyWeights(spec, 4);
    const float bad = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(file.tensors[name].bytes.data(), &bad, sizeof(bad));
    EXPECT_THROW(Evaluate(file, spec, block), Error) << name;
  }
}

TEST(CpuEvaluator, FromAFile) {
  const NetSpec spec = Spec(16, 2);
  const std::string path = testing::TempDir() + "/cpu_evaluator.safetensors";
  ASSERT_TRUE(WriteTensors(path, BusyWeights(spec, 5)).ok());
  const auto evaluator = MakeCpuEvaluator(path);
  ASSERT_TRUE(evaluator.ok()) << evaluator.error();
  EXPECT_THAT((*evaluator)->Describe(), HasSubstr("hive-conv-1 16x2 Base generation 4 on cpu"));
  EXPECT_THAT(MakeCpuEvaluator("/nonexistent/net").error(), HasSubstr("/nonexistent/net"));
}

TEST(NetLayout, NamesTheTensorThatDoesNotFit) {
  const NetSpec spec = Spec(16, 2);
  const TensorFile good = MakeUntrainedNet(spec, 6);
  ASSERT_TRUE(CheckNet(good, "x").ok());
  TensorFile missing = good;
  missing.tensors.erase("policy_out");
  EXPECT_EQ(CheckNet(missing, "x").error(), "x: tensor \"policy_out\" is missing");
  TensorFile shape = good;
  shape.tensors["value_bias"].shape = {31};
  EXPECT_EQ(CheckNet(shape, "x").error(), "x: tensor \"value_bias\" has shape [31], expected [32]");
  TensorFile type = good;
  type.tensors["value_bias"].type = TensorType::kI64;
  EXPECT_EQ(CheckNet(type, "x").error(), "x: tensor \"value_bias\" is not F32");
  TensorFile more = good;
  more.tensors["extra"] = more.tensors["policy_out"];
  EXPECT_EQ(CheckNet(more, "x").error(), "x: unknown tensor \"extra\"");
}

}  // namespace
}  // namespace apiary::nn
