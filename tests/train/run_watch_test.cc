#include "train/run_watch.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/train/worker_runs.h"
#include "train/clock.h"
#include "train/heartbeat.h"

namespace apiary::train {
namespace {

RunConfig WithMaxLead(int max_lead) {
  RunConfig config = SmallConfig();
  config.learn.max_lead = max_lead;
  return config;
}

void SealPositions(const std::string& run, int positions) {
  env::Rules rules;
  rules.max_plies = 10;
  GameWriter writer(run, "w", {1'000'000, 1e9, 0});
  for (int i = 0; i < positions; i += 10)
    writer.Append(SampleGame(rules, 0, static_cast<std::uint64_t>(i)), 1);
  writer.Seal();
}

// A learner that gave its last sign at `time_s`.
void WriteOldHeartbeat(const std::string& run, double time_s) {
  std::filesystem::create_directories(run + "/workers");
  std::ofstream(run + "/workers/learner.json") << fmt::format(
      R"({{"format":"apiary-learner-1","time":{},"positions_needed":0,"positions_seen":0,)"
      R"("step":1,"generation":1}})",
      time_s);
}

TEST(RunWatch, LooksOnlyWhenItIsTime) {
  TestDirectory run;
  RunWatch watch(run.path(), SmallConfig(), 1e9, false);
  EXPECT_TRUE(watch.Look());
  EXPECT_FALSE(watch.Look());
}

TEST(RunWatch, SeesTheStopFile) {
  TestDirectory run;
  RunWatch watch(run.path(), SmallConfig(), 0, false);
  watch.Look();
  EXPECT_FALSE(watch.stop_file());
  std::ofstream(run / "STOP") << "";
  watch.Look();
  EXPECT_TRUE(watch.stop_file());
}

TEST(RunWatch, GivesNewWeightsOnce) {
  TestDirectory run;
  RunWatch watch(run.path(), SmallConfig(), 0, false);
  watch.Look();
  EXPECT_FALSE(watch.TakeNewWeights().has_value());
  PublishFakeWeights(run.path(), 1);
  watch.Look();
  const auto weights = watch.TakeNewWeights();
  ASSERT_TRUE(weights.has_value());
  EXPECT_EQ(weights->generation, 1);
  EXPECT_EQ(weights->path, nn::WeightsPath(run.path(), 1));
  watch.Look();
  EXPECT_FALSE(watch.TakeNewWeights().has_value());
  PublishFakeWeights(run.path(), 2);
  PublishFakeWeights(run.path(), 3);
  watch.Look();
  EXPECT_EQ(watch.TakeNewWeights()->generation, 3);
}

TEST(RunWatch, IsAheadByTheLearnersWord) {
  TestDirectory run;
  RunWatch watch(run.path(), WithMaxLead(100), 0, false);
  ASSERT_TRUE(WriteLearnerHeartbeat(run.path(), {1100, 1000, 1, 1, 0}).ok());
  watch.Look();
  EXPECT_FALSE(watch.ahead());
  ASSERT_TRUE(WriteLearnerHeartbeat(run.path(), {1101, 1000, 1, 1, 0}).ok());
  watch.Look();
  EXPECT_TRUE(watch.ahead());
  ASSERT_TRUE(WriteLearnerHeartbeat(run.path(), {1101, 1200, 2, 1, 0}).ok());
  watch.Look();
  EXPECT_FALSE(watch.ahead());
}

TEST(RunWatch, WithoutALearnerFiveTimesTheLeadMayLieUnread) {
  TestDirectory run;
  RunWatch watch(run.path(), WithMaxLead(10), 0, false);
  SealPositions(run.path(), 50);
  watch.Look();
  EXPECT_FALSE(watch.ahead());
  SealPositions(run.path(), 10);
  watch.Look();
  EXPECT_TRUE(watch.ahead());
}

TEST(RunWatch, ASilentLearnerHasReadWhatIsOlderThanItsLastSign) {
  TestDirectory run;
  SealPositions(run.path(), 60);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(run / "games"))
    std::filesystem::last_write_time(
        entry.path(), std::filesystem::file_time_type::clock::now() - std::chrono::minutes(30));
  RunWatch watch(run.path(), WithMaxLead(10), 0, false);
  WriteOldHeartbeat(run.path(), UnixTime() - 20 * 60);
  watch.Look();
  EXPECT_FALSE(watch.ahead());
  SealPositions(run.path(), 60);
  watch.Look();
  EXPECT_TRUE(watch.ahead());
  // Nine minutes are no silence: its word counts.
  WriteOldHeartbeat(run.path(), UnixTime() - 9 * 60);
  watch.Look();
  EXPECT_FALSE(watch.ahead());
}

TEST(RunWatch, CountsSealedGamesOfGenerationZero) {
  TestDirectory run;
  EXPECT_EQ(SealedGen0Games(run.path()), 0);
  SealPositions(run.path(), 30);  // generation 1
  EXPECT_EQ(SealedGen0Games(run.path()), 0);
  env::Rules rules;
  rules.max_plies = 5;
  GameWriter writer(run.path(), "w", {1'000'000, 1e9, 0});
  writer.Append(SampleGame(rules, 0, 1), 0);
  writer.Append(SampleGame(rules, 0, 2), 0);
  writer.Seal();
  EXPECT_EQ(SealedGen0Games(run.path()), 2);
}

}  // namespace
}  // namespace apiary::train
