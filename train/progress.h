// The live line of a run: one line rewritten in a terminal, plain lines otherwise. The main thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "train/learner_loop.h"
#include "train/strength.h"

namespace apiary::train {

// Rates of a counter between two looks, smoothed.
class RateMeter {
 public:
  // `count` so far at `now_s`; the rate a second over the last half minute or so.
  double Update(double now_s, double count);

 private:
  double last_s_ = -1;
  double last_count_ = 0;
  double rate_ = 0;
  bool first_ = true;
};

struct ProgressNumbers {
  std::uint64_t games = 0;  // finished by this process's workers
  double games_per_s = 0;
  double positions_per_s = 0;
  LearnerSnapshot learner;
  std::optional<Strength> strength;
  bool workers_paused = false;
};

// "gen 12 | 3,201 games, 25.3/s | 1,210 pos/s | decisive 93 % | loss 2.31 0.72 | random 98 % crowd
// 71 % | 12:31 left".
std::string ProgressLine(const ProgressNumbers& numbers);

class ProgressPrinter {
 public:
  ProgressPrinter();
  // Prints when it is time: every second in a terminal, every ten seconds otherwise.
  void Show(const std::string& line);
  // Ends a rewritten line, so that other output starts on its own.
  void Finish();

 private:
  bool terminal_;
  std::size_t shown_ = 0;
  std::chrono::steady_clock::time_point last_{};
};

std::string FormatDuration(double seconds);   // "12:31", "1:02:03"
std::string FormatCount(std::int64_t count);  // "12,345"; count >= 0

}  // namespace apiary::train
