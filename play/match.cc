#include "play/match.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "play/match_games.h"

namespace apiary::play {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kGamesTogether =
    64;  // a thread's games in play: enough for a net's batches, little memory for trees
constexpr int kMaxAttempts = 10;  // openings tried for a pair before it is given up as a repetition

// A pair's two games, A first and B first.
using Pair = std::array<PlayedGame, 2>;

// Plays one list of pairs on several threads. The calling thread waits and reports.
class Round {
 public:
  Round(const PlayerSpec& a, const PlayerSpec& b, const nn::EvaluatorFactory& factory,
        const MatchOptions& options, const base::StopToken& stop, std::vector<PairTask> tasks)
      : a_(a), b_(b), factory_(factory), options_(options), stop_(stop), tasks_(std::move(tasks)) {}

  // Finished pairs by number; rethrows what a thread threw.
  base::Result<std::map<int, Pair>> Play(
      const std::function<void(const std::vector<PlayedGame>&)>& report) {
    const int threads = std::clamp(options_.threads, 1, static_cast<int>(tasks_.size()));
    pairs_together_ =
        std::min(kGamesTogether / 2, (static_cast<int>(tasks_.size()) + threads - 1) / threads);
    running_ = threads;
    std::vector<std::jthread> pool;
    for (int i = 0; i < threads; ++i) pool.emplace_back([this] { ThreadMain(); });
    WaitForThreads(report);
    pool.clear();
    if (exception_) std::rethrow_exception(exception_);
    if (failure_) return *failure_;
    return WholePairs();
  }

 private:
  void WaitForThreads(const std::function<void(const std::vector<PlayedGame>&)>& report) {
    std::unique_lock lock(mutex_);
    std::size_t reported = 0;
    while (running_ > 0) {
      changed_.wait_for(lock, std::chrono::milliseconds(200));
      if (finished_.size() == reported) continue;
      reported = finished_.size();
      report(finished_);
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

  std::map<int, Pair> WholePairs() const {
    std::map<int, Pair> pairs;
    std::map<int, int> games_of_pair;
    for (const PlayedGame& game : finished_) {
      pairs[game.opening][game.a_is_first ? 0 : 1] = game;
      ++games_of_pair[game.opening];
    }
    std::erase_if(pairs, [&](const auto& entry) { return games_of_pair[entry.first] < 2; });
    return pairs;
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

// Counts the pairs whose games are new, in order of their numbers; returns the others.
std::vector<PairTask> CountNewPairs(const std::map<int, Pair>& pairs, int attempt,
                                    std::set<std::pair<bool, std::string>>& seen,
                                    MatchResult& result) {
  std::vector<PairTask> again;
  for (const auto& [number, pair] : pairs) {
    const auto repeated = std::count_if(pair.begin(), pair.end(), [&](const PlayedGame& game) {
      return seen.contains({game.a_is_first, game.game_string});
    });
    if (repeated > 0) {
      result.duplicates += static_cast<int>(repeated);
      again.push_back({number, attempt + 1});
      continue;
    }
    for (const PlayedGame& game : pair) {
      seen.insert({game.a_is_first, game.game_string});
      CountGame(game, result);
      result.played.push_back(game);
    }
  }
  return again;
}

base::Result<void> Validate(const MatchOptions& options) {
  if (options.games < 2 || options.games % 2 != 0)
    return base::Fail(
        "a match needs an even number of games (each opening is played with both colours), not {}",
        options.games);
  if (options.opening_plies < 0)
    return base::Fail("the number of opening plies must not be negative, it is {}",
                      options.opening_plies);
  if (options.rules.max_plies > 0 && options.opening_plies >= options.rules.max_plies)
    return base::Fail("openings of {} plies do not fit into games of at most {} plies",
                      options.opening_plies, options.rules.max_plies);
  return {};
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
  std::vector<PairTask> tasks;
  for (int pair = 0; pair < options.games / 2; ++pair) tasks.push_back({pair, 0});
  std::set<std::pair<bool, std::string>> seen;
  for (int attempt = 0; attempt < kMaxAttempts && !tasks.empty() && !stop.requested(); ++attempt) {
    const auto report = [&](const std::vector<PlayedGame>& finished) {
      if (!progress) return;
      MatchResult so_far = result;
      for (const PlayedGame& game : finished) CountGame(game, so_far);
      progress({so_far.games, options.games, so_far.score()});
    };
    const int counted_before = result.games;
    auto pairs = Round(a, b, factory, options, stop, std::move(tasks)).Play(report);
    if (!pairs) return pairs.failure();
    tasks = CountNewPairs(*pairs, attempt, seen, result);
    if (result.games == counted_before) break;  // nothing new: the players repeat themselves
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
