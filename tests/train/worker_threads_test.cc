// Workers as threads, with readers, publishers and evaluators on other threads; for ThreadSanitizer
// too.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <memory>
#include <set>
#include <thread>

#include "tests/train/worker_runs.h"
#include "train/game_file.h"
#include "train/heartbeat.h"
#include "train/worker.h"

namespace apiary::train {
namespace {

// Runs `threads` workers to their end.
void RunWorkers(const std::string& run, int threads, std::uint64_t max_games,
                const nn::EvaluatorFactory& factory = FakeFactory()) {
  base::StopToken stop;
  std::vector<std::unique_ptr<WorkerStats>> stats;
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) {
    stats.push_back(std::make_unique<WorkerStats>());
    WorkerOptions options = SmallWorker(run, i, threads);
    options.max_games = max_games;
    options.evaluators = factory;
    workers.emplace_back([options, &stop, &own = *stats.back()] { RunWorker(options, stop, own); });
  }
  for (std::thread& worker : workers) worker.join();
}

std::multiset<std::string> Games(int threads, bool weights, std::uint64_t max_games,
                                 const nn::EvaluatorFactory& factory = FakeFactory()) {
  TestDirectory run;
  if (weights) PublishFakeWeights(run.path(), 1);
  RunWorkers(run.path(), threads, max_games, factory);
  return AllGames(run.path());
}

nn::EvaluatorFactory AsyncFactory() {
  return [](const std::string&) -> base::Result<std::unique_ptr<nn::Evaluator>> {
    return std::unique_ptr<nn::Evaluator>(std::make_unique<AsyncEvaluator>());
  };
}

TEST(WorkerThreads, OneOrFourThreadsPlayTheSameGames) {
  const auto one = Games(1, true, 24);
  EXPECT_EQ(one.size(), 24U);
  EXPECT_EQ(std::set<std::string>(one.begin(), one.end()).size(), 24U);
  EXPECT_EQ(Games(4, true, 24), one);
}

TEST(WorkerThreads, OneOrFourThreadsPlayTheSameGenerationZero) {
  const auto one = Games(1, false, 10);
  EXPECT_EQ(one.size(), 10U);
  EXPECT_EQ(Games(4, false, 10), one);
}

TEST(WorkerThreads, AnEvaluatorOnAnotherThreadGivesTheSameGames) {
  EXPECT_EQ(Games(2, true, 12, AsyncFactory()), Games(1, true, 12));
}

TEST(WorkerThreads, CachesOfAnySizeGiveTheSameGames) {
  const auto games = [](int cache_mb) {
    TestDirectory run;
    PublishFakeWeights(run.path(), 1);
    WorkerOptions options = SmallWorker(run.path());
    options.max_games = 24;
    options.config.selfplay.cache_mb = cache_mb;
    const base::StopToken stop;
    WorkerStats stats;
    RunWorker(options, stop, stats);
    EXPECT_EQ(stats.remembered > 0, cache_mb > 0);
    return AllGames(run.path());
  };
  EXPECT_EQ(games(1), games(0));
  EXPECT_EQ(games(64), games(0));
}

TEST(WorkerThreads, OneCohortIsEvaluatedWhileTheOtherSelects) {
  TestDirectory run;
  PublishFakeWeights(run.path(), 1);
  std::atomic<int> most_in_flight = 0;
  class Watched : public AsyncEvaluator {
   public:
    explicit Watched(std::atomic<int>& most) : most_(most) {}
    ~Watched() override { most_ = most_in_flight(); }

   private:
    std::atomic<int>& most_;
  };
  RunWorkers(run.path(), 1, 12,
             [&](const std::string&) -> base::Result<std::unique_ptr<nn::Evaluator>> {
               return std::unique_ptr<nn::Evaluator>(std::make_unique<Watched>(most_in_flight));
             });
  EXPECT_EQ(most_in_flight, 2);
}

TEST(WorkerThreads, AReaderSeesWholeFilesOnly) {
  TestDirectory run;
  PublishFakeWeights(run.path(), 1);
  std::atomic<bool> done = false;
  std::size_t read_games = 0;
  std::thread reader([&] {
    std::set<std::string> seen;
    bool last = false;
    while (!last) {
      last = done;  // one more look after the workers' end
      const auto listing = ListGames(run.path());
      ASSERT_TRUE(listing.ok()) << listing.error();
      for (const GameFileName& file : listing->files) {
        if (!seen.insert(file.key).second) continue;
        const auto games = ReadGameFile(file.path);
        ASSERT_TRUE(games.ok()) << games.error();
        EXPECT_EQ(games->size(), static_cast<std::size_t>(file.games));
        read_games += games->size();
      }
    }
  });
  RunWorkers(run.path(), 3, 30);
  done = true;
  reader.join();
  EXPECT_EQ(read_games, 30U);
}

// A worker that runs until it is stopped.
class RunningWorker {
 public:
  explicit RunningWorker(const WorkerOptions& options)
      : options_(options), thread_([this] { RunWorker(options_, stop_, stats); }) {}
  ~RunningWorker() { End(); }
  void End() {
    stop_.Request();
    if (thread_.joinable()) thread_.join();
  }
  void Join() { thread_.join(); }
  template <typename Condition>
  void Until(const Condition& condition) {
    while (!condition()) std::this_thread::yield();
  }
  WorkerStats stats;

