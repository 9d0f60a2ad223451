#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/arguments.h"
#include "app/bench_run.h"
#include "app/devices.h"
#include "base/check.h"
#include "base/stop.h"
#include "nn/cpu_net.h"

namespace apiary::app {
namespace {

using nlohmann::ordered_json;

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

// Seconds of a multiply-add at the core's best, by one short run.
double PeakSeconds() {
  constexpr std::int64_t kSteps = 1 << 13;
  const nn::ProductKernel& kernel = nn::BestProductKernel();
  const double begin = ThreadSeconds();
  const float sink = kernel.peak(kSteps, 0.5f);
  const double seconds = ThreadSeconds() - begin;
  APIARY_CHECK(std::isfinite(sink), "{}", sink);
  return seconds / static_cast<double>(kSteps * nn::kPeakVectors * kernel.lanes);
}

struct Timing {
  double seconds;  // of an evaluation
  double share;  // of the core's peak, which is measured between evaluations: what else the machine
                 // does slows both
};

Timing TimeOnCpu(double seconds, double multiply_adds, const std::function<void()>& evaluate) {
  constexpr std::size_t kLeast = 3;
  evaluate();
  std::vector<double> times, shares;
  const double end = WallSeconds() + seconds;
  while (times.size() < kLeast || WallSeconds() < end) {
    const double peak = PeakSeconds();
    const double begin = ThreadSeconds();
    evaluate();
    times.push_back(ThreadSeconds() - begin);
    shares.push_back(multiply_adds * peak / times.back());
  }
  return {Median(times), Median(shares)};
}

struct EvalCase {
  std::string device;
  nn::NetSpec spec;
  std::string net;
};

void MeasureBatch(const BenchArguments& arguments, const EvalCase& which, const PositionSet& set,
                  int batch, nn::Evaluator& evaluator) {
  const env::Block block = MakeBlock(set, batch);
  nn::Evaluation evaluation;
  const bool on_cpu = which.device != "cuda";
  const auto evaluate = [&] { evaluator.Evaluate(block, evaluation); };
  const double multiply_adds = nn::CpuNet::MultiplyAdds(which.spec, block);
  const auto [seconds, share] =
      on_cpu ? TimeOnCpu(arguments.seconds, multiply_adds, evaluate)
             : Timing{MedianSeconds(WallSeconds, arguments.seconds, evaluate), 0};
  const double rows = static_cast<double>(block.rows()) / batch;
  const double rate = multiply_adds / seconds;
  if (arguments.json) {
    ordered_json line{{"net", which.net},
                      {"device", which.device},
                      {"set", set.name},
                      {"batch", batch},
                      {"positions_per_s", batch / seconds},
                      {"ms_per_batch", 1e3 * seconds},
                      {"rows_per_position", rows},
                      {"gflops", 2e-9 * rate}};
    if (on_cpu) line["share_of_peak"] = share;
    std::cout << line.dump() << std::endl;
    return;
  }
  std::cout << fmt::format(
      "eval {} {:<5} {}, batch {:>4}: {:>7.0f} positions/s, {:.3f} ms a batch, {:.0f} rows a "
      "position, {:.0f} GFLOP/s",
      which.net, which.device, set.name, batch, batch / seconds, 1e3 * seconds, rows, 2e-9 * rate);
  if (on_cpu) std::cout << fmt::format(" ({:.0f} % of peak)", 100 * share);
  std::cout << std::endl;
}

}  // namespace

int BenchEval(const BenchArguments& arguments) {
  const BenchRun run(arguments);
  const std::vector<std::string> devices =
      arguments.device == "auto" ? AvailableDevices() : std::vector<std::string>{arguments.device};
  for (const PositionSet& set : LoadPositions(arguments)) {
    for (const std::string& device : devices) {
      const std::unique_ptr<nn::Evaluator> evaluator =
          OrThrow(MakeEvaluatorFactory(device)(run.weights()));
      const int most = device == "cuda" ? 8192 : 512;
      for (int batch = 1; batch <= most && !base::ProcessStop().requested(); batch *= 2)
        MeasureBatch(arguments, {device, run.spec(), arguments.net}, set, batch, *evaluator);
    }
  }
  return base::StopExitCode();
}

}  // namespace apiary::app
