#include "train/loop.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include "base/files.h"
#include "base/log.h"
#include "base/process_memory.h"
#include "nn/weights.h"
#include "train/bottleneck.h"
#include "train/learner_loop.h"
#include "train/memory_budget.h"
#include "train/progress.h"
#include "train/strength.h"
#include "train/thread_group.h"
#include "train/worker.h"

namespace apiary::train {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPoll = std::chrono::milliseconds(100);

OpenedRun OpenOrThrow(const RunOptions& options, bool create, const std::string& log_name) {
  auto opened = OpenRun(options, create);
  if (!opened) throw Error(opened.error());
  base::LogOptions log;
  log.directory = options.run + "/logs";
  log.name = log_name;
  if (const auto set_up = base::SetUpLogging(log); !set_up) throw Error(set_up.error());
  spdlog::info("{} run {}: {}, net {}x{}", opened->resumed ? "resuming" : "new", options.run,
               opened->config.rules.variant, opened->config.net.channels,
               opened->config.net.blocks);
  for (const std::string& change : opened->changes) spdlog::info("changed setting {}", change);
  return *std::move(opened);
}

int ThreadsOf(const RunConfig& config) {
  return config.threads > 0 ? config.threads : base::AllowedCores();
}

std::string WorkerName(int thread) {
  char host[64] = "host";
  ::gethostname(host, sizeof(host) - 1);
  return fmt::format("{}_{}_{}", host, ::getpid(), thread);
}

// Key of this process's random streams. The process that makes a run repeats its games with the
// seed; every later one draws its own key, so that it does not play the games that lie in the run
// already.
std::uint64_t StreamKey(const OpenedRun& opened) {
  if (!opened.resumed) return 0;
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device() | 1;
}

// The workers of this process and their counters.
class WorkerPool {
 public:
  void Start(const std::string& run, const OpenedRun& opened,
             const nn::EvaluatorFactory& evaluators, ThreadGroup& group) {
    const RunConfig& config = opened.config;
    const std::uint64_t stream_key = StreamKey(opened);
    for (int i = 0; i < ThreadsOf(config); ++i) {
      WorkerOptions worker;
      worker.run = run;
      worker.name = WorkerName(i);
      worker.thread_index = i;
      worker.threads = ThreadsOf(config);
      worker.stream_key = stream_key;
      worker.config = config;
      worker.evaluators = evaluators;
      WorkerStats& stats = stats_.emplace_back();
      group.Start(
          [worker, &stats](const base::StopToken& stop) { RunWorker(worker, stop, stats); });
    }
  }

  // The learner's time apart.
  StageTimes Times() const {
    StageTimes times;
    times.wall_s = SecondsSinceStart();
    times.workers = static_cast<int>(stats_.size());
    for (const WorkerStats& stats : stats_) {
      times.evaluating_s += stats.evaluating_s;
      times.paused_s += stats.paused_s;
    }
    return times;
  }

  void Report(ProgressNumbers& numbers) {
    const double now = SecondsSinceStart();
    std::uint64_t positions = 0;
    numbers.workers_paused = !stats_.empty();
    for (const WorkerStats& stats : stats_) {
      numbers.games += stats.games;
      positions += stats.positions;
      numbers.workers_paused = numbers.workers_paused && stats.paused;
    }
    numbers.games_per_s = games_rate_.Update(now, static_cast<double>(numbers.games));
    numbers.positions_per_s = positions_rate_.Update(now, static_cast<double>(positions));
  }

 private:
  double SecondsSinceStart() const {
    return std::chrono::duration<double>(Clock::now() - started_).count();
  }

  std::deque<WorkerStats> stats_;  // a worker keeps a reference to its own
  RateMeter games_rate_;
  RateMeter positions_rate_;
  Clock::time_point started_ = Clock::now();
};

// Says every minute which stage the others wait for. The main thread.
class BottleneckWatch {
 public:
  static constexpr double kEvery_s = 60;

  BottleneckWatch(const WorkerPool& workers, const LearnerLoop& learner)
      : workers_(workers), learner_(learner), last_(Read()) {}

  // Empty while it is not time.
  std::string Look() {
    const StageTimes now = Read();
    if (now.wall_s - last_.wall_s < kEvery_s) return "";
    return DescribeBottleneck(std::exchange(last_, now), now);
  }

 private:
  StageTimes Read() const {
    StageTimes times = workers_.Times();
    times.training_s = learner_.Snapshot().training_s;
    return times;
  }

