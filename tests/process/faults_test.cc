// Bad configurations, damaged files and forbidden directories: one sentence, an exit code, no
// crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "nn/weights.h"
#include "tests/app/program.h"
#include "tests/base/temporary_directory.h"
#include "tests/process/tiny_run.h"
#include "train/game_store.h"

namespace apiary::process {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Faults : public testing::Test {
 protected:
  std::string run() const { return directory_ / "run"; }
  std::string WriteText(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name) << text;
    return directory_ / name;
  }

  base::TemporaryDirectory directory_;
};

// Ended by itself with a code of ours, with one sentence for the user that holds all `parts`.
void ExpectRefused(const app::ProgramResult& result, const std::vector<std::string>& parts) {
  EXPECT_GT(result.code, 0) << result.err;
  EXPECT_LT(result.code, 128) << result.err;
  const std::size_t begin = result.err.rfind("apiary: ");
  ASSERT_NE(begin, std::string::npos) << result.err;
  const std::string sentence = result.err.substr(begin);
  EXPECT_EQ(std::count(sentence.begin(), sentence.end(), '\n'), 1) << sentence;
  for (const std::string& part : parts) EXPECT_THAT(sentence, HasSubstr(part));
}

TEST_F(Faults, AnUnknownConfiguration) {
  ExpectRefused(app::RunProgram({"train", "--run", run(), "--config", "nosuch"}),
                {"nosuch", "smoke", "quick"});
  EXPECT_FALSE(fs::exists(run()));
}

TEST_F(Faults, AConfigurationWithAnUnknownKeyOrAValueOutOfRange) {
  const std::string unknown = WriteText("unknown.toml", "[net]\nchannels = 16\nchanels = 16\n");
  ExpectRefused(app::RunProgram({"train", "--run", run(), "--config", unknown}),
                {unknown + ": line 3", "net.chanels"});
  const std::string range = WriteText("range.toml", "[learn]\n\nbatch = 0\n");
  ExpectRefused(app::RunProgram({"train", "--run", run(), "--config", range}),
                {range + ": line 3", "learn.batch"});
  const std::string torn = WriteText("torn.toml", "[learn]\nbatch = \n");
  ExpectRefused(app::RunProgram({"train", "--run", run(), "--config", torn}), {torn + ": line 2"});
  ExpectRefused(
      app::RunProgram({"train", "--run", run(), "--config", "smoke", "--set", "learn.batch=x"}),
      {"learn.batch"});
  EXPECT_FALSE(fs::exists(run()));
}

TEST_F(Faults, ARunDirectoryBelowARegularFile) {
  const std::string file = WriteText("file", "");
  for (const char* command : {"train", "learn", "selfplay"})
    ExpectRefused(app::RunProgram(TinyRun(command, file + "/run")), {file});
}

TEST_F(Faults, ARunDirectoryThatMayNotBeReadOrWritten) {
  TrainTinyRun(run(), 1);
  app::ProgramLimits limits;
  limits.without_override = true;
  fs::permissions(run(), fs::perms::none);
  for (const char* command : {"train", "learn", "selfplay"})
    ExpectRefused(app::StartedProgram(TinyRun(command, run()), "", limits).Wait(),
                  {run(), "ermission denied"});
  ExpectRefused(app::StartedProgram({"inspect", run()}, "", limits).Wait(),
                {run(), "ermission denied"});
  ExpectRefused(app::StartedProgram({"match", run(), "random"}, "", limits).Wait(),
                {run(), "ermission denied"});
  fs::permissions(run(), fs::perms::owner_all);
  // A folder of games that cannot be listed is no folder without games.
  fs::permissions(run() + "/games/g000000", fs::perms::none);
  ExpectRefused(app::StartedProgram(TinyRun("train", run()), "", limits).Wait(),
                {run() + "/games/g000000", "ermission denied"});
  fs::permissions(run() + "/games/g000000", fs::perms::owner_all);
  fs::permissions(run() + "/ckpt", fs::perms::owner_read | fs::perms::owner_exec);
  ExpectRefused(app::StartedProgram(TinyRun("train", run()), "", limits).Wait(),
                {run() + "/ckpt", "ermission denied"});
  fs::permissions(run() + "/ckpt", fs::perms::owner_all);
}

TEST_F(Faults, ANetOfAnotherShapeOrVariantIsRefusedByName) {
  TrainTinyRun(run(), 1);
  const RunState before = ReadIntactRun(run());
  ExpectRefused(app::RunProgram(TinyRun("train", run(), {"--set", "net.channels=16"})),
                {"net.channels", "8", "16"});
  ExpectRefused(app::RunProgram(TinyRun("train", run(), {"--set", "rules.variant=Base+M"})),
                {"rules.variant", "Base+M"});
  ExpectGrown(ReadIntactRun(run()), before);
}

