// Checkpoints of a learner: RUN/ckpt/ckpt-STEP.safetensors (ckpt-STEP_2.safetensors
// where that step has one already) and RUN/ckpt/LATEST (JSON). Torch-free; the learner's thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/random.h"
#include "base/result.h"
#include "nn/safetensors.h"
#include "train/replay_window.h"

namespace apiary::train {

inline constexpr const char* kCheckpointFormat = "apiary-checkpoint-1";

// Everything of a learner but its tensors.
struct LearnerState {
  std::int64_t step = 0;
  std::int64_t samples = 0;         // positions trained on, repetitions counted
  std::int64_t positions_seen = 0;  // trainable positions read, generation 0 included
  std::int64_t gen0_positions = 0;  // of these, generation 0
  std::int64_t games_seen = 0;
  int generation = 0;  // last published
  double wall_s = 0;   // training time, summed over resumptions
  double cpu_s = 0;    // CPU time of the process, likewise
  base::RandomStream::State random{};
  std::string last_outcomes;  // newest last, at most 500 self-play games: W B D C (capped)
  double decisive_peak = 0;   // highest decisive share over 500 games so far
  std::vector<std::string>
      consumed;  // keys of all game files read that are not in the window any more
};

struct Checkpoint {
  LearnerState state;
  std::vector<ReplayWindow::FileUses>
      window;              // files of the window, oldest first, with the uses of their positions
  nn::TensorFile tensors;  // net, average and optimiser; metadata holds the net's spec
};

// Written durably to a file of its own, then LATEST; others but the one that LATEST named before
// are removed. Throws apiary::Error (74 on a full disk).
void WriteCheckpoint(const std::string& run, const Checkpoint& checkpoint,
                     const base::DiskFullPolicy& policy);
// nullopt when the run has none. A LATEST that does not fit its file is a failure that names the
// newest intact checkpoint.
base::Result<std::optional<Checkpoint>> ReadCheckpoint(const std::string& run);
// Deletes the temporary files that a killed learner left in ckpt/ and weights/. For the run's owner
// only.
void RemoveTemporaries(const std::string& run);
// Reads and verifies one file.
base::Result<Checkpoint> ReadCheckpointFile(const std::string& path);

}  // namespace apiary::train
