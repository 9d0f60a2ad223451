#include "play/match.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "play/match_games.h"
#include "play/match_tally.h"

namespace apiary::play {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kGamesTogether =
    64;  // a thread's games in play: enough for a net's batches, little memory for trees
constexpr int kMaxAttempts = 10;  // openings tried for a pair before it is given up as a repetition

// Told all games of the round that are finished so far; false: that is enough.
using Report = std::function<bool(const std::vector<PlayedGame>&)>;

// Plays one list of pairs on several threads. The calling thread waits and reports.
class Round {
 public:
  Round(const PlayerSpec& a, const PlayerSpec& b, const nn::EvaluatorFactory& factory,
        const MatchOptions& options, const base::StopToken& stop, std::vector<PairTask> tasks)
      : a_(a), b_(b), factory_(factory), options_(options), stop_(stop), tasks_(std::move(tasks)) {}

  // The finished games, in any order; rethrows what a thread threw.
  base::Result<std::vector<PlayedGame>> Play(const Report& report) {
    const int threads = std::clamp(options_.threads, 1, static_cast<int>(tasks_.size()));
    // Timed searches are made one after another: more games would only delay a stop.
    const bool timed = a_.seconds > 0 || b_.seconds > 0;
    pairs_together_ = timed ? 1
                            : std::min(kGamesTogether / 2,
                                       (static_cast<int>(tasks_.size()) + threads - 1) / threads);
    running_ = threads;
    std::vector<std::jthread> pool;
    for (int i = 0; i < threads; ++i) pool.emplace_back([this] { ThreadMain(); });
    WaitForThreads(report);
    pool.clear();
    if (exception_) std::rethrow_exception(exception_);
    if (failure_) return *failure_;
    return std::move(finished_);
  }

 private:
  void WaitForThreads(const Report& report) {
    std::unique_lock lock(mutex_);
    std::size_t reported = 0;
    while (running_ > 0) {
      changed_.wait_for(lock, std::chrono::milliseconds(200));
      if (finished_.size() == reported) continue;
      reported = finished_.size();
      if (!report(finished_)) abandoned_ = true;
    }
  }

  void ThreadMain() {
    std::optional<base::Failure> failure;
    std::exception_ptr exception;
    try {
      if (auto played = PlayTasks(); !played) failure = played.failure();
    } catch (...) {
      exception = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (failure && !failure_) failure_ = failure;
    if (exception && !exception_) exception_ = exception;
    if (failure || exception) abandoned_ = true;
    --running_;
    changed_.notify_one();
  }

  base::Result<void> PlayTasks() {
    auto a = MakePlayer(a_, factory_);
    if (!a) return a.failure();
    auto b = MakePlayer(b_, factory_);
    if (!b) return b.failure();
    MatchGames games(options_, std::move(*a), std::move(*b));
    std::vector<PlayedGame> finished;
    while (!stop_.requested() && !abandoned_) {
      while (games.active() <= 2 * (pairs_together_ - 1)) {
        const std::size_t next = next_task_.fetch_add(1);
        if (next >= tasks_.size()) break;
        if (auto started = games.Start(tasks_[next]); !started) return started.failure();
      }
      if (games.active() == 0) break;
      finished.clear();
      games.Step(finished);
      if (!finished.empty()) Hand(finished);
    }
    return {};
  }

  void Hand(const std::vector<PlayedGame>& finished) {
    const std::lock_guard lock(mutex_);
    finished_.insert(finished_.end(), finished.begin(), finished.end());
    changed_.notify_one();
  }

  const PlayerSpec& a_;
  const PlayerSpec& b_;
  const nn::EvaluatorFactory& factory_;
  const MatchOptions& options_;
  const base::StopToken& stop_;
  const std::vector<PairTask> tasks_;
  int pairs_together_ = 1;
  std::atomic<std::size_t> next_task_{0};
  std::atomic<bool> abandoned_{false};

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  int running_ = 0;
  std::vector<PlayedGame> finished_;
  std::optional<base::Failure> failure_;
  std::exception_ptr exception_;
};

base::Result<void> Validate(const MatchOptions& options) {
  if (options.games < 2 || options.games % 2 != 0)
    return base::Fail(
        "a match needs an even number of games (each opening is played with both colours), not {}",
        options.games);
  if (options.sprt && !(options.sprt->elo0 < options.sprt->elo1))
    return base::Fail("the test needs ELO0 < ELO1, not {} and {}", options.sprt->elo0,
                      options.sprt->elo1);
  const std::size_t needed = static_cast<std::size_t>(options.games) / 2;
  if (!options.openings.empty()) {
    if (options.openings.size() >= needed) return {};
    return base::Fail(
        "{} games need {} openings (each is played with both colours), but there are only {}",
        options.games, needed, options.openings.size());
  }
  if (options.opening_plies < 0)
    return base::Fail("the number of opening plies must not be negative, it is {}",
                      options.opening_plies);
  if (options.rules.max_plies > 0 && options.opening_plies >= options.rules.max_plies)
    return base::Fail("openings of {} plies do not fit into games of at most {} plies",
                      options.opening_plies, options.rules.max_plies);
  return {};
}

// Gives pairs that are to be replayed the next given openings; drops those that none is left for.
void TakeNewOpenings(const MatchOptions& options, int& next, std::vector<PairTask>& tasks) {
  if (options.openings.empty()) return;
  const auto left = options.openings.size() - static_cast<std::size_t>(next);
  tasks.resize(std::min(tasks.size(), left));
  for (PairTask& task : tasks) task.opening = next++;
}

}  // namespace

base::Result<MatchResult> PlayMatch(const PlayerSpec& a, const PlayerSpec& b,
                                    const nn::EvaluatorFactory& factory,
                                    const MatchOptions& options,
                                    const std::function<void(const MatchProgress&)>& progress,
                                    const base::StopToken& stop) {
  if (auto valid = Validate(options); !valid) return valid.failure();
  const Clock::time_point start = Clock::now();
  MatchResult result;
  result.first_player = options.rules.first_player;
  MatchTally tally(options, result);
  std::vector<PairTask> tasks;
  for (int pair = 0; pair < options.games / 2; ++pair) tasks.push_back({pair, 0, pair});
  int next_opening = options.games / 2;
  for (int attempt = 0; attempt < kMaxAttempts && !tasks.empty() && !stop.requested(); ++attempt) {
    tally.BeginRound(tasks);
    MatchResult so_far = result;
    std::size_t counted = 0;
    const auto report = [&](const std::vector<PlayedGame>& finished) {
      tally.Take(finished);
      for (; counted < finished.size(); ++counted) CountGame(finished[counted], so_far);
      if (progress)
        progress({so_far.games, options.games, so_far.score(),
                  result.sprt ? std::optional(result.sprt->llr) : std::nullopt});
      return !tally.decided();
    };
    const int counted_before = result.games;
    auto finished = Round(a, b, factory, options, stop, std::move(tasks)).Play(report);
    if (!finished) return finished.failure();
    tally.Take(*finished);
    tasks = tally.EndRound();
    if (tally.decided()) break;
    if (result.games == counted_before) break;  // nothing new: the players repeat themselves
    TakeNewOpenings(options, next_opening, tasks);
  }
  std::sort(result.played.begin(), result.played.end(),
            [](const PlayedGame& x, const PlayedGame& y) {
              return std::pair(x.opening, !x.a_is_first) < std::pair(y.opening, !y.a_is_first);
            });
  double plies = 0;
  for (const PlayedGame& game : result.played) plies += game.plies;
  result.mean_plies = result.games == 0 ? 0 : plies / result.games;
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace apiary::play