TEST_F(Faults, WeightsThatAreNotWhatTheySay) {
  TrainTinyRun(run(), 1);
  nn::TensorFile file = *nn::ReadTensors(nn::WeightsPath(run(), 1), nn::kWeightsFormat);
  nn::TensorFile wide = file;
  wide.metadata["channels"] = "16";
  const std::string path = directory_ / "wide.safetensors";
  ASSERT_TRUE(nn::WriteTensors(path, wide).ok());
  ExpectRefused(app::RunProgram({"match", path, "random", "--games", "2"}), {path});
  ExpectRefused(app::RunProgram({"uhp", "--model", path}, "exit\n"), {path});
  nn::TensorFile cut = file;
  cut.tensors.erase(cut.tensors.begin());
  const std::string cut_path = directory_ / "cut.safetensors";
  ASSERT_TRUE(nn::WriteTensors(cut_path, cut).ok());
  ExpectRefused(app::RunProgram({"match", cut_path, "random", "--games", "2"}),
                {cut_path, file.tensors.begin()->first});
}

TEST_F(Faults, ACorruptCheckpoint) {
  TrainTinyRun(run(), 3);
  const std::string latest = run() + "/ckpt/LATEST";
  const std::string whole = *base::ReadFile(latest);
  std::ofstream(latest) << whole.substr(0, whole.size() / 2);
  ExpectRefused(app::RunProgram(TinyRun("train", run())),
                {latest, "the newest intact checkpoint is"});
  std::ofstream(latest) << whole;
  std::string newest;
  for (const auto& entry : fs::directory_iterator(run() + "/ckpt"))
    if (entry.path().extension() == ".safetensors")
      newest = std::max(newest, entry.path().string());
  fs::resize_file(newest, fs::file_size(newest) - 1);
  ExpectRefused(app::RunProgram(TinyRun("train", run())),
                {latest, newest, "the newest intact checkpoint is"});
  ExpectRefused(app::RunProgram({"doctor", "--run", run()}), {run()});
}

TEST_F(Faults, ATruncatedGameFileIsQuarantinedAndTheLearnerGoesOn) {
  TrainTinyRun(run(), 1);
  RunState before = ReadIntactRun(run());
  // A game file of another worker that arrives torn.
  const auto listing = train::ListGames(run());
  ASSERT_TRUE(listing.ok());
  const train::GameFileName& file = listing->files.front();
  const std::string name =
      "other-00000000-000001" + fs::path(file.path).filename().string().substr(
                                    fs::path(file.path).filename().string().find("-n"));
  const std::string torn = fs::path(file.path).parent_path() / name;
  fs::copy_file(file.path, torn);
  fs::resize_file(torn, file.bytes - 5);
  const app::ProgramResult result = app::RunProgram(
      TinyRun("train", run(), {"--generations", std::to_string(before.generation + 2)}));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr(torn), HasSubstr("moved to " + run() + "/bad/" + name)));
  EXPECT_FALSE(fs::exists(torn));
  EXPECT_EQ(fs::file_size(run() + "/bad/" + name), file.bytes - 5);
  EXPECT_GE(nn::HighestGeneration(run()), before.generation + 2);
}

// Killed between a weights file and LATEST: nobody can play, so nothing would ever come to train
// on.
TEST_F(Faults, ALatestThatLagsIsMadeGoodAtTheNextStart) {
  TrainTinyRun(run(), 1);
  fs::remove(run() + "/weights/LATEST");
  const RunState before = ReadIntactRun(run());
  const app::ProgramResult result = app::RunProgram(
      TinyRun("train", run(), {"--generations", std::to_string(before.generation + 1)}));
  EXPECT_EQ(result.code, 0) << result.err;
  const RunState after = ReadIntactRun(run());
  ExpectGrown(before, after);
  EXPECT_EQ(after.generation, before.generation + 1);
}

// Killed between a checkpoint and its weights file: the number is used after all.
TEST_F(Faults, AGenerationThatWasNotWrittenLeavesNoGap) {
  TrainTinyRun(run(), 1);
  fs::remove(run() + "/weights/LATEST");
  fs::remove(nn::WeightsPath(run(), 1));
  fs::remove(run() + "/metrics.jsonl");  // a generation's line comes after its weights
  const app::ProgramResult result =
      app::RunProgram(TinyRun("train", run(), {"--generations", "2"}));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(ReadIntactRun(run()).generation, 2);
}

}  // namespace
}  // namespace apiary::process
