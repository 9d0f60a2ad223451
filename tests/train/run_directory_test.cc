#include "train/run_directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/base/temporary_directory.h"
#include "train/checkpoint.h"

namespace apiary::train {
namespace {

namespace fs = std::filesystem;

RunOptions OptionsFor(const std::string& run) {
  RunOptions options;
  options.run = run;
  options.config = "smoke";
  return options;
}

TEST(RunDirectory, NewRunHasItsFoldersAndConfiguration) {
  const base::TemporaryDirectory directory;
  const std::string run = directory.path() + "/run";
  const auto opened = OpenRun(OptionsFor(run), true);
  ASSERT_TRUE(opened.ok()) << opened.error();
  EXPECT_FALSE(opened->resumed);
  for (const char* folder : {"weights", "games", "ckpt", "tb", "logs", "workers", "bad"})
    EXPECT_TRUE(fs::is_directory(run + "/" + folder)) << folder;
  EXPECT_TRUE(fs::exists(run + "/config.toml"));
  const auto again = OpenRun(OptionsFor(run), true);
  ASSERT_TRUE(again.ok()) << again.error();
  EXPECT_TRUE(again->resumed);
  EXPECT_TRUE(again->changes.empty());
}

TEST(RunDirectory, ChangedSettingIsShownAndKept) {
  const base::TemporaryDirectory directory;
  RunOptions options = OptionsFor(directory.path() + "/run");
  ASSERT_TRUE(OpenRun(options, true).ok());
  options.overrides = {"learn.batch=77"};
  const auto opened = OpenRun(options, true);
  ASSERT_TRUE(opened.ok()) << opened.error();
  ASSERT_EQ(opened->changes.size(), 1U);
  EXPECT_TRUE(opened->changes[0].starts_with("learn.batch: "));
  EXPECT_TRUE(opened->changes[0].ends_with(" -> 77"));
  options.config.clear();
  options.overrides.clear();
  EXPECT_EQ(OpenRun(options, true)->config.learn.batch, 77);
}

TEST(RunDirectory, ChangedNetIsRefusedByName) {
  const base::TemporaryDirectory directory;
  RunOptions options = OptionsFor(directory.path() + "/run");
  ASSERT_TRUE(OpenRun(options, true).ok());
  options.overrides = {"net.channels=48"};
  const auto wider = OpenRun(options, true);
  ASSERT_FALSE(wider.ok());
  EXPECT_NE(wider.error().find("net.channels"), std::string::npos);
  options.overrides = {"rules.variant=\"Base+M\""};
  const auto other = OpenRun(options, true);
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().find("rules.variant"), std::string::npos);
}

TEST(RunDirectory, BelowARegularFileIsASentence) {
  const base::TemporaryDirectory directory;
  std::ofstream(directory.path() + "/file") << "x";
  const auto opened = OpenRun(OptionsFor(directory.path() + "/file/run"), true);
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().find(directory.path() + "/file"), std::string::npos);
}

TEST(RunDirectory, MissingRunIsNotMadeByWorkers) {
  const base::TemporaryDirectory directory;
  const auto opened = OpenRun(OptionsFor(directory.path() + "/typo"), false);
  ASSERT_FALSE(opened.ok());
  EXPECT_FALSE(fs::exists(directory.path() + "/typo"));
}

TEST(RunDirectory, StopFile) {
  const base::TemporaryDirectory directory;
  EXPECT_FALSE(StopFilePresent(directory.path()));
  std::ofstream(StopFile(directory.path())) << "";
  EXPECT_TRUE(StopFilePresent(directory.path()));
  EXPECT_TRUE(RemoveStopFile(directory.path()));
  EXPECT_FALSE(RemoveStopFile(directory.path()));
}

TEST(LearnerFence, TheSecondLearnerFencesTheFirst) {
  const base::TemporaryDirectory directory;
  fs::create_directories(directory.path() + "/ckpt");
  const auto first = LearnerFence::Claim(directory.path());
  ASSERT_TRUE(first.ok());
  EXPECT_TRUE(first->Check().ok());
  const auto second = LearnerFence::Claim(directory.path());
  ASSERT_TRUE(second.ok());
  EXPECT_GT(second->epoch(), first->epoch());
  EXPECT_TRUE(second->Check().ok());
  EXPECT_FALSE(first->Check().ok());
}

class CheckpointTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(run() + "/ckpt"); }
  const std::string& run() const { return directory_.path(); }

  static Checkpoint Sample(std::int64_t step) {
    Checkpoint checkpoint;
    checkpoint.state.step = step;
    checkpoint.state.samples = 1234;
    checkpoint.state.random = {1, 2, 3, 0xFFFFFFFFFFFFFFFFULL};
    checkpoint.state.last_outcomes = "WBDC";
    checkpoint.state.consumed = {"g000000/a"};
    checkpoint.window = {{"g000001/b", {0, 3, 1}}, {"g000001/c", {2}}};
    checkpoint.tensors.tensors["net.x"] = {nn::TensorType::kF32, {1}, {0, 0, 128, 63}};
    return checkpoint;
  }

  base::TemporaryDirectory directory_;
};

TEST_F(CheckpointTest, RoundTrip) {
  EXPECT_FALSE(ReadCheckpoint(run())->has_value());
  WriteCheckpoint(run(), Sample(5), base::DiskFullPolicy(0));
  const auto read = ReadCheckpoint(run());
  ASSERT_TRUE(read.ok()) << read.error();
  const Checkpoint& checkpoint = **read;
  EXPECT_EQ(checkpoint.state.step, 5);
  EXPECT_EQ(checkpoint.state.samples, 1234);
  EXPECT_EQ(checkpoint.state.random, Sample(5).state.random);
  EXPECT_EQ(checkpoint.state.last_outcomes, "WBDC");
  EXPECT_EQ(checkpoint.state.consumed, Sample(5).state.consumed);
  ASSERT_EQ(checkpoint.window.size(), 2U);
  EXPECT_EQ(checkpoint.window[0].uses, (std::vector<std::uint8_t>{0, 3, 1}));
  EXPECT_EQ(checkpoint.window[1].key, "g000001/c");
  EXPECT_EQ(checkpoint.tensors.tensors.at("net.x").bytes,
            Sample(5).tensors.tensors.at("net.x").bytes);
}

TEST_F(CheckpointTest, KeepsTheLastTwo) {
  for (int step : {1, 2, 3}) WriteCheckpoint(run(), Sample(step), base::DiskFullPolicy(0));
  EXPECT_FALSE(fs::exists(run() + "/ckpt/ckpt-000000001.safetensors"));
  EXPECT_TRUE(fs::exists(run() + "/ckpt/ckpt-000000002.safetensors"));
  EXPECT_EQ((**ReadCheckpoint(run())).state.step, 3);
}

TEST_F(CheckpointTest, ASecondOneOfAStepLeavesTheFirstAlone) {
  WriteCheckpoint(run(), Sample(7), base::DiskFullPolicy(0));
  Checkpoint later = Sample(7);
  later.state.wall_s = 12;
  WriteCheckpoint(run(), later, base::DiskFullPolicy(0));
  EXPECT_EQ((**ReadCheckpoint(run())).state.wall_s, 12);
  EXPECT_EQ(ReadCheckpointFile(run() + "/ckpt/ckpt-000000007.safetensors")->state.wall_s, 0);
}

TEST_F(CheckpointTest, NeverRemovesTheOneThatLatestNames) {
  WriteCheckpoint(run(), Sample(5), base::DiskFullPolicy(0));
  const std::string of_step_5 = run() + "/ckpt/ckpt-000000005.safetensors";
  // Killed learners got further but not as far as LATEST.
  for (const char* orphan : {"8", "9"})
    fs::copy_file(of_step_5, run() + "/ckpt/ckpt-00000000" + orphan + ".safetensors");
  for (int step : {6, 7}) WriteCheckpoint(run(), Sample(step), base::DiskFullPolicy(0));
  EXPECT_EQ((**ReadCheckpoint(run())).state.step, 7);
  EXPECT_FALSE(fs::exists(run() + "/ckpt/ckpt-000000009.safetensors"));
}

TEST_F(CheckpointTest, CorruptLatestNamesTheNewestIntactCheckpoint) {
  WriteCheckpoint(run(), Sample(1), base::DiskFullPolicy(0));
  WriteCheckpoint(run(), Sample(2), base::DiskFullPolicy(0));
  std::ofstream(run() + "/ckpt/LATEST") << "{\"format\": \"apiary-la";
  const auto read = ReadCheckpoint(run());
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().find("ckpt/LATEST"), std::string::npos);
  EXPECT_NE(read.error().find("ckpt-000000002.safetensors"), std::string::npos);
}

TEST_F(CheckpointTest, DamagedFileNamesTheOneBefore) {
  WriteCheckpoint(run(), Sample(1), base::DiskFullPolicy(0));
  WriteCheckpoint(run(), Sample(2), base::DiskFullPolicy(0));
  fs::resize_file(run() + "/ckpt/ckpt-000000002.safetensors", 100);
  const auto read = ReadCheckpoint(run());
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().find("ckpt-000000001.safetensors"), std::string::npos);
}

}  // namespace
}  // namespace apiary::train
