#include "mcts/long_search.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/check.h"
#include "mcts/wave.h"

namespace apiary::mcts {

namespace {

// What the lock guards takes microseconds, less than to fall asleep and be woken.
void LockSoon(std::unique_lock<std::mutex>& lock) {
  constexpr int kTries = 4000;
  for (int i = 0; i < kTries; ++i) {
    if (lock.try_lock()) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  lock.lock();
}

}  // namespace

struct LongSearch::Worker {
  std::unique_ptr<nn::Evaluator> evaluator;
  Wave wave;
  env::Block block;
  nn::Evaluation evaluation;
};

LongSearch::LongSearch(std::vector<std::unique_ptr<nn::Evaluator>> evaluators,
                       const LongSearchOptions& options)
    : options_(options) {
  APIARY_CHECK(!evaluators.empty(), "a search without an evaluator");
  for (std::unique_ptr<nn::Evaluator>& evaluator : evaluators) {
    crew_.push_back(std::make_unique<Worker>());
    crew_.back()->evaluator = std::move(evaluator);
  }
  Clear();
}

LongSearch::~LongSearch() = default;

void LongSearch::Clear() {
  search_ = Search();
  cache_ = options_.cache_bytes == 0 ? nullptr
                                     : std::make_unique<nn::EvaluationCache>(options_.cache_bytes);
}

const SearchResult& LongSearch::Run(const env::Game& game, const SearchLimits& limits,
                                    const std::function<bool()>& cancelled) {
  // Longer than any search, and short enough to be added to a clock.
  constexpr double kForever = 1e9;
  const Clock::time_point deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(std::clamp(limits.seconds, 0.0, kForever)));
  SearchOptions options = options_.search;
  options.root = RootRule::kPuct;
  options.interior = InteriorRule::kPuct;
  options.simulations = std::clamp(limits.simulations, 0, SearchLimits::kMostSimulations);
  options.root_noise = false;
  options.max_tree_bytes = options_.tree_bytes;
  options.reserve_tree = true;
  if (options_.keep_tree) {
    search_.Continue(game, options, base::RandomStream(0), cache_.get());
  } else {
    search_.Start(game, options, base::RandomStream(0), cache_.get());
  }
  stopping_ = false;
  error_ = nullptr;
  Work(*crew_[0], {.simulations = 1});  // the root, which is alone
  if (!stopping_ && !search_.done()) {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < crew_.size(); ++i)
      helpers.emplace_back([this, i, deadline] { Work(*crew_[i], {.deadline = deadline}); });
    Work(*crew_[0], {.deadline = deadline, .cancelled = cancelled});
  }
  if (error_) {
    search_ = Search();  // with simulations on their way that never come back
    for (const auto& worker : crew_) worker->wave.open = false;
    std::rethrow_exception(error_);
  }
  search_.Finish();
  return search_.result();
}

void LongSearch::Work(Worker& worker, const Shift& shift) {
  constexpr auto kPollEvery = std::chrono::milliseconds(2);
  Clock::time_point next_poll = Clock::now() + kPollEvery;
  std::unique_lock lock(mutex_);
  try {
    for (int i = 0; i < shift.simulations && !stopping_ && !search_.done(); ++i) {
      Simulate(worker, lock);
      const Clock::time_point now = Clock::now();
      stopping_ = stopping_ || now >= shift.deadline;
      if (!shift.cancelled || now < next_poll) continue;
      stopping_ = stopping_ || shift.cancelled();
      next_poll = now + kPollEvery;
    }
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    stopping_ = true;
    error_ = std::current_exception();
  }
  backed_up_.notify_all();
}

void LongSearch::Simulate(Worker& worker, std::unique_lock<std::mutex>& lock) {
  worker.block.Clear();
  const int leaves = search_.SelectWave(worker.wave, worker.block, 1);
  if (!worker.wave.open) return backed_up_.wait(lock);
  if (leaves > 0) {
    lock.unlock();
    worker.evaluator->Evaluate(worker.block, worker.evaluation);
    LockSoon(lock);
  }
  search_.BackupWave(worker.wave, worker.evaluation);
  backed_up_.notify_all();
}

}  // namespace apiary::mcts
