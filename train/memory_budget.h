// What a run may use of memory, by its hard bounds. Start-up code.
#pragma once

#include <cstdint>

#include "train/run_config.h"

namespace apiary::train {

struct MemoryBudget {
  std::int64_t program = 0;   // the program with LibTorch
  std::int64_t window = 0;    // replay window, bound by learn.window_mb
  std::int64_t workers = 0;   // search trees and evaluation blocks
  std::int64_t training = 0;  // net, optimiser, activations of one batch
  std::int64_t total() const { return program + window + workers + training; }
};
MemoryBudget EstimateMemory(const RunConfig& config, int worker_threads, bool learner);
// Logs the estimate; a warning if it exceeds what the machine has.
void PrintMemoryBudget(const RunConfig& config, int worker_threads, bool learner);

}  // namespace apiary::train
