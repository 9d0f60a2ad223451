#include "train/memory_budget.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "base/process_memory.h"
#include "env/encoder.h"

namespace apiary::train {
namespace {

constexpr std::int64_t kMiB = 1 << 20;
constexpr std::int64_t kProgram = 350 * kMiB;  // LibTorch's libraries and code, resident
constexpr std::int64_t kPolicyBytes = 2 * 60;  // mean legal moves, sixteen bits each
constexpr std::int64_t kRecordBytes = 32;      // move, flags, value
constexpr std::int64_t kRows = 64;             // a large position
constexpr std::int64_t kMovesAPosition = 80;   // likewise
constexpr std::int64_t kEdgeBytes = 16;

}  // namespace

MemoryBudget EstimateMemory(const RunConfig& config, int worker_threads, bool learner) {
  MemoryBudget budget;
  budget.program = kProgram;
  const std::int64_t row_bytes =
      std::int64_t{config.net.channels} * 4 * 8;  // input, gathered neighbours, output
  if (learner) {
    budget.window = std::min<std::int64_t>(config.learn.window_mb * kMiB,
                                           config.learn.window_max * (kPolicyBytes + kRecordBytes));
    budget.training =
        std::int64_t{config.learn.batch} * kRows * row_bytes * 2 * config.net.blocks * 3;
  }
  const std::int64_t games = std::int64_t{config.selfplay.games_per_thread} * worker_threads;
  const std::int64_t tree =
      std::int64_t{config.selfplay.simulations + 1} * kMovesAPosition * kEdgeBytes;
  const std::int64_t leaves = games * config.selfplay.considered / 2;
  budget.workers = games * (tree + 64 * 1024) + leaves * kRows * (row_bytes + 64) +
                   // Twice while searches by the net before come to their end.
                   2 * config.selfplay.cache_mb * kMiB * worker_threads;
  return budget;
}

void PrintMemoryBudget(const RunConfig& config, int worker_threads, bool learner) {
  const MemoryBudget budget = EstimateMemory(config, worker_threads, learner);
  spdlog::info("memory, at most: {} MiB (program {}, replay window {}, {} workers {}, training {})",
               budget.total() / kMiB, budget.program / kMiB, budget.window / kMiB, worker_threads,
               budget.workers / kMiB, budget.training / kMiB);
  const auto available = static_cast<std::int64_t>(base::PhysicalBytes());
  if (available > 0 && budget.total() > available)
    spdlog::warn("that is more than the {} MiB of this machine: lower learn.window_mb or threads",
                 available / kMiB);
}

}  // namespace apiary::train
