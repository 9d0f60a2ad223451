#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <exception>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/arguments.h"
#include "app/bench.h"
#include "app/devices.h"
#include "app/temporary_directory.h"
#include "base/check.h"
#include "base/stop.h"
#include "nn/cpu_net.h"
#include "nn/net_layout.h"
#include "train/worker.h"

namespace apiary::app {
namespace {

using nlohmann::ordered_json;

nn::NetSpec ParseNet(const std::string& text) {
  nn::NetSpec spec;
  spec.generation = 1;
  const char* const end = text.data() + text.size();
  const auto channels = std::from_chars(text.data(), end, spec.channels);
  const bool has_x = channels.ec == std::errc() && channels.ptr != end && *channels.ptr == 'x';
  const auto blocks = has_x ? std::from_chars(channels.ptr + 1, end, spec.blocks) : channels;
  const bool in_range =
      spec.channels > 0 && spec.channels <= 1024 && spec.blocks > 0 && spec.blocks <= 100;
  if (!has_x || blocks.ec != std::errc() || blocks.ptr != end || !in_range ||
      spec.channels % nn::kChannelStep != 0)
    throw Error(
        fmt::format(
            "--net {}: expected CHANNELSxBLOCKS, for instance 32x4; channels are a multiple of {}",
            text, nn::kChannelStep),
        kBadUsage);
  return spec;
}

// A block of `batch` positions, repeating the set from the start where it is too small.
env::Block MakeBlock(const PositionSet& set, int batch) {
  env::Block block;
  env::MoveList moves;
  for (int i = 0; i < batch; ++i) {
    const env::Game& game = set.games[static_cast<std::size_t>(i) % set.games.size()];
    game.LegalMoves(moves);
    env::Append(game, moves, env::Symmetry(), block);
  }
  return block;
}

// Multiply-adds a second that the core makes at most with the best kernel: the best of some tries.
double PeakMultiplyAdds() {
  constexpr std::int64_t kSteps = 1 << 19;
  const nn::ProductKernel& kernel = nn::BestProductKernel();
  double best = 0;
  float sink = 0;
  for (int i = 0; i < 20; ++i) {
    const double begin = ThreadSeconds();
    sink += kernel.peak(kSteps, 0.5f);
    const double rate =
        static_cast<double>(kSteps * nn::kPeakVectors * kernel.lanes) / (ThreadSeconds() - begin);
    best = std::max(best, rate);
  }
  APIARY_CHECK(std::isfinite(sink), "{}", sink);
  return best;
}

struct EvalCase {
  std::string device;
  nn::NetSpec spec;
  std::string net;
  double peak;  // multiply-adds a second of one core
};

void MeasureBatch(const BenchArguments& arguments, const EvalCase& which, const PositionSet& set,
                  int batch, nn::Evaluator& evaluator) {
  const env::Block block = MakeBlock(set, batch);
  nn::Evaluation evaluation;
  const bool on_cpu = which.device != "cuda";
  const double seconds = MedianSeconds(on_cpu ? ThreadSeconds : WallSeconds, arguments.seconds,
                                       [&] { evaluator.Evaluate(block, evaluation); });
  const double rows = static_cast<double>(block.rows()) / batch;
  const double rate = nn::CpuNet::MultiplyAdds(which.spec, block) / seconds;
  if (arguments.json) {
    ordered_json line{{"net", which.net},
                      {"device", which.device},
                      {"set", set.name},
                      {"batch", batch},
                      {"positions_per_s", batch / seconds},
                      {"ms_per_batch", 1e3 * seconds},
                      {"rows_per_position", rows},
                      {"gflops", 2e-9 * rate}};
    if (on_cpu) line["share_of_peak"] = rate / which.peak;
    std::cout << line.dump() << std::endl;
    return;
  }
  std::cout << fmt::format(
      "eval {} {:<5} {}, batch {:>4}: {:>7.0f} positions/s, {:.3f} ms a batch, {:.0f} rows a "
      "position, {:.0f} GFLOP/s",
      which.net, which.device, set.name, batch, batch / seconds, 1e3 * seconds, rows, 2e-9 * rate);
  if (on_cpu) std::cout << fmt::format(" ({:.0f} % of peak)", 100 * rate / which.peak);
  std::cout << std::endl;
}

// A run directory with one generation of an untrained net.
struct BenchRun {
  TemporaryDirectory directory;
  nn::EvaluatorFactory evaluators;

