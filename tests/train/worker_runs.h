// Small self-play runs for the tests of cohorts and workers.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "nn/fake_evaluator.h"
#include "tests/train/sample_games.h"
#include "train/worker.h"

namespace apiary::train {

// Four simulations a move, short games, six games a thread.
RunConfig SmallConfig();
// Publishes weights that only the factories below understand.
void PublishFakeWeights(const std::string& run, int generation);
nn::EvaluatorFactory FakeFactory();

// Options of one of `threads` workers on `run`.
WorkerOptions SmallWorker(const std::string& run, int thread_index = 0, int threads = 1);

// Every game of the run, as notation with generations and targets, so that equal texts mean equal
// records.
std::multiset<std::string> AllGames(const std::string& run);
std::vector<GameRecord> AllRecords(const std::string& run);

// Evaluates on a thread of its own, as a device does: Submit returns at once, several blocks may be
// in flight.
class AsyncEvaluator : public nn::Evaluator {
 public:
  AsyncEvaluator();
  ~AsyncEvaluator() override;
  void Submit(const env::Block& block, nn::Evaluation& evaluation) override;
  void Wait(nn::Evaluation& evaluation) override;
  std::string Describe() const override { return "fake, on another thread"; }
  // Blocks submitted and not waited for, done or not.
  int most_in_flight() const { return most_in_flight_; }

 private:
  struct Job {
    const env::Block* block;
    nn::Evaluation* evaluation;
  };
  void Work();

  nn::FakeEvaluator fake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> waiting_;
  std::set<const nn::Evaluation*> in_flight_;
  bool ended_ = false;
  int not_waited_for_ = 0;
  int most_in_flight_ = 0;
  std::thread thread_;
};

}  // namespace apiary::train
