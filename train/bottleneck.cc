#include "train/bottleneck.h"

#include <fmt/format.h>

#include <algorithm>

namespace apiary::train {
namespace {

// A stage that works less than this share of the time waits for another, one that works more than
// the second waits for nobody.
constexpr double kWaits = 0.8;
constexpr double kNeverWaits = 0.95;

const char* Bottleneck(double training, double paused) {
  if (paused > 1 - kWaits) return "learning, which self-play waits for";
  if (training < kNeverWaits) return "self-play, which the learner waits for";
  return "the cores: self-play and learner work all the time";
}

}  // namespace

std::string DescribeBottleneck(const StageTimes& before, const StageTimes& now) {
  const double wall = std::max(1e-3, now.wall_s - before.wall_s);
  const double worker_wall = wall * std::max(1, now.workers);
  const double training = std::clamp((now.training_s - before.training_s) / wall, 0.0, 1.0);
  const double paused = std::clamp((now.paused_s - before.paused_s) / worker_wall, 0.0, 1.0);
  const double evaluating =
      std::clamp((now.evaluating_s - before.evaluating_s) / worker_wall, 0.0, 1.0 - paused);
  return fmt::format(
      "bottleneck: {}; in the last {:.0f} s the learner trained {:.0f} %, workers evaluated {:.0f} "
      "%, searched {:.0f} %, were paused {:.0f} %",
      Bottleneck(training, paused), wall, 100 * training, 100 * evaluating,
      100 * (1 - paused - evaluating), 100 * paused);
}

}  // namespace apiary::train
