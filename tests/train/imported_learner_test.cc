// A learner that starts from other people's games.
#include <gtest/gtest.h>

#include <numeric>

#include "nn/weights.h"
#include "tests/base/temporary_directory.h"
#include "tests/train/foreign_texts.h"
#include "train/batch.h"
#include "train/game_import.h"
#include "train/learner_loop.h"
#include "train/replay_window.h"

namespace apiary::train {
namespace {

std::vector<GameRecord> Import(const std::string& file, const std::string& variant,
                               bool keep_unfinished = false) {
  std::vector<GameRecord> records;
  GameImport import({env::Rules(), variant, keep_unfinished},
                    [&](GameRecord record) { records.push_back(std::move(record)); });
  import.Read(ReadTestFile(file));
  return records;
}

TEST(ImportedGames, TheWindowTrainsOnThem) {
  ReplayWindow window({});
  const std::vector<GameRecord> records = Import("rules/human-games.tsv", "Base", true);
  std::int64_t plies = 0;
  int without_result = 0;
  for (const GameRecord& record : records) {
    const int trainable = TrainablePositions(record);
    without_result += trainable == 0;
    plies += trainable;
  }
  EXPECT_EQ(without_result, 3);
  window.Add("import", records, {});
  EXPECT_EQ(window.positions(), plies);
  base::RandomStream random(1);
  TrainingBatch batch;
  FillBatch(window, 64, 1, random, batch);
  ASSERT_EQ(batch.targets.wdl.size(), 64U);
  for (const nn::Wdl& wdl : batch.targets.wdl)
    EXPECT_TRUE(wdl.win == 1 || wdl.draw == 1 || wdl.loss == 1);
  for (const float weight : batch.targets.policy_weight) EXPECT_EQ(weight, 1);
  EXPECT_NEAR(std::accumulate(batch.targets.policy.begin(), batch.targets.policy.end(), 0.0), 64,
              1e-3);
}

TEST(ImportedGames, AResignationIsALossForWhoResigned) {
  ReplayWindow window({});
  window.Add("import", Import("sgf/new-resignation.sgf", "Base+MLP"), {});
  ASSERT_EQ(window.positions(), 40);
  base::RandomStream random(1);
  for (int i = 0; i < 100; ++i) {
    const Sample sample = window.Draw(random);
    EXPECT_EQ(sample.value.loss, sample.ply % 2 == 0 ? 1 : 0) << sample.ply;  // White resigned
    EXPECT_EQ(sample.value.win, sample.ply % 2 == 0 ? 0 : 1) << sample.ply;
    EXPECT_LT(sample.moves_left, 0);  // nobody knows when it would have ended
  }
}

TEST(ImportedGames, ALearnerPublishesAFirstNetFromThem) {
  const base::TemporaryDirectory directory;
  RunOptions options;
  options.run = directory.path() + "/run";
  options.config = "smoke";
  options.overrides = {
      "net.channels=8",          "net.blocks=1", "learn.batch=32",       "learn.publish_steps=3",
      "learn.min_positions=500", "eval.every=0", "budget.generations=1", "budget.minutes=0"};
  const auto opened = OpenRun(options, true);
  ASSERT_TRUE(opened.ok()) << opened.error();
  GameWriter writer(options.run, std::string(kImportWorker), {});
  for (GameRecord& record : Import("rules/human-games.tsv", "Base"))
    writer.Append(std::move(record), 0);
  writer.Seal();
  const auto loop = LearnerLoop::Open(options.run, opened->config, nullptr);
  ASSERT_TRUE(loop.ok()) << loop.error();
  const base::StopToken stop;
  EXPECT_TRUE((*loop)->Run(stop));
  EXPECT_EQ(nn::HighestGeneration(options.run), 1);
  EXPECT_EQ((*loop)->Snapshot().games, 44);
  EXPECT_EQ((*loop)->Snapshot().step, 3);
}

}  // namespace
}  // namespace apiary::train
