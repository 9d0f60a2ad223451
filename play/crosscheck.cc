#include "play/crosscheck.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace apiary::play {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kReportInterval{200};

class CrosscheckPool {
 public:
  CrosscheckPool(const UhpSpec& spec, const CrosscheckOptions& options, const base::StopToken& stop,
                 CrosscheckResult& result)
      : spec_(spec),
        options_(options),
        stop_(stop),
        result_(result),
        tasks_(static_cast<int>(result.variants.size()) * options.games) {}

  // `first` serves the first thread; the others start their own.
  void Run(std::unique_ptr<UhpClient> first,
           const std::function<void(const CrosscheckProgress&)>& progress) {
    const int threads = std::clamp(options_.threads, 1, std::max(tasks_, 1));
    running_ = threads;
    std::vector<std::jthread> pool;
    pool.emplace_back([this, &first] { ThreadMain(std::move(first)); });
    for (int i = 1; i < threads; ++i) pool.emplace_back([this] { ThreadMain(nullptr); });
    {
      std::unique_lock lock(mutex_);
      while (running_ > 0) {
        changed_.wait_for(lock, kReportInterval);
        if (progress) progress({finished_, tasks_, result_.total()});
      }
    }
    pool.clear();
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  void ThreadMain(std::unique_ptr<UhpClient> engine) {
    std::exception_ptr exception;
    try {
      if (auto played = PlayTasks(std::move(engine)); !played && !stop_.requested())
        Abandon(played.failure());
    } catch (...) {
      exception = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (exception && !exception_) exception_ = exception;
    if (exception) abandoned_ = true;
    --running_;
    changed_.notify_one();
  }

  base::Result<void> PlayTasks(std::unique_ptr<UhpClient> engine) {
    if (!engine) {
      auto started = UhpClient::Start(spec_, options_.timeout, stop_);
      if (!started) return started.failure();
      engine = *std::move(started);
    }
    while (!stop_.requested() && !abandoned_) {
      const int task = next_task_.fetch_add(1);
      if (task >= tasks_) break;
      if (auto played = PlayTask(*engine, task); !played) return played;
    }
    return {};
  }

  // The variants take turns, so that a run that is stopped has seen all of them.
  base::Result<void> PlayTask(UhpClient& engine, int task) {
    const auto variants = static_cast<int>(result_.variants.size());
    CrosscheckVariant& entry = result_.variants[static_cast<std::size_t>(task % variants)];
    CrosscheckPlay play = options_.play;
    play.rules.variant = entry.variant;
    base::RandomStream random(options_.seed, {static_cast<std::uint64_t>(entry.variant.index()),
                                              static_cast<std::uint64_t>(task / variants)});
    auto played = PlayCrosscheckGame(engine, play, random);
    if (!played) return played.failure();
    const std::lock_guard lock(mutex_);
    entry.counts += played->counts;
    ++finished_;
    if (played->first && (first_task_ < 0 || task < first_task_)) {
      first_task_ = task;
      result_.first = std::move(played->first);
    }
    return {};
  }

  void Abandon(const base::Failure& failure) {
    const std::lock_guard lock(mutex_);
    if (!result_.failure) result_.failure = failure;
    abandoned_ = true;
  }

  const UhpSpec& spec_;
  const CrosscheckOptions& options_;
  const base::StopToken& stop_;
  CrosscheckResult& result_;  // guarded by mutex_
  const int tasks_;
  std::atomic<int> next_task_{0};
  std::atomic<bool> abandoned_{false};

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  int running_ = 0;
  int finished_ = 0;
  int first_task_ = -1;
  std::exception_ptr exception_;
};

}  // namespace

CrosscheckCounts CrosscheckResult::total() const {
  CrosscheckCounts sum;
  for (const CrosscheckVariant& entry : variants) sum += entry.counts;
  return sum;
}

base::Result<CrosscheckResult> Crosscheck(
    const UhpSpec& spec, const CrosscheckOptions& options,
    const std::function<void(const CrosscheckProgress&)>& progress, const base::StopToken& stop) {
  const Clock::time_point start = Clock::now();
  auto engine = UhpClient::Start(spec, options.timeout, stop);
  if (!engine) return engine.failure();
  CrosscheckResult result;
  result.engine = (*engine)->name();
  for (const env::Variant variant : options.variants) {
    if ((*engine)->Supports(variant)) {
      result.variants.push_back({variant, {}});
    } else {
      result.not_supported.push_back(variant);
    }
  }
  if (!result.variants.empty())
    CrosscheckPool(spec, options, stop, result).Run(*std::move(engine), progress);
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace apiary::play
