#include "play/match_round.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace apiary::play {
namespace {

constexpr int kGamesTogether =
    64;  // a thread's games in play: enough for a net's batches, little memory for trees

// Players that think in one game after another: more games would only delay a stop, and ask for
// more processes of a foreign engine.
bool OneByOne(const PlayerSpec& spec) { return spec.seconds > 0 || spec.engine.has_value(); }

}  // namespace

MatchRound::MatchRound(const PlayerSpec& a, const PlayerSpec& b,
                       const nn::EvaluatorFactory& factory, const MatchOptions& options,
                       const base::StopToken& stop, std::vector<PairTask> tasks,
                       std::vector<PlayedGame> recorded)
    : a_(a),
      b_(b),
      factory_(factory),
      options_(options),
      stop_(stop),
      tasks_(std::move(tasks)),
      finished_(std::move(recorded)) {}

base::Result<std::vector<PlayedGame>> MatchRound::Play(const Report& report) {
  if (!finished_.empty() && !report(finished_)) return std::move(finished_);
  if (tasks_.empty()) return std::move(finished_);
  const int threads = std::clamp(options_.threads, 1, static_cast<int>(tasks_.size()));
  pairs_together_ =
      OneByOne(a_) || OneByOne(b_)
          ? 1
          : std::min(kGamesTogether / 2, (static_cast<int>(tasks_.size()) + threads - 1) / threads);
  running_ = threads;
  std::vector<std::jthread> pool;
  for (int i = 0; i < threads; ++i) pool.emplace_back([this] { ThreadMain(); });
  WaitForThreads(report);
  pool.clear();
  report(finished_);
  if (exception_) std::rethrow_exception(exception_);
  if (failure_) return *failure_;
  return std::move(finished_);
}

void MatchRound::WaitForThreads(const Report& report) {
  std::unique_lock lock(mutex_);
  std::size_t reported = finished_.size();
  while (running_ > 0) {
    changed_.wait_for(lock, std::chrono::milliseconds(200));
    if (stop_.requested()) ending_.Request();
    if (finished_.size() == reported) continue;
    reported = finished_.size();
    if (!report(finished_)) ending_.Request();
  }
}

void MatchRound::ThreadMain() {
  std::optional<base::Failure> failure;
  std::exception_ptr exception;
  try {
    if (auto played = PlayTasks(); !played) failure = played.failure();
  } catch (...) {
    exception = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  if (failure || exception) {
    // What a thread meets after the end was asked for may be no more than that.
    if (!ending_.requested() || !failure) {
      if (failure && !failure_) failure_ = failure;
      if (exception && !exception_) exception_ = exception;
    }
    ending_.Request();
  }
  --running_;
  changed_.notify_one();
}

base::Result<void> MatchRound::PlayTasks() {
  const EngineLimits limits{.timeout = options_.engine_timeout, .stop = &ending_};
  auto a = MakePlayer(a_, factory_, limits);
  if (!a) return a.failure();
  auto b = MakePlayer(b_, factory_, limits);
  if (!b) return b.failure();
  for (const auto& player : {a->get(), b->get()}) {
    if (auto fits = player->CheckRules(options_.rules); !fits) return fits.failure();
  }
  auto judge = OpeningJudge::Make(a_, b_, factory_);
  if (!judge) return judge.failure();
  MatchGames games(options_, *std::move(a), *std::move(b), *std::move(judge));
  std::vector<PlayedGame> finished;
  while (!stop_.requested() && !ending_.requested()) {
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

void MatchRound::Hand(const std::vector<PlayedGame>& finished) {
  const std::lock_guard lock(mutex_);
  finished_.insert(finished_.end(), finished.begin(), finished.end());
  changed_.notify_one();
}

}  // namespace apiary::play
