// A self-play worker thread: cohorts of games, one search a game, leaves of a cohort evaluated
// together; finished games go to the store and their slots start anew at once. Weights change only
// between moves. Without weights it plays generation 0 (gen0). Torch-free: evaluators come from a
// factory.
//
// Games have numbers: of `threads` worker threads, thread t plays t, t + threads, t + 2 threads,
// ... A game's randomness comes from (seed, stream_key, number) alone, so with unchanging weights
// the set of games does not depend on the number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "base/stop.h"
#include "nn/evaluator.h"
#include "train/game_store.h"
#include "train/run_config.h"

namespace apiary::train {

// Counters of one worker, written by it, read by a display thread.
struct WorkerStats {
  std::atomic<std::uint64_t> games{0};      // finished
  std::atomic<std::uint64_t> positions{0};  // of finished games
  std::atomic<std::uint64_t> simulations{0};
  std::atomic<std::uint64_t> evaluations{0};   // positions sent to the evaluator
  std::atomic<std::uint64_t> remembered{0};    // positions found in the cache instead
  std::atomic<std::uint64_t> batches{0};       // blocks sent to it
  std::atomic<std::uint64_t> searches{0};      // searches made
  std::atomic<std::uint64_t> solved_roots{0};  // of these
  std::atomic<std::uint64_t> tree_bytes{0};    // of the largest tree
  std::atomic<double> evaluating_s{0};         // in the evaluator, or waiting for it
  std::atomic<double> paused_s{0};             // ahead of the learner
  std::atomic<int> generation{0};
  std::atomic<bool> paused{false};  // ahead of the learner
};

struct WorkerOptions {
  std::string run;
  std::string name;  // "host-pid-thread": no '-' rules apply to file names; made by the caller
  int thread_index = 0;
  int threads = 1;  // worker threads of this process
  // Tells the random streams of processes, and of restarts, of one run apart: 0 for a fresh run's
  // first process, so that a seed repeats its games; a number not used before for every other.
  std::uint64_t stream_key = 0;
  RunConfig config;
  nn::EvaluatorFactory evaluators;
  // Games, generation 0 included, that all threads of this process begin and finish in total before
  // they return; 0 = until stopped.
  std::uint64_t max_games = 0;
  double poll_s = 2;       // the run directory is looked at so often
  double heartbeat_s = 5;  // the heartbeat is written so often
};

// Plays until `stop` is requested, RUN/STOP appears or max_games are played; seals what it holds
// before it returns or throws. Games in play when it is stopped are lost. Throws apiary::Error.
void RunWorker(const WorkerOptions& options, const base::StopToken& stop, WorkerStats& stats);

}  // namespace apiary::train
