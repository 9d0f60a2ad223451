// Self-play as workers do it, and beside it, in the same process and in turns with it, the bare
// evaluator on ready-made blocks, copies of those that the searches made: what is missing to its
// speed is overhead.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <iostream>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/arguments.h"
#include "app/bench_run.h"
#include "app/devices.h"
#include "base/allocation_count.h"
#include "base/process_memory.h"
#include "base/stop.h"
#include "train/worker.h"

namespace apiary::app {
namespace {

using nlohmann::ordered_json;

// What one worker's evaluator saw after the warm-up. CPU seconds of its thread.
struct Probe {
  std::uint64_t blocks = 0;
  std::uint64_t positions = 0;
  std::int64_t rows = 0, rows_computed = 0;
  double seconds = 0;  // search and evaluation; second evaluations apart
  double raw_seconds = 0;
  std::uint64_t raw_positions = 0;
  std::int64_t allocations = 0;  // outside of the evaluator
  std::int64_t evaluator_allocations = 0;
};

// Shared by the threads of one measurement.
struct Measurement {
  std::atomic<bool> warm{false};
  std::mutex mutex;
  std::vector<Probe> probes;  // one a worker, guarded by mutex
};

// Evaluates, keeps copies of blocks, and from time to time evaluates those one after the other:
// the bare evaluator. (The same block twice in a row would flatter it by a tenth: its branches are
// learnt by then.) On a device it only counts: blocks are in flight while the worker goes on, and
// are joined with others'. Lives on its worker's thread.
class ProbeEvaluator : public nn::Evaluator {
 public:
  ProbeEvaluator(std::unique_ptr<nn::Evaluator> evaluator, bool on_cpu, Measurement& measurement)
      : evaluator_(std::move(evaluator)), on_cpu_(on_cpu), measurement_(measurement) {}
  ~ProbeEvaluator() override {
    const std::lock_guard lock(measurement_.mutex);
    measurement_.probes.push_back(probe_);
  }

  void Submit(const env::Block& block, nn::Evaluation& evaluation) override {
    if (on_cpu_) return Measure(block, evaluation);
    evaluator_->Submit(block, evaluation);
    if (measurement_.warm) Count(block);
  }
  void Wait(nn::Evaluation& evaluation) override {
    if (!on_cpu_) evaluator_->Wait(evaluation);
  }
  std::string Describe() const override { return evaluator_->Describe(); }

 private:
  void Count(const env::Block& block) {
    ++probe_.blocks;
    probe_.positions += static_cast<std::uint64_t>(block.positions());
    probe_.rows += block.rows();
    probe_.rows_computed += evaluator_->RowsComputed(block);
  }

  void Measure(const env::Block& block, nn::Evaluation& evaluation) {
    if (!measurement_.warm) return evaluator_->Evaluate(block, evaluation);
    const std::int64_t allocations = base::AllocationsOfThread().count;
    evaluator_->Evaluate(block, evaluation);
    const double end = ThreadSeconds();
    if (last_s_ > 0) {  // since the end of the last block
      Count(block);
      probe_.seconds += end - last_s_;
      probe_.allocations += allocations - last_allocations_;
      probe_.evaluator_allocations += base::AllocationsOfThread().count - allocations;
    }
    if (probe_.blocks % kKeepEvery == 0) Keep(block);
    last_allocations_ = base::AllocationsOfThread().count;
    last_s_ = ThreadSeconds();
  }

  void Keep(const env::Block& block) {
    ready_made_[kept_++] = block;
    if (kept_ < ready_made_.size()) return;
    kept_ = 0;
    evaluator_->Evaluate(ready_made_[0], evaluation_);  // what the search left in the caches goes
    const double begin = ThreadSeconds();
    for (std::size_t i = 1; i < ready_made_.size(); ++i) {
      evaluator_->Evaluate(ready_made_[i], evaluation_);
      probe_.raw_positions += static_cast<std::uint64_t>(ready_made_[i].positions());
    }
    probe_.raw_seconds += ThreadSeconds() - begin;
  }

