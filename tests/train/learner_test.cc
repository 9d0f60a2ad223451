#include "train/learner.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "env/encoder.h"
#include "tests/train/gen0_sample.h"
#include "train/learner_loop.h"
#include "train/replay_window.h"

namespace apiary::train {
namespace {

RunConfig TinyConfig() {
  RunConfig config;
  config.net.channels = 8;
  config.net.blocks = 2;
  config.learn.batch = 32;
  return config;
}

nn::NetSpec TinySpec() {
  nn::NetSpec spec;
  spec.channels = 8;
  spec.blocks = 2;
  return spec;
}

std::multiset<std::vector<std::uint8_t>> SortedRows(const env::Block& block) {
  std::multiset<std::vector<std::uint8_t>> rows;
  for (auto row = block.row_features.begin(); row != block.row_features.end();
       row += env::kNumRowFeatures)
    rows.emplace(row, row + env::kNumRowFeatures);
  return rows;
}

TEST(Batch, CarriesThePolicyOfThePositionThroughAnySymmetry) {
  const auto games = PlayGen0Games(1, 5);
  const Sample sample{&games[0], 12, {0.5F, 0.25F, 0.25F}, 3};
  TrainingBatch plain;
  AppendSample(sample, env::Symmetry(), 1, plain);
  const auto played = games[0].Policy(games[0].positions[12]);
  ASSERT_EQ(plain.targets.policy.size(), played.size());
  ASSERT_EQ(plain.block.move_count(), static_cast<int>(played.size()));
  for (std::size_t i = 0; i < played.size(); ++i)
    EXPECT_FLOAT_EQ(plain.targets.policy[i], static_cast<float>(played[i]) / 65535.0F);
  TrainingBatch turned;
  AppendSample(sample, env::Symmetry::FromIndex(7), 1, turned);
  EXPECT_EQ(turned.targets.policy, plain.targets.policy);
  EXPECT_NE(turned.block.neighbors, plain.block.neighbors);
  EXPECT_EQ(SortedRows(turned.block), SortedRows(plain.block));
}

TEST(Batch, DrawnGamesHaveAWeightOfTheirOwn) {
  auto games = PlayGen0Games(2, 5);
  games[0].outcome = {env::Result::kDraw, env::Reason::kRepetition};
  games[1].outcome = {env::Result::kBlackWins, env::Reason::kSurround};
  TrainingBatch batch;
  for (const GameRecord& game : games)
    AppendSample({&game, 12, {0.5F, 0.25F, 0.25F}, 3}, env::Symmetry(), 0.25F, batch);
  EXPECT_EQ(batch.targets.value_weight, (std::vector<float>{0.25F, 1}));
}

TEST(Learner, LossFallsOnARepeatedBatch) {
  ReplayWindow window({});
  window.Add("a", PlayGen0Games(4, 1), {});
  base::RandomStream random(2);
  TrainingBatch batch;
  FillBatch(window, 32, 1, random, batch);
  Learner learner(TinyConfig(), TinySpec(), 1);
  const StepLosses first = learner.Step(batch, 3e-3);
  StepLosses last;
  for (int i = 0; i < 60; ++i) last = learner.Step(batch, 3e-3);
  EXPECT_LT(last.policy, 0.7 * first.policy);
  EXPECT_LT(last.value, 0.7 * first.value);
}

TEST(Learner, ResumesBitExactlyFromItsState) {
  ReplayWindow window({});
  window.Add("a", PlayGen0Games(4, 1), {});
  base::RandomStream random(2);
  std::vector<TrainingBatch> batches(6);
  for (TrainingBatch& batch : batches) FillBatch(window, 32, 1, random, batch);

  Learner straight(TinyConfig(), TinySpec(), 1);
  for (int i = 0; i < 3; ++i) straight.Step(batches[static_cast<std::size_t>(i)], 1e-3);
  const nn::TensorFile saved = straight.State();
  for (int i = 3; i < 6; ++i) straight.Step(batches[static_cast<std::size_t>(i)], 1e-3);

  Learner resumed(TinyConfig(), TinySpec(), 99);
  ASSERT_TRUE(resumed.Restore(saved, "state").ok());
  for (int i = 3; i < 6; ++i) resumed.Step(batches[static_cast<std::size_t>(i)], 1e-3);
  const nn::TensorFile a = straight.State();
  const nn::TensorFile b = resumed.State();
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (const auto& [name, tensor] : a.tensors)
    EXPECT_EQ(tensor.bytes, b.tensors.at(name).bytes) << name;
}

TEST(Learner, RestoreNamesATensorThatIsMissing) {
  Learner learner(TinyConfig(), TinySpec(), 1);
  nn::TensorFile state = learner.State();
  const std::string name = [&] {
    for (const auto& [key, tensor] : state.tensors)
      if (key.starts_with("average.")) return key;
    return std::string();
  }();
  state.tensors.erase(name);
  const auto restored = learner.Restore(state, "RUN/ckpt");
  ASSERT_FALSE(restored.ok());
  EXPECT_NE(restored.error().find(name), std::string::npos);
}

TEST(Learner, LearningRateWarmsUpAndEndsLow) {
  RunConfig config;
  config.learn.learning_rate = 1e-3;
  config.learn.final_learning_rate = 1e-4;
  EXPECT_NEAR(LearningRate(config, 0, 0), 1e-5, 1e-12);
  EXPECT_NEAR(LearningRate(config, 0, 1000), 1e-3, 1e-12);
  EXPECT_NEAR(LearningRate(config, 0.5, 1000), 5.5e-4, 1e-9);
  EXPECT_NEAR(LearningRate(config, 1, 1000), 1e-4, 1e-12);
}

TEST(Budget, IsTheLargestShareOfTheLimitsThatAreSet) {
  RunConfig config;
  EXPECT_EQ(BudgetShare(config, 1e6, 1e6, 1000), 0);
  config.budget.minutes = 10;
  EXPECT_DOUBLE_EQ(BudgetShare(config, 300, 1e6, 1000), 0.5);
  config.budget.generations = 4;
  EXPECT_DOUBLE_EQ(BudgetShare(config, 300, 0, 3), 0.75);
  config.budget.cpu_hours = 1;
  EXPECT_DOUBLE_EQ(BudgetShare(config, 300, 3600, 3), 1);
}

}  // namespace
}  // namespace apiary::train
