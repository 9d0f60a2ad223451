// kill -9 of a whole training program at any time.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "base/random.h"
#include "tests/app/program.h"
#include "tests/base/temporary_directory.h"
#include "tests/process/tiny_run.h"

namespace apiary::process {
namespace {

namespace fs = std::filesystem;

constexpr int kKills = 20;
constexpr int kMaxMilliseconds =
    1200;  // a run of this size gets through several generations in that time
constexpr int kEnoughGenerations = 24;  // more than the positions of generation 0 are enough for

TEST(Kill, TwentyTimesAtRandomLosesNothing) {
  const base::TemporaryDirectory directory;
  const std::string run = directory / "run";
  base::RandomStream random(20, {1});
  RunState state;
  for (int kill = 0; kill < kKills; ++kill) {
    app::StartedProgram program(TinyRun("train", run));
    // A third are killed while they start and read the run, the others at work.
    if (kill % 3 != 0) {
      ASSERT_TRUE(program.WaitForText("memory, at most")) << program.Wait().err;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random.Below(kMaxMilliseconds)));
    program.Signal(SIGKILL);
    const app::ProgramResult result = program.Wait();
    ASSERT_EQ(result.code, 128 + SIGKILL) << result.err;
    if (!fs::exists(run + "/config.toml")) continue;
    SCOPED_TRACE(testing::Message() << "after kill " << kill + 1);
    const RunState now = ReadIntactRun(run);
    ExpectGrown(state, now);
    state = now;
    if (HasFailure()) FAIL() << result.err;
  }
  // The same command goes on, and now it may come to its end.
  const std::string goal = std::to_string(std::max(kEnoughGenerations, state.generation + 2));
  const app::ProgramResult last = app::RunProgram(TinyRun("train", run, {"--generations", goal}));
  ASSERT_EQ(last.code, 0) << last.err;
  const RunState end = ReadIntactRun(run);
  ExpectGrown(state, end);
  EXPECT_EQ(std::to_string(end.generation), goal);
  EXPECT_GT(end.selfplay_games, 0);
  EXPECT_TRUE(fs::is_empty(run + "/bad"));
  for (const char* folder : {"/ckpt", "/weights"})
    for (const auto& entry : fs::directory_iterator(run + folder))
      EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
  EXPECT_EQ(app::RunProgram({"doctor", "--run", run}).code, 0);
}

}  // namespace
}  // namespace apiary::process
