// A run's directory: creating it, resuming it, its configuration, the STOP file and the fence
// between learners. Start-up code of one process; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "train/run_config.h"

namespace apiary::train {

// What the command line says about a run.
struct RunOptions {
  std::string run;
  std::string config;                  // preset or file; empty: the run's own configuration
  std::vector<std::string> overrides;  // "key=value"
  double minutes = -1;                 // negative: not given
  int generations = -1;
  int threads = -1;
  std::string device = "auto";
};

struct OpenedRun {
  RunConfig config;
  bool resumed = false;
  std::vector<std::string>
      changes;  // "learn.batch: 256 -> 128", settings that differ from the run's own
};

// Makes the folders of a new run and writes its config.toml, or opens an existing one: a changed
// net.* or rules.variant is refused by name, other differences are listed, applied and written.
// `create`: a run that does not exist is made, else it is a failure. Throws apiary::Error (74) when
// the disk stays full.
base::Result<OpenedRun> OpenRun(const RunOptions& options, bool create);

std::string StopFile(const std::string& run);
bool StopFilePresent(const std::string& run);
// True if one was there.
bool RemoveStopFile(const std::string& run);

// Numbers learners by files created exclusively; the one with the highest number owns the run.
class LearnerFence {
 public:
  static base::Result<LearnerFence> Claim(const std::string& run);
  // A failure once another learner has claimed the run: this one must write nothing more.
  base::Result<void> Check() const;
  int epoch() const { return epoch_; }

 private:
  LearnerFence(std::string run, int epoch) : run_(std::move(run)), epoch_(epoch) {}
  std::string run_;
  int epoch_;
};

}  // namespace apiary::train
