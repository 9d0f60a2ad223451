#include "app/run_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "train/game_stats.h"

namespace apiary::app {
namespace {

// The values of one metric, oldest first; lines that lack it are left out. Generation 1 learned
// from games that no search played, so it is no start to compare with.
std::vector<double> ValuesOf(const base::MetricsHistory& metrics, const char* name) {
  std::vector<double> values;
  for (const auto& line : metrics.lines) {
    const auto generation = line.find("generation");
    if (generation != line.end() && generation->second < 2) continue;
    if (const auto value = line.find(name); value != line.end()) values.push_back(value->second);
  }
  return values;
}

constexpr std::size_t kFewest = 10;  // values that make a trend

double Mean(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += values[i];
  return sum / static_cast<double>(end - begin);
}

// Means of the first and the last fifth.
struct Trend {
  double first = std::numeric_limits<double>::quiet_NaN();
  double last = first;
};
Trend TrendOf(const base::MetricsHistory& metrics, const char* name) {
  const std::vector<double> values = ValuesOf(metrics, name);
  if (values.size() < kFewest) return {};
  const std::size_t fifth = values.size() / 5;
  return {Mean(values, 0, fifth), Mean(values, values.size() - fifth, values.size())};
}

// Comparisons with the NaN of a metric that is not there are false, so it warns of nothing.
void WarnOfDraws(const base::MetricsHistory& metrics, std::vector<std::string>& warnings) {
  const std::vector<double> decisive = ValuesOf(metrics, "decisive_500");
  if (decisive.size() >= kFewest) {
    const double peak = *std::max_element(decisive.begin(), decisive.end());
    const std::string alarm = train::DecisiveAlarm(decisive.back(), peak);
    if (!alarm.empty()) warnings.push_back(alarm);
  }
  const Trend draws = TrendOf(metrics, "share_draw");
  if (!(draws.last > draws.first + 0.1)) return;
  const Trend both = TrendOf(metrics, "share_both");
  const Trend repetition = TrendOf(metrics, "share_repetition");
  const bool by_repetition = repetition.last - repetition.first > both.last - both.first;
  warnings.push_back(fmt::format(
      "The draw share rises, from {:.0f} to {:.0f} %, most of it by {}. {}", 100 * draws.first,
      100 * draws.last, by_repetition ? "repetition" : "both queens surrounded at once",
      by_repetition
          ? "Usual causes: values so even that going back and forth looks best "
            "(selfplay.value_scale), a first net that learned values only "
            "(selfplay.gen0_games)."
          : "Good nets save lost games that way; a draw worth less than half a win "
            "(selfplay.draw_value) makes it rare, more varied openings (selfplay.opening_plies) "
            "make it later."));
}

void WarnOfLearning(const base::MetricsHistory& metrics, std::vector<std::string>& warnings) {
  const double value_loss = TrendOf(metrics, "value_loss").last;
  const double base_rate = TrendOf(metrics, "value_loss_of_base_rate").last;
  if (value_loss > 0.98 * base_rate)
    warnings.push_back(fmt::format(
        "The value head knows hardly more than the base rate of results (loss {:.3f}, {:.3f} by "
        "always guessing it). Usual causes: too few positions so far, positions used too often "
        "(learn.uses), results that are mostly length caps.",
        value_loss, base_rate));
  const Trend bias = TrendOf(metrics, "value_bias");
  if (std::abs(bias.last) > 0.05)
    warnings.push_back(fmt::format(
        "The value head is off by {:+.2f} on average. Usual causes: a window of few, one-sided "
        "games (learn.window_min), a learning rate too high.",
        bias.last));
  const double kl = TrendOf(metrics, "policy_kl").last;
  if (kl < 0.02)
    warnings.push_back(fmt::format(
        "The search hardly changes the policy (KL {:.3f}), so there is little to learn from it. "
        "Usual causes: too few simulations (selfplay.simulations), a Q transform too flat "
        "(selfplay.value_scale).",
        kl));
  const std::vector<double> crowd = ValuesOf(metrics, "strength_crowd");
  if (crowd.size() < 3) return;
  const double best = *std::max_element(crowd.begin(), crowd.end());
  if (std::max(crowd.back(), crowd[crowd.size() - 2]) < best - 0.1)
    warnings.push_back(fmt::format(
        "The score against crowd fell from {:.0f} to {:.0f} %. Usual causes: a learning rate too "
        "high, a window too short (learn.window_min), self-play that became drawish.",
        100 * best, 100 * crowd.back()));
}

void WarnOfGames(const base::MetricsHistory& metrics, std::vector<std::string>& warnings) {
  const double capped = TrendOf(metrics, "share_cap").last;
  if (capped > 0.05)
    warnings.push_back(fmt::format(
        "{:.0f} % of the games end at the length cap, unfinished. Usual causes: nets that do not "
        "yet know how to win, a cap too low (rules.max_plies).",
        100 * capped));
  const std::vector<double> speed = ValuesOf(metrics, "selfplay_positions_per_s");
  if (speed.size() < kFewest) return;
  const double best = *std::max_element(speed.begin(), speed.end());
  const double last = TrendOf(metrics, "selfplay_positions_per_s").last;
  if (last < best / 3)
    warnings.push_back(fmt::format(
        "Self-play makes {:.0f} positions a second, {:.0f} at its best. Usual causes: other "
        "programs on the machine, a learner that cannot keep up (the bottleneck line of apiary "
        "train says who waits).",
        last, best));
}

}  // namespace

std::vector<std::string> RunWarnings(const base::MetricsHistory& metrics) {
  std::vector<std::string> warnings;
  WarnOfDraws(metrics, warnings);
  WarnOfLearning(metrics, warnings);
  WarnOfGames(metrics, warnings);
  return warnings;
}

}  // namespace apiary::app