  BenchRun(const nn::NetSpec& spec, const BenchArguments& arguments)
      : evaluators(MakeEvaluatorFactory(arguments.device)) {
    OrThrow(nn::PublishWeights(directory.path(), 1, nn::MakeUntrainedNet(spec, arguments.seed)));
  }
};

train::RunConfig WorkerConfig(const BenchArguments& arguments, const nn::NetSpec& spec,
                              int threads) {
  constexpr int kNeverAhead = 200'000'000;
  train::RunConfig config;
  config.seed = arguments.seed;
  config.threads = threads;
  config.net.channels = spec.channels;
  config.net.blocks = spec.blocks;
  config.selfplay.simulations = arguments.simulations;
  config.selfplay.gen0_games = 0;
  config.learn.max_lead = kNeverAhead;
  return config;
}

// Runs workers for `seconds` and adds up their counters into `total`; returns the time taken.
// Rethrows what a worker threw.
double RunWorkers(const BenchRun& run, const train::RunConfig& config, double seconds,
                  train::WorkerStats& total) {
  using Clock = std::chrono::steady_clock;
  const auto threads = static_cast<std::size_t>(config.threads);
  std::vector<train::WorkerStats> stats(threads);
  std::vector<std::exception_ptr> errors(threads);
  base::StopToken stop;
  const Clock::time_point start = Clock::now();
  {
    std::vector<std::jthread> pool;
    for (std::size_t i = 0; i < threads; ++i) {
      train::WorkerOptions options;
      options.run = run.directory.path();
      options.name = fmt::format("bench{}", i);
      options.thread_index = static_cast<int>(i);
      options.threads = config.threads;
      options.config = config;
      options.evaluators = run.evaluators;
      pool.emplace_back([&, i, options] {
        try {
          train::RunWorker(options, stop, stats[i]);
        } catch (...) {
          errors[i] = std::current_exception();
          stop.Request();
        }
      });
    }
    const auto end = start + std::chrono::duration<double>(seconds);
    while (Clock::now() < end && !stop.requested() && !base::ProcessStop().requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.Request();
  }
  const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  for (const train::WorkerStats& worker : stats) {
    total.games += worker.games;
    total.searches += worker.searches;
    total.simulations += worker.simulations;
    total.evaluations += worker.evaluations;
    total.batches += worker.batches;
  }
  return elapsed;
}

}  // namespace

int BenchEval(const BenchArguments& arguments) {
  const nn::NetSpec spec = ParseNet(arguments.net);
  const BenchRun run(spec, arguments);
  const std::vector<std::string> devices =
      arguments.device == "auto" ? AvailableDevices() : std::vector<std::string>{arguments.device};
  const double peak = PeakMultiplyAdds();
  for (const PositionSet& set : LoadPositions(arguments)) {
    for (const std::string& device : devices) {
      const std::unique_ptr<nn::Evaluator> evaluator =
          OrThrow(MakeEvaluatorFactory(device)(nn::WeightsPath(run.directory.path(), 1)));
      for (int batch = 1; batch <= 512 && !base::ProcessStop().requested(); batch *= 2)
        MeasureBatch(arguments, {device, spec, arguments.net, peak}, set, batch, *evaluator);
    }
  }
  return base::StopExitCode();
}

int BenchSelfplay(const BenchArguments& arguments) {
  constexpr double kLonger = 10;  // games of an untrained net are long: they must have time to end
  const nn::NetSpec spec = ParseNet(arguments.net);
  const BenchRun run(spec, arguments);
  const train::RunConfig config = WorkerConfig(arguments, spec, ThreadsOrAll(arguments.threads));
  train::WorkerStats total;
  const double seconds = RunWorkers(run, config, kLonger * arguments.seconds, total);
  const auto rate = [seconds](std::uint64_t count) { return static_cast<double>(count) / seconds; };
  const double batch = total.batches == 0 ? 0
                                          : static_cast<double>(total.evaluations) /
                                                static_cast<double>(total.batches);
  if (arguments.json) {
    std::cout << ordered_json{{"net", arguments.net},
                              {"sims", arguments.simulations},
                              {"threads", config.threads},
                              {"seconds", seconds},
                              {"games_per_s", rate(total.games)},
                              {"plies_per_s", rate(total.searches)},
                              {"sims_per_s", rate(total.simulations)},
                              {"evals_per_s", rate(total.evaluations)},
                              {"positions_per_batch", batch}}
                     .dump()
              << std::endl;
  } else {
    std::cout << fmt::format(
        "selfplay, net {}, {} simulations, {} threads: {:.2f} games/s, {:.0f} plies/s, "
        "{:.0f} simulations/s, "
        "{:.0f} evaluations/s in batches of {:.0f}\n",
        arguments.net, arguments.simulations, config.threads, rate(total.games),
        rate(total.searches), rate(total.simulations), rate(total.evaluations), batch);
  }
  return base::StopExitCode();
}

}  // namespace apiary::app
