#include "tests/train/worker_runs.h"

#include <algorithm>
#include <iterator>

#include "nn/weights.h"
#include "train/game_file.h"
#include "train/imported_game.h"

namespace apiary::train {

RunConfig SmallConfig() {
  RunConfig config;
  config.rules.max_plies = 24;
  config.selfplay.simulations = 4;
  config.selfplay.considered = 4;
  config.selfplay.games_per_thread = 6;
  config.selfplay.sample_plies = 6;
  config.selfplay.gen0_games = 10;
  config.store.positions_per_file = 100;
  config.io.full_timeout_s = 0;
  return config;
}

void PublishFakeWeights(const std::string& run, int generation) {
  nn::TensorFile file;
  nn::WriteSpec({8, 1, "Base", env::kEncoderVersion, generation}, file);
  const auto published = nn::PublishWeights(run, generation, file);
  if (!published) throw Error(published.error());
}

nn::EvaluatorFactory FakeFactory() {
  return [](const std::string&) -> base::Result<std::unique_ptr<nn::Evaluator>> {
    return std::unique_ptr<nn::Evaluator>(std::make_unique<nn::FakeEvaluator>());
  };
}

WorkerOptions SmallWorker(const std::string& run, int thread_index, int threads) {
  WorkerOptions options;
  options.run = run;
  options.name = "test-" + std::to_string(thread_index);
  options.thread_index = thread_index;
  options.threads = threads;
  options.config = SmallConfig();
  options.evaluators = FakeFactory();
  options.poll_s = 0.01;
  return options;
}

std::vector<GameRecord> AllRecords(const std::string& run) {
  std::vector<GameRecord> records;
  const GameListing listing = ListGames(run).value();
  for (const GameFileName& file : listing.files) {
    std::vector<GameRecord> games = ReadGameFile(file.path).value();
    std::move(games.begin(), games.end(), std::back_inserter(records));
  }
  return records;
}

std::multiset<std::string> AllGames(const std::string& run) {
  std::multiset<std::string> games;
  for (const GameRecord& game : AllRecords(run))
    games.insert(GameStringOf(game) + EncodeGames({game}));
  return games;
}

AsyncEvaluator::AsyncEvaluator() : thread_([this] { Work(); }) {}

AsyncEvaluator::~AsyncEvaluator() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void AsyncEvaluator::Submit(const env::Block& block, nn::Evaluation& evaluation) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({&block, &evaluation});
    in_flight_.insert(&evaluation);
    most_in_flight_ = std::max(most_in_flight_, ++not_waited_for_);
  }
  changed_.notify_all();
}

void AsyncEvaluator::Wait(nn::Evaluation& evaluation) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !in_flight_.contains(&evaluation); });
  --not_waited_for_;
}

void AsyncEvaluator::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const Job job = waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    fake_.Evaluate(*job.block, *job.evaluation);
    lock.lock();
    in_flight_.erase(job.evaluation);
    changed_.notify_all();
  }
}

}  // namespace apiary::train
