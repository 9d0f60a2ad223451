// One list of pairs of a match, played on several threads. Internal to the match.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "play/match.h"
#include "play/match_games.h"

namespace apiary::play {

class MatchRound {
 public:
  // Told all games of the round that are finished so far; false: that is enough.
  using Report = std::function<bool(const std::vector<PlayedGame>&)>;

  // The references must outlive the object. `recorded`: finished games of other pairs of the round,
  // which are reported first.
  MatchRound(const PlayerSpec& a, const PlayerSpec& b, const nn::EvaluatorFactory& factory,
             const MatchOptions& options, const base::StopToken& stop, std::vector<PairTask> tasks,
             std::vector<PlayedGame> recorded);

  // The finished games, the recorded ones first, the others in any order; rethrows what a thread
  // threw. The calling thread waits and reports.
  base::Result<std::vector<PlayedGame>> Play(const Report& report);

 private:
  void WaitForThreads(const Report& report);
  void ThreadMain();
  base::Result<void> PlayTasks();
  void Hand(const std::vector<PlayedGame>& finished);

  const PlayerSpec& a_;
  const PlayerSpec& b_;
  const nn::EvaluatorFactory& factory_;
  const MatchOptions& options_;
  const base::StopToken& stop_;
  const std::vector<PairTask> tasks_;
  int pairs_together_ = 1;
  std::atomic<std::size_t> next_task_{0};
  base::StopToken ending_;  // a stop was asked for, a thread failed, or there is enough

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  int running_ = 0;
  std::vector<PlayedGame> finished_;
  std::optional<base::Failure> failure_;
  std::exception_ptr exception_;
};

}  // namespace apiary::play