 private:
  WorkerOptions options_;
  base::StopToken stop_;
  std::thread thread_;
};

TEST(WorkerThreads, WaitsForTheFirstWeightsAndTakesUpEveryNewOne) {
  TestDirectory run;
  RunningWorker worker(SmallWorker(run.path()));
  worker.Until([&] { return ListGames(run.path())->games() >= 10; });
  PublishFakeWeights(run.path(), 1);
  worker.Until([&] { return worker.stats.games >= 16; });
  PublishFakeWeights(run.path(), 2);
  worker.Until([&] { return worker.stats.generation == 2; });
  const std::uint64_t games = worker.stats.games;
  worker.Until([&] { return worker.stats.games >= games + 12; });
  worker.End();
  const std::vector<GameRecord> records = AllRecords(run.path());
  EXPECT_EQ(records.size(), worker.stats.games);
  std::set<int> last;
  for (const GameRecord& game : records) {
    EXPECT_LE(game.last_generation - game.first_generation, 1);
    last.insert(game.last_generation);
  }
  EXPECT_EQ(last, (std::set<int>{0, 1, 2}));
}

TEST(WorkerThreads, PausesWhileItIsAheadAndGoesOn) {
  TestDirectory run;
  PublishFakeWeights(run.path(), 1);
  WorkerOptions options = SmallWorker(run.path());
  ASSERT_TRUE(WriteLearnerHeartbeat(run.path(), {1'000'000, 0, 1, 1, 0}).ok());
  RunningWorker worker(options);
  worker.Until([&] { return worker.stats.paused.load(); });
  EXPECT_EQ(worker.stats.games, 0U);
  ASSERT_TRUE(WriteLearnerHeartbeat(run.path(), {1'000'000, 1'000'000, 1, 1, 0}).ok());
  worker.Until([&] { return worker.stats.games > 0; });
  EXPECT_FALSE(worker.stats.paused);
}

TEST(WorkerThreads, StopsOnTheStopFileAndSealsItsGames) {
  TestDirectory run;
  PublishFakeWeights(run.path(), 1);
  WorkerOptions options = SmallWorker(run.path());
  options.config.store.positions_per_file = 1'000'000;
  RunningWorker worker(options);
  worker.Until([&] { return worker.stats.games >= 3; });
  std::ofstream(run / "STOP") << "";
  worker.Join();
  EXPECT_EQ(AllRecords(run.path()).size(), worker.stats.games);
}

}  // namespace
}  // namespace apiary::train
