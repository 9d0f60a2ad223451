// The learner of a run: reads game files, trains, writes checkpoints, publishes weights, keeps
// metrics. Meets the workers only in the run directory. Run() belongs to one thread; Snapshot() to
// any.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/metrics.h"
#include "base/stop.h"
#include "train/checkpoint.h"
#include "train/game_stats.h"
#include "train/game_store.h"
#include "train/learner.h"
#include "train/run_directory.h"
#include "train/strength.h"

namespace apiary::train {

// What a display shows of a learner.
struct LearnerSnapshot {
  int generation = 0;
  std::int64_t step = 0;
  std::int64_t games = 0;
  std::int64_t positions = 0;
  double uses = 0;      // mean uses of a position of generation >= 1
  double decisive = 0;  // of the last 500 self-play games
  double policy_loss = 0;
  double value_loss = 0;
  double learn_positions_per_s = 0;
  double progress = 0;    // of the budget, [0, 1]; 0 without one
  double elapsed_s = 0;   // training time, resumed time included
  double training_s = 0;  // in steps, of this process
  std::string waiting;    // why it does not train, empty if it does
  std::string alarm;
};

class LearnerLoop {
 public:
  // Claims the run and restores its checkpoint. `meter` may be null; its measurements go into the
  // metrics.
  static base::Result<std::unique_ptr<LearnerLoop>> Open(const std::string& run,
                                                         const RunConfig& config,
                                                         StrengthMeter* meter);
  // Until the budget is spent (true) or `stop` (false). Leaves a checkpoint either way. Throws
  // apiary::Error.
  bool Run(const base::StopToken& stop);
  LearnerSnapshot Snapshot() const;
  // Share of the budget used, >= 1 when it is spent.
  double Progress() const;

 private:
  LearnerLoop(std::string run, const RunConfig& config, LearnerFence fence, StrengthMeter* meter);

  base::Result<void> Restore(const Checkpoint& checkpoint);
  base::Result<void> SettleGeneration();
  void ReadNewGames();
  void ReadFile(const GameFileName& file, const std::vector<std::uint8_t>& uses);
  std::string WhyNotTraining() const;  // empty: a step may be made
  std::int64_t AllowedSamples() const;
  // Generation 0 is complete, so that nothing new comes before the first net: asked for where no
  // step may be made.
  bool FirstNetIsDue() const;
  void TrainStep();
  void Publish();
  void SaveCheckpoint();
  void CheckFence() const;  // throws apiary::Error once another learner has the run
  base::DiskFullPolicy DiskFull() const;
  void WriteMetrics();
  void WriteHeartbeat(bool training);
  void RemoveOldFiles();
  void UpdateSnapshot(const std::string& waiting);
  double ElapsedSeconds() const;
  double CpuSeconds() const;

  std::string run_;
  RunConfig config_;
  LearnerFence fence_;
  StrengthMeter* meter_;
  Learner learner_;
  ReplayWindow window_;
  LearnerState state_;
  base::RandomStream random_;
  std::set<std::string> known_;  // keys of files read or quarantined
  DecisiveWatch decisive_;
  GameStats game_stats_;
  TrainingBatch batch_;

  // Sums since the last published generation.
  struct Sums {
    int steps = 0;
    StepLosses losses;
    double seconds = 0;  // of training steps
  } sums_;
  double training_s_ = 0;  // in steps, since this process began
  bool alarm_rings_ = false;
  std::int64_t positions_at_publish_ = 0;
  double elapsed_at_publish_ = 0;
  std::chrono::steady_clock::time_point started_;
  double cpu_started_s_ = 0;
  std::chrono::steady_clock::time_point last_listing_{};
  std::chrono::steady_clock::time_point last_heartbeat_{};
  std::chrono::steady_clock::time_point next_heartbeat_warning_{};
  const base::StopToken* stop_ = nullptr;  // of Run
  std::unique_ptr<base::MetricsFile> metrics_;
  std::unique_ptr<base::EventFile> events_;

  mutable std::mutex mutex_;
  LearnerSnapshot snapshot_;
};

// Share of the budget that `elapsed_s`, `cpu_s` and `generation` have used: the largest of the
// limits that are set; 0 without.
double BudgetShare(const RunConfig& config, double elapsed_s, double cpu_s, int generation);

}  // namespace apiary::train
