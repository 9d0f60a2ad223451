// Heartbeats: small JSON files in RUN/workers/, replaced whole, by which the processes of a run see
// each other.
//   learner.json   "apiary-learner-1": what the learner has and needs; workers pause by it
//   (back-pressure) WORKER.json    "apiary-worker-1": counters of a worker, for display only
// Any thread; one writer a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace apiary::train {

struct LearnerHeartbeat {
  // Positions of all game files that the learner has found since the run began, files removed since
  // included.
  std::int64_t positions_seen = 0;
  // Positions that it must have seen to go on training without a wait, as of now. Workers are ahead
  // by positions_seen - positions_needed and pause when that exceeds learn.max_lead.
  std::int64_t positions_needed = 0;
  std::int64_t step = 0;
  int generation = 0;
  double time_s = 0;  // Unix time; set by WriteLearnerHeartbeat
};

struct WorkerHeartbeat {
  std::string name;
  std::string state;  // "gen0", "playing", "paused", "waiting" (for the first weights) or "ended"
  int generation = 0;
  std::uint64_t games = 0;
  std::uint64_t positions = 0;
  std::uint64_t simulations = 0;
  std::uint64_t evaluations = 0;
  std::uint64_t batches = 0;
  std::uint64_t solved_roots = 0;
  double time_s = 0;  // Unix time; set by WriteWorkerHeartbeat
};

base::Result<void> WriteLearnerHeartbeat(const std::string& run, LearnerHeartbeat heartbeat);
// nullopt: there is none yet. A foreign or damaged file is a failure that names the field.
base::Result<std::optional<LearnerHeartbeat>> ReadLearnerHeartbeat(const std::string& run);

base::Result<void> WriteWorkerHeartbeat(const std::string& run, WorkerHeartbeat heartbeat);
// All readable ones, by name; others are left out.
std::vector<WorkerHeartbeat> ReadWorkerHeartbeats(const std::string& run);

}  // namespace apiary::train
