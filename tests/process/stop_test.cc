// Ending and resuming a training program: signals, the STOP file, the budget, a second learner.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <deque>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "nn/weights.h"
#include "tests/app/program.h"
#include "tests/base/temporary_directory.h"
#include "tests/process/tiny_run.h"
#include "train/checkpoint.h"
#include "train/game_store.h"
#include "train/heartbeat.h"

namespace apiary::process {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Until the run has so many generations and sealed games of the first of them; false if a program
// ended before.
bool WaitForGeneration(const std::string& run, int generation,
                       std::initializer_list<app::StartedProgram*> programs) {
  while (nn::HighestGeneration(run) < generation || !fs::exists(run + "/games/g000000")) {
    for (app::StartedProgram* program : programs)
      if (!program->Running()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

std::int64_t SealedSelfplayGames(const std::string& run) {
  const auto listing = train::ListGames(run);
  EXPECT_TRUE(listing.ok()) << listing.error();
  std::int64_t games = 0;
  for (const train::GameFileName& file : listing->files)
    if (file.generation > 0) games += file.games;
  return games;
}

std::int64_t WindowPositions(const std::string& run) {
  const auto checkpoint = train::ReadCheckpoint(run);
  EXPECT_TRUE(checkpoint.ok()) << checkpoint.error();
  std::int64_t positions = 0;
  for (const auto& entry : (*checkpoint)->window)
    positions += static_cast<std::int64_t>(entry.uses.size());
  return positions;
}

void ExpectNoTemporaries(const std::string& run) {
  for (const auto& entry : fs::recursive_directory_iterator(run))
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
}

class Stop : public testing::Test {
 protected:
  std::string run() const { return directory_ / "run"; }

  // Stops a training run by `signal`: everything is flushed, and the same command goes on.
  void ExpectFlushedBy(int signal) {
    app::StartedProgram program(TinyRun("train", run()));
    ASSERT_TRUE(WaitForGeneration(run(), 2, {&program})) << program.Wait().err;
    program.Signal(signal);
    const app::ProgramResult result = program.Wait();
    EXPECT_EQ(result.code, 128 + signal) << result.err;
    EXPECT_THAT(result.err, HasSubstr("apiary train --run " + run()));
    ExpectNoTemporaries(run());
    const RunState stopped = ReadIntactRun(run());
    EXPECT_GT(stopped.step, 0);
    // Every finished game is in a file.
    const auto workers = train::ReadWorkerHeartbeats(run());
    ASSERT_EQ(workers.size(), 1U);
    EXPECT_EQ(workers[0].state, "ended");
    EXPECT_EQ(workers[0].games, static_cast<std::uint64_t>(SealedGames()));

    const int goal = stopped.generation + 2;
    const app::ProgramResult resumed =
        app::RunProgram(TinyRun("train", run(), {"--generations", std::to_string(goal)}));
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    const RunState end = ReadIntactRun(run());
    ExpectGrown(stopped, end);
    EXPECT_EQ(end.generation, goal);
    EXPECT_GT(end.step, stopped.step);
  }

  nlohmann::json Inspect() const {
    return nlohmann::json::parse(app::RunProgram({"inspect", "--json", run()}).out);
  }
  int SealedGames() const { return Inspect()["games"]; }

  base::TemporaryDirectory directory_;
};

TEST_F(Stop, ByCtrlCFlushesAndResumes) { ExpectFlushedBy(SIGINT); }
TEST_F(Stop, BySigtermFlushesAndResumes) { ExpectFlushedBy(SIGTERM); }

TEST_F(Stop, ASecondCtrlCEndsAtOnce) {
  TrainTinyRun(run(), 2);
  // A LATEST that does not fit is looked at again for 30 s, in which the first signal is not seen.
  std::ofstream(run() + "/weights/LATEST") << "{\"format\":";
  app::StartedProgram program(TinyRun("train", run()));
  ASSERT_TRUE(program.WaitForText("memory, at most"));
  program.Signal(SIGINT);
  // Two signals sent together may arrive as one.
  while (program.Running()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    program.Signal(SIGINT);
  }
  EXPECT_EQ(program.Wait().code, 130);
}

TEST_F(Stop, ABudgetThatIsSpentIsSaid) {
  const std::vector<std::string> command =
      TinyRun("train", run(), {"--set", "budget.minutes=0.02"});
  const app::ProgramResult first = app::RunProgram(command);
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("budget spent: generation"));
  const RunState state = ReadIntactRun(run());
  EXPECT_GE(state.wall_s, 60 * 0.02);
  const app::ProgramResult again = app::RunProgram(command);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("the budget is spent already"));
  ExpectGrown(ReadIntactRun(run()), state);
}

TEST_F(Stop, AStoppedRunWithoutAStepKeepsItsTime) {
  const std::vector<std::string> command =
      TinyRun("train", run(), {"--set", "learn.min_positions=1000000000"});
  double wall_s = 0;
  for (int start = 0; start < 2; ++start) {
    app::StartedProgram program(command);
    ASSERT_TRUE(program.WaitForText("learner: have")) << program.Wait().err;
    program.Signal(SIGINT);
    ASSERT_EQ(program.Wait().code, 130);
    const RunState state = ReadIntactRun(run());
    EXPECT_EQ(state.step, 0);
    EXPECT_GT(state.wall_s, wall_s);
    wall_s = state.wall_s;
  }
}

TEST_F(Stop, AResumedWindowIsAsLargeAsBefore) {
  const auto command = [this](int generations) {
    return TinyRun("train", run(),
                   {"--set", "learn.window_min=100", "--set", "learn.min_positions=900",
                    "--generations", std::to_string(generations)});
  };
  ASSERT_EQ(app::RunProgram(command(1)).code, 0);
  const std::int64_t before = WindowPositions(run());
  EXPECT_LT(before, 900);
  ASSERT_EQ(app::RunProgram(command(2)).code, 0);
  EXPECT_GE(WindowPositions(run()), before);
}

// Positions of generation 0 for one step of 32, where a generation takes two: the first net must
// come all the same.
TEST_F(Stop, TheFirstGenerationComesWhenGeneration0IsUsedUp) {
  const app::ProgramResult result = app::RunProgram(TinyRun(
      "train", run(),
      {"--set", "selfplay.gen0_games=3", "--set", "learn.min_positions=1", "--generations", "2"}));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(ReadIntactRun(run()).generation, 2);
}

TEST_F(Stop, SelfplayAndLearnAreTwoProcessesOfOneRun) {
  app::StartedProgram learner(TinyRun("learn", run()));
  ASSERT_TRUE(learner.WaitForText("memory, at most")) << learner.Wait().err;
  app::StartedProgram worker({"selfplay", "--run", run(), "--threads", "2"});
  ASSERT_TRUE(WaitForGeneration(run(), 3, {&learner, &worker}))
      << learner.Wait().err << worker.Wait().err;
  while (SealedSelfplayGames(run()) < 8 && worker.Running())
    std::this_thread::sleep_for(std::chrono::milliseconds(20));

  std::ofstream(run() + "/STOP").flush();
  for (app::StartedProgram* program : {&learner, &worker}) {
    const app::ProgramResult result = program->Wait();
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("stopped by " + run() + "/STOP"));
  }
  ExpectNoTemporaries(run());
  const RunState state = ReadIntactRun(run());
  EXPECT_GE(state.generation, 3);
  EXPECT_GE(state.selfplay_games, 8);
  // Dense policies of real searches, compressed.
  const double bytes = Inspect()["bytes_per_position"];
  EXPECT_GT(bytes, 10);
  EXPECT_LE(bytes, 300);
  EXPECT_THAT(app::RunProgram({"inspect", run()}).out, HasSubstr("bytes a position"));

  // With STOP in place both end at once, train removes it.
  EXPECT_EQ(app::RunProgram(TinyRun("learn", run())).code, 0);
  EXPECT_EQ(app::RunProgram({"selfplay", "--run", run()}).code, 0);
  const app::ProgramResult train = app::RunProgram(
      TinyRun("train", run(), {"--generations", std::to_string(state.generation + 1)}));
  EXPECT_EQ(train.code, 0) << train.err;
  EXPECT_THAT(train.err, HasSubstr("removed " + run() + "/STOP"));
}

TEST_F(Stop, ManyProcessesMayStartOnARunAtOnce) {
  TrainTinyRun(run(), 1);
  std::ofstream(run() + "/STOP").flush();  // each reads and rewrites the configuration, and ends
  std::deque<app::StartedProgram> programs;
  for (int i = 0; i < 6; ++i)
    programs.emplace_back(
        TinyRun("selfplay", run(), {"--set", "learn.max_lead=" + std::to_string(100 + i)}));
  for (app::StartedProgram& program : programs) {
    const app::ProgramResult result = program.Wait();
    EXPECT_EQ(result.code, 0) << result.err;
  }
  ReadIntactRun(run());
}

TEST_F(Stop, ASecondLearnerFencesTheFirst) {
  TrainTinyRun(run(), 2);
  app::StartedProgram first(TinyRun("learn", run()));
  ASSERT_TRUE(first.WaitForText("gen ")) << first.Wait().err;  // its progress line: it has the run
  app::StartedProgram second(TinyRun("learn", run()));
  ASSERT_TRUE(second.WaitForText("gen ")) << second.Wait().err;
  const app::ProgramResult fenced = first.Wait();
  EXPECT_EQ(fenced.code, 1) << fenced.err;
  EXPECT_THAT(fenced.err, HasSubstr("apiary: " + run() +
                                    ": another learner (epoch 3) has taken this run over"));
  EXPECT_TRUE(second.Running());
  second.Signal(SIGTERM);
  EXPECT_EQ(second.Wait().code, 143);
  ReadIntactRun(run());
}

}  // namespace
}  // namespace apiary::process
