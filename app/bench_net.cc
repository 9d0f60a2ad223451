#include <charconv>
#include <chrono>
#include <exception>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/arguments.h"
#include "app/bench.h"
#include "app/devices.h"
#include "app/temporary_directory.h"
#include "base/stop.h"
#include "nn/fake_evaluator.h"
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

void MeasureBatch(const BenchArguments& arguments, const PositionSet& set, int batch,
                  nn::Evaluator& evaluator) {
  const env::Block block = MakeBlock(set, batch);
  nn::Evaluation evaluation;
  const double seconds =
      MedianSeconds(WallSeconds, arguments.seconds, [&] { evaluator.Evaluate(block, evaluation); });
  const double rows = static_cast<double>(block.rows()) / batch;
  if (arguments.json) {
    std::cout << ordered_json{{"net", arguments.net},
                              {"set", set.name},
                              {"batch", batch},
                              {"positions_per_s", batch / seconds},
                              {"ms_per_batch", 1e3 * seconds},
                              {"rows_per_position", rows}}
                     .dump()
              << std::endl;
  } else {
    std::cout << fmt::format(
                     "eval {} {}, batch {:>4}: {:>7.0f} positions/s, {:.3f} ms a batch, {:.0f} "
                     "rows a position\n",
                     arguments.net, set.name, batch, batch / seconds, 1e3 * seconds, rows)
              << std::flush;
  }
}

// A run directory with one generation of an untrained net. Without LibTorch the weights are empty
// and the evaluator is the fake one.
struct BenchRun {
  TemporaryDirectory directory;
  nn::EvaluatorFactory evaluators;
  std::string evaluator;  // for the report

  BenchRun(const nn::NetSpec& spec, const BenchArguments& arguments)
      : evaluators(MakeEvaluatorFactory(arguments.device)),
        evaluator(evaluators ? arguments.net : "fake") {
    nn::TensorFile weights;
    if (evaluators) {
      weights = OrThrow(MakeUntrainedWeights(spec, arguments.seed));
    } else {
      nn::WriteSpec(spec, weights);
      evaluators = [](const std::string&) -> base::Result<std::unique_ptr<nn::Evaluator>> {
        return std::unique_ptr<nn::Evaluator>(std::make_unique<nn::FakeEvaluator>());
      };
    }
    OrThrow(nn::PublishWeights(directory.path(), 1, weights));
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
  const nn::EvaluatorFactory factory = MakeEvaluatorFactory(arguments.device);
  if (!factory)
    throw Error("this build of apiary has no LibTorch, so it has no net to measure", kFailure);
  const BenchRun run(spec, arguments);
  const std::unique_ptr<nn::Evaluator> evaluator =
      OrThrow(factory(nn::WeightsPath(run.directory.path(), 1)));
  for (const PositionSet& set : LoadPositions(arguments)) {
    for (int batch = 1; batch <= 512 && !base::ProcessStop().requested(); batch *= 2)
      MeasureBatch(arguments, set, batch, *evaluator);
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
                              {"evaluator", run.evaluator},
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
        "selfplay, {} evaluator, {} simulations, {} threads: {:.2f} games/s, {:.0f} plies/s, "
        "{:.0f} simulations/s, "
        "{:.0f} evaluations/s in batches of {:.0f}\n",
        run.evaluator, arguments.simulations, config.threads, rate(total.games),
        rate(total.searches), rate(total.simulations), rate(total.evaluations), batch);
  }
  return base::StopExitCode();
}

}  // namespace apiary::app
