#include "train/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <thread>

#include "tests/train/worker_runs.h"
#include "train/game_file.h"
#include "train/heartbeat.h"

namespace apiary::train {
namespace {

using testing::HasSubstr;

TEST(Worker, WithoutWeightsPlaysGenerationZero) {
  TestDirectory run;
  WorkerOptions options = SmallWorker(run.path());
  options.max_games = 10;  // = gen0_games: returns without waiting for weights
  base::StopToken stop;
  WorkerStats stats;
  RunWorker(options, stop, stats);
  EXPECT_EQ(stats.games, 10U);
  const std::vector<GameRecord> records = AllRecords(run.path());
  EXPECT_EQ(records.size(), 10U);
  std::uint64_t positions = 0;
  for (const GameRecord& game : records) {
    EXPECT_EQ(game.last_generation, 0);
    positions += game.moves.size();
  }
  EXPECT_EQ(stats.positions, positions);
  const GameListing listing = ListGames(run.path()).value();
  for (const GameFileName& file : listing.files) EXPECT_EQ(file.generation, 0);
  EXPECT_EQ(listing.foreign, 0);
}

TEST(Worker, GenerationZeroCountsTheGamesThatAreThere) {
  TestDirectory run;
  base::StopToken stop;
  WorkerStats stats;
  WorkerOptions options = SmallWorker(run.path());
  options.max_games = 7;
  RunWorker(options, stop, stats);
  ASSERT_EQ(AllRecords(run.path()).size(), 7U);
  // As after a kill: a new process, new streams. Every game is sealed as it ends.
  options.stream_key = 99;
  options.max_games = 20;
  options.config.store.positions_per_file = 1;
  // After the three that are missing it waits for weights.
  options.evaluators = [](const std::string&) -> base::Result<std::unique_ptr<nn::Evaluator>> {
    return base::Fail("weights came");
  };
  std::thread publisher([&] {
    while (ListGames(run.path())->games() < 10) std::this_thread::yield();
    PublishFakeWeights(run.path(), 1);
  });
  EXPECT_THROW(RunWorker(options, stop, stats), Error);
  publisher.join();
  EXPECT_EQ(AllRecords(run.path()).size(), 10U);
  EXPECT_EQ(AllGames(run.path()).size(), 10U);
}

TEST(Worker, WithWeightsPlaysSearchedGames) {
  TestDirectory run;
  PublishFakeWeights(run.path(), 3);
  WorkerOptions options = SmallWorker(run.path());
  options.max_games = 12;
  base::StopToken stop;
  WorkerStats stats;
  RunWorker(options, stop, stats);
  EXPECT_EQ(stats.games, 12U);
  EXPECT_EQ(stats.generation, 3);
  EXPECT_FALSE(stats.paused);
  // Four each, fewer where the root was solved before.
  EXPECT_LE(stats.simulations, 4 * stats.searches);
  EXPECT_GE(stats.simulations, 4 * (stats.searches - stats.solved_roots));
  EXPECT_GT(stats.batches, 0U);
  EXPECT_GT(stats.evaluations, stats.batches);
  for (const GameRecord& game : AllRecords(run.path())) EXPECT_EQ(game.first_generation, 3);
  EXPECT_EQ(ListGames(run.path())->files.front().generation, 3);
  const auto heartbeats = ReadWorkerHeartbeats(run.path());
  ASSERT_EQ(heartbeats.size(), 1U);
  EXPECT_EQ(heartbeats[0].name, "test-0");
  EXPECT_EQ(heartbeats[0].state, "ended");
  EXPECT_EQ(heartbeats[0].games, 12U);
}

TEST(Worker, SeedAndStreamKeyMakeTheGames) {
  const auto games = [](std::uint64_t seed, std::uint64_t key) {
    TestDirectory run;
    PublishFakeWeights(run.path(), 1);
    WorkerOptions options = SmallWorker(run.path());
    options.config.seed = seed;
    options.stream_key = key;
    options.max_games = 4;
    base::StopToken stop;
    WorkerStats stats;
    RunWorker(options, stop, stats);
    return AllGames(run.path());
  };
  const auto base = games(1, 0);
  EXPECT_EQ(base.size(), 4U);
  EXPECT_EQ(games(1, 0), base);
  EXPECT_NE(games(2, 0), base);
  EXPECT_NE(games(1, 5), base);
}

TEST(Worker, AStopFileThatIsThereEndsItAtOnce) {
  TestDirectory run;
  std::ofstream(run / "STOP") << "";
  base::StopToken stop;
  WorkerStats stats;
  RunWorker(SmallWorker(run.path()), stop, stats);
  EXPECT_EQ(stats.games, 0U);
  PublishFakeWeights(run.path(), 1);
  RunWorker(SmallWorker(run.path()), stop, stats);
  EXPECT_EQ(stats.games, 0U);
}

TEST(Worker, AStopRequestEndsItAtOnce) {
  TestDirectory run;
  PublishFakeWeights(run.path(), 1);
  base::StopToken stop;
  stop.Request();
  WorkerStats stats;
  RunWorker(SmallWorker(run.path()), stop, stats);
  EXPECT_EQ(stats.games, 0U);
}

// Plays as the fake does, and after `blocks` of them gives a value that is not a number.
class FailingEvaluator : public nn::FakeEvaluator {
 public:
  explicit FailingEvaluator(int blocks) : blocks_(blocks) {}
  void Submit(const env::Block& block, nn::Evaluation& evaluation) override {
    FakeEvaluator::Submit(block, evaluation);
    if (--blocks_ < 0) evaluation.wdl.front().loss = std::numeric_limits<float>::infinity();
  }

 private:
  int blocks_;
};

TEST(Worker, ANonFiniteValueEndsItAndFinishedGamesAreKept) {
  TestDirectory run;
  PublishFakeWeights(run.path(), 1);
  WorkerOptions options = SmallWorker(run.path());
  options.evaluators = [](const std::string&) -> base::Result<std::unique_ptr<nn::Evaluator>> {
    return std::unique_ptr<nn::Evaluator>(std::make_unique<FailingEvaluator>(400));
  };
  base::StopToken stop;
  WorkerStats stats;
  EXPECT_THROW(RunWorker(options, stop, stats), Error);
  EXPECT_GT(stats.games, 0U);
  EXPECT_EQ(AllRecords(run.path()).size(), stats.games);
}

TEST(Worker, WeightsThatNoEvaluatorReadsAreAnError) {
  TestDirectory run;
  PublishFakeWeights(run.path(), 1);
  WorkerOptions options = SmallWorker(run.path());
  options.evaluators = [](const std::string& path) -> base::Result<std::unique_ptr<nn::Evaluator>> {
    return base::Fail("{}: another architecture", path);
  };
  base::StopToken stop;
  WorkerStats stats;
  try {
    RunWorker(options, stop, stats);
    FAIL() << "it went on";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("gen-000001.safetensors: another architecture"));
  }
}

TEST(Worker, ARunBelowARegularFileIsAnError) {
  TestDirectory directory;
  std::ofstream(directory / "file") << "x";
  base::StopToken stop;
  WorkerStats stats;
  EXPECT_THROW(RunWorker(SmallWorker(directory / "file/run"), stop, stats), Error);
}

}  // namespace
}  // namespace apiary::train