  const WorkerPool& workers_;
  const LearnerLoop& learner_;
  StageTimes last_;
};

// Shows progress until the group has ended or must stop. True: stopped from outside (signal or
// STOP).
bool WatchUntilDone(const std::string& run, ThreadGroup& group, WorkerPool* workers,
                    const LearnerLoop* learner, const StrengthMeter* meter) {
  ProgressPrinter printer;
  std::optional<BottleneckWatch> bottleneck;
  if (workers != nullptr && learner != nullptr) bottleneck.emplace(*workers, *learner);
  bool stopped = false;
  while (!group.stop().requested()) {
    std::this_thread::sleep_for(kPoll);
    if (base::ProcessStop().requested() || StopFilePresent(run)) {
      stopped = true;
      group.stop().Request();
      break;
    }
    ProgressNumbers numbers;
    if (workers != nullptr) workers->Report(numbers);
    if (learner != nullptr) numbers.learner = learner->Snapshot();
    if (meter != nullptr) numbers.strength = meter->Last();
    printer.Show(ProgressLine(numbers));
    if (const std::string sentence = bottleneck ? bottleneck->Look() : ""; !sentence.empty()) {
      printer.Finish();
      spdlog::info("{}", sentence);
    }
    if (group.running() == 0) break;
  }
  printer.Finish();
  return stopped;
}

int StoppedExitCode(const RunOptions& options, const char* command) {
  const int code = base::StopExitCode();
  if (code != 0)
    spdlog::info("stopped; everything is written. To go on: apiary {} --run {}", command,
                 options.run);
  else
    spdlog::info("stopped by {}", StopFile(options.run));
  return code;
}

// Runs the learner in the group; when the budget is spent it stops the others.
void StartLearner(LearnerLoop& learner, ThreadGroup& group) {
  group.Start([&learner, &group](const base::StopToken& stop) {
    learner.Run(stop);
    group.stop().Request();
  });
}

void StartMeter(StrengthMeter& meter, ThreadGroup& group) {
  group.Start([&meter](const base::StopToken& stop) { meter.Run(stop); });
}

std::unique_ptr<LearnerLoop> OpenLearnerOrThrow(const std::string& run, const RunConfig& config,
                                                StrengthMeter* meter) {
  auto learner = LearnerLoop::Open(run, config, meter);
  if (!learner) throw Error(learner.error());
  return *std::move(learner);
}

int FinishWithTable(const std::string& run, const RunConfig& config,
                    const nn::EvaluatorFactory& evaluators) {
  if (config.eval.final_games == 0 || nn::HighestGeneration(run) == 0) return 0;
  const auto rows = PlayFinalTable(run, config, ThreadsOf(config), evaluators, base::ProcessStop());
  if (base::ProcessStop().requested()) return base::StopExitCode();
  const std::string table =
      FormatFinalTable(fmt::format("{}, generation {}, {} simulations a move:", run,
                                   nn::HighestGeneration(run), config.eval.simulations),
                       rows);
  std::fputs(table.c_str(), stdout);
  const auto written = base::WriteDurably(run + "/final.txt", table);
  if (!written) throw Error(written.error());
  return 0;
}

}  // namespace

int RunTrain(const RunOptions& options, const nn::EvaluatorFactory& evaluators) {
  const OpenedRun opened = OpenOrThrow(options, true, "train");
  const RunConfig& config = opened.config;
  if (RemoveStopFile(options.run)) spdlog::info("removed {}", StopFile(options.run));
  PrintMemoryBudget(config, ThreadsOf(config), true);
  spdlog::info(
      "{} self-play thread(s), the learner and matches share {} core(s); which of them the others "
      "wait for is said every minute",
      ThreadsOf(config), base::AllowedCores());

  StrengthMeter meter(options.run, config, evaluators);
  const auto learner = OpenLearnerOrThrow(options.run, config, &meter);
  if (learner->Progress() >= 1) {
    spdlog::info("{}: the budget is spent already; raise it with --minutes or --generations",
                 options.run);
    return FinishWithTable(options.run, config, evaluators);
  }
  WorkerPool workers;
  ThreadGroup group;
  StartLearner(*learner, group);
  StartMeter(meter, group);
  workers.Start(options.run, opened, evaluators, group);
  const bool stopped = WatchUntilDone(options.run, group, &workers, learner.get(), &meter);
  group.Join();
  if (stopped) return StoppedExitCode(options, "train");
  spdlog::info("budget spent: generation {}, {} games, {} positions",
               learner->Snapshot().generation, FormatCount(learner->Snapshot().games),
               FormatCount(learner->Snapshot().positions));
  return FinishWithTable(options.run, config, evaluators);
}

int RunLearn(const RunOptions& options, const nn::EvaluatorFactory& evaluators) {
  const OpenedRun opened = OpenOrThrow(options, !options.config.empty(), "learn");
  const RunConfig& config = opened.config;
  if (StopFilePresent(options.run)) return StoppedExitCode(options, "learn");
  PrintMemoryBudget(config, 0, true);
  StrengthMeter meter(options.run, config, evaluators);
  const auto learner = OpenLearnerOrThrow(options.run, config, &meter);
  ThreadGroup group;
  StartLearner(*learner, group);
  StartMeter(meter, group);
  const bool stopped = WatchUntilDone(options.run, group, nullptr, learner.get(), &meter);
  group.Join();
  if (stopped) return StoppedExitCode(options, "learn");
  spdlog::info("budget spent: generation {}", learner->Snapshot().generation);
  return 0;
}

int RunSelfplay(const RunOptions& options, const nn::EvaluatorFactory& evaluators) {
  const OpenedRun opened = OpenOrThrow(options, !options.config.empty(), "selfplay");
  const RunConfig& config = opened.config;
  if (StopFilePresent(options.run)) return StoppedExitCode(options, "selfplay");
  PrintMemoryBudget(config, ThreadsOf(config), false);
  WorkerPool workers;
  ThreadGroup group;
  workers.Start(options.run, opened, evaluators, group);
  const bool stopped = WatchUntilDone(options.run, group, &workers, nullptr, nullptr);
  group.Join();
  return stopped ? StoppedExitCode(options, "selfplay") : 0;
}

}  // namespace apiary::train
