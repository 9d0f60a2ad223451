#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

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

}  // namespace

int BenchEval(const BenchArguments& arguments) {
  const BenchRun run(arguments);
  const std::vector<std::string> devices =
      arguments.device == "auto" ? AvailableDevices() : std::vector<std::string>{arguments.device};
  const double peak = PeakMultiplyAdds();
  for (const PositionSet& set : LoadPositions(arguments)) {
    for (const std::string& device : devices) {
      const std::unique_ptr<nn::Evaluator> evaluator =
          OrThrow(MakeEvaluatorFactory(device)(run.weights()));
      const int most = device == "cuda" ? 8192 : 512;
      for (int batch = 1; batch <= most && !base::ProcessStop().requested(); batch *= 2)
        MeasureBatch(arguments, {device, run.spec(), arguments.net, peak}, set, batch, *evaluator);
    }
  }
  return base::StopExitCode();
}

}  // namespace apiary::app