  static constexpr std::uint64_t kKeepEvery = 8;

  std::unique_ptr<nn::Evaluator> evaluator_;
  bool on_cpu_;
  Measurement& measurement_;
  Probe probe_;
  double last_s_ = 0;  // 0: no block since the warm-up
  std::int64_t last_allocations_ = 0;
  std::array<env::Block, 8> ready_made_;
  std::size_t kept_ = 0;
  nn::Evaluation evaluation_;
};

nn::EvaluatorFactory ProbeFactory(const std::string& device, Measurement& measurement) {
  const bool on_cpu = device == "auto" ? !UsesGpu() : device != "cuda";
  return [inner = MakeEvaluatorFactory(device), on_cpu,
          &measurement](const std::string& path) -> base::Result<std::unique_ptr<nn::Evaluator>> {
    auto evaluator = inner(path);
    if (!evaluator) return evaluator.failure();
    return std::unique_ptr<nn::Evaluator>(
        std::make_unique<ProbeEvaluator>(std::move(*evaluator), on_cpu, measurement));
  };
}

train::RunConfig WorkerConfig(const BenchArguments& arguments, const nn::NetSpec& spec,
                              int threads) {
  constexpr int kNeverAhead = 200'000'000;
  train::RunConfig config;
  config.seed = arguments.seed;
  config.threads = threads;
  config.net.channels = spec.channels;
  config.net.blocks = spec.blocks;
  config.selfplay.simulations = arguments.simulations;
  if (arguments.no_cache) config.selfplay.cache_mb = 0;
  config.selfplay.gen0_games = 0;
  config.learn.max_lead = kNeverAhead;
  return config;
}

// Counters at one time, of all workers.
struct Counters {
  double wall_s = 0;
  std::uint64_t games = 0, searches = 0, simulations = 0, solved = 0, evaluations = 0,
                remembered = 0;
};
Counters Read(const std::vector<train::WorkerStats>& stats) {
  Counters now;
  now.wall_s = WallSeconds();
  for (const train::WorkerStats& worker : stats) {
    now.games += worker.games;
    now.searches += worker.searches;
    now.simulations += worker.simulations;
    now.solved += worker.solved_roots;
    now.evaluations += worker.evaluations;
    now.remembered += worker.remembered;
  }
  return now;
}

void WaitUntil(double wall_s, const base::StopToken& stop) {
  while (WallSeconds() < wall_s && !stop.requested() && !base::ProcessStop().requested())
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

struct Result {
  Counters begin, end;
  std::vector<Probe> probes;
  std::uint64_t tree_bytes = 0;
};

// Runs workers for a third of `seconds` to warm up and then for `seconds`. Rethrows what a worker
// threw.
Result RunWorkers(const BenchRun& run, const BenchArguments& arguments,
                  const train::RunConfig& config, double seconds) {
  const auto threads = static_cast<std::size_t>(config.threads);
  Measurement measurement;
  std::vector<train::WorkerStats> stats(threads);
  std::vector<std::exception_ptr> errors(threads);
  base::StopToken stop;
  Result result;
  {
    std::vector<std::jthread> pool;
    for (std::size_t i = 0; i < threads; ++i) {
      train::WorkerOptions options;
      options.run = run.path();
      options.name = fmt::format("bench{}", i);
      options.thread_index = static_cast<int>(i);
      options.threads = config.threads;
      options.config = config;
      options.evaluators = ProbeFactory(arguments.device, measurement);
      pool.emplace_back([&, i, options] {
        try {
          train::RunWorker(options, stop, stats[i]);
        } catch (...) {
          errors[i] = std::current_exception();
          stop.Request();
        }
      });
    }
    WaitUntil(WallSeconds() + seconds / 3, stop);
    measurement.warm = true;
    result.begin = Read(stats);
    WaitUntil(WallSeconds() + seconds, stop);
    result.end = Read(stats);
    stop.Request();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  for (const train::WorkerStats& worker : stats)
    result.tree_bytes = std::max<std::uint64_t>(result.tree_bytes, worker.tree_bytes);
  result.probes = std::move(measurement.probes);
  return result;
}

double Ratio(double a, double b) { return b > 0 ? a / b : 0; }

ordered_json Report(const BenchArguments& arguments, int threads, const Result& result) {
  Probe sum;
  double evals_per_s = 0, raw_evals_per_s = 0;
  for (const Probe& probe : result.probes) {
    evals_per_s += Ratio(static_cast<double>(probe.positions), probe.seconds);
    raw_evals_per_s += Ratio(static_cast<double>(probe.raw_positions), probe.raw_seconds);
    sum.blocks += probe.blocks;
    sum.positions += probe.positions;
    sum.rows += probe.rows;
    sum.rows_computed += probe.rows_computed;
    sum.seconds += probe.seconds;
    sum.raw_positions += probe.raw_positions;
    sum.allocations += probe.allocations;
    sum.evaluator_allocations += probe.evaluator_allocations;
  }
  const double wall = result.end.wall_s - result.begin.wall_s;
  if (sum.raw_positions == 0) evals_per_s = Ratio(static_cast<double>(sum.positions), wall);
  const auto count = [&](std::uint64_t Counters::*member) {
    return static_cast<double>(result.end.*member - result.begin.*member);
  };
  const double searches = count(&Counters::searches), sims = count(&Counters::simulations);
  const double remembered = count(&Counters::remembered);
  return {
      {"net", arguments.net},
      {"device", arguments.device},
      {"sims", arguments.simulations},
      {"threads", threads},
      {"games_per_s", Ratio(count(&Counters::games), wall)},
      {"plies_per_s", Ratio(searches, wall)},
      {"sims_per_s", Ratio(sims, wall)},
      {"games_per_cpu_s", Ratio(count(&Counters::games), sum.seconds)},
      {"plies_per_cpu_s", Ratio(searches, sum.seconds)},
      {"sims_per_cpu_s", Ratio(sims, sum.seconds)},
      {"evals_per_s", evals_per_s},
      {"raw_evals_per_s", raw_evals_per_s},
      {"overhead", 1 - Ratio(evals_per_s, raw_evals_per_s)},
      {"occupancy", Ratio(static_cast<double>(sum.rows), static_cast<double>(sum.rows_computed))},
      {"positions_per_block",
       Ratio(static_cast<double>(sum.positions), static_cast<double>(sum.blocks))},
      {"sims_per_eval", Ratio(sims, static_cast<double>(sum.positions))},
      {"cache_hit_share", Ratio(remembered, remembered + count(&Counters::evaluations))},
      {"solved_share", Ratio(count(&Counters::solved), searches)},
      {"allocations_per_sim", Ratio(static_cast<double>(sum.allocations), sims)},
      {"evaluator_allocations_per_block",
       Ratio(static_cast<double>(sum.evaluator_allocations), static_cast<double>(sum.blocks))},
      {"tree_bytes_max", result.tree_bytes},
      {"rss_bytes", base::ResidentBytes()}};
}

}  // namespace

int BenchSelfplay(const BenchArguments& arguments) {
  constexpr double kLonger = 10;  // games of an untrained net are long: they must have time to end
  const BenchRun run(arguments);
  const int threads = ThreadsOrAll(arguments.threads);
  const Result result = RunWorkers(run, arguments, WorkerConfig(arguments, run.spec(), threads),
                                   kLonger * arguments.seconds);
  const ordered_json report = Report(arguments, threads, result);
  if (arguments.json) {
    std::cout << report.dump() << std::endl;
    return base::StopExitCode();
  }
  for (const auto& [name, value] : report.items()) {
    const std::string text =
        value.is_number_float() ? fmt::format("{:.4g}", value.get<double>()) : value.dump();
    std::cout << fmt::format("{:<32} {}\n", name, text);
  }
  return base::StopExitCode();
}

}  // namespace apiary::app
