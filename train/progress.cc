#include "train/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace apiary::train {
namespace {
constexpr double kSmoothingSeconds = 15;
}  // namespace

double RateMeter::Update(double now_s, double count) {
  if (last_s_ >= 0 && now_s > last_s_) {
    const double rate = (count - last_count_) / (now_s - last_s_);
    const double weight = first_ ? 1 : 1 - std::exp(-(now_s - last_s_) / kSmoothingSeconds);
    rate_ += weight * (rate - rate_);
    first_ = false;
  }
  if (now_s > last_s_) {
    last_s_ = now_s;
    last_count_ = count;
  }
  return rate_;
}

std::string FormatDuration(double seconds) {
  const auto total = static_cast<std::int64_t>(std::max(0.0, seconds));
  if (total >= 3600)
    return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
  return fmt::format("{}:{:02}", total / 60, total % 60);
}

std::string FormatCount(std::int64_t count) {
  if (count < 1000) return fmt::format("{}", count);
  return fmt::format("{},{:03}", FormatCount(count / 1000), count % 1000);
}

std::string ProgressLine(const ProgressNumbers& numbers) {
  const LearnerSnapshot& learner = numbers.learner;
  std::string line =
      fmt::format("gen {} | {} games, {:.1f}/s | {:.0f} pos/s", learner.generation,
                  FormatCount(std::max(learner.games, static_cast<std::int64_t>(numbers.games))),
                  numbers.games_per_s, numbers.positions_per_s);
  if (numbers.workers_paused) line += " (paused: ahead of the learner)";
  if (learner.decisive > 0) line += fmt::format(" | decisive {:.0f} %", 100 * learner.decisive);
  if (learner.step > 0)
    line += fmt::format(" | loss policy {:.2f} value {:.2f}, {:.0f} pos/s, uses {:.1f}",
                        learner.policy_loss, learner.value_loss, learner.learn_positions_per_s,
                        learner.uses);
  if (!learner.waiting.empty()) line += " | learner: " + learner.waiting;
  if (numbers.strength)
    line +=
        fmt::format(" | gen {}: random {:.0f} % crowd {:.0f} %", numbers.strength->generation,
                    100 * numbers.strength->against_random, 100 * numbers.strength->against_crowd);
  if (learner.progress > 0)
    line += fmt::format(" | {:.0f} %, {} left", 100 * std::min(1.0, learner.progress),
                        FormatDuration(learner.elapsed_s * (1 / learner.progress - 1)));
  if (!learner.alarm.empty()) line += " | ALARM: " + learner.alarm;
  return line;
}

ProgressPrinter::ProgressPrinter() : terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressPrinter::Show(const std::string& line) {
  const auto now = std::chrono::steady_clock::now();
  const auto interval = std::chrono::seconds(terminal_ ? 1 : 10);
  if (last_ != std::chrono::steady_clock::time_point{} && now - last_ < interval) return;
  last_ = now;
  if (terminal_) {
    const std::size_t padding = shown_ > line.size() ? shown_ - line.size() : 0;
    std::fprintf(stderr, "\r%s%*s", line.c_str(), static_cast<int>(padding), "");
    shown_ = line.size();
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  std::fflush(stderr);
}

void ProgressPrinter::Finish() {
  if (shown_ > 0) std::fprintf(stderr, "\n");
  shown_ = 0;
}

}  // namespace apiary::train
