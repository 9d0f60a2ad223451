// The search of play and analysis: PUCT, as long as wanted, by several threads on one tree, which
// is kept while the game goes on. Its tree stops growing at a number of bytes; the search goes on.
//
// One lock guards tree and cache. A thread holds it while it follows and backs up a simulation
// (microseconds) and gives it away while the net evaluates the leaf, so that threads scale as far
// as the net is what costs time. Simulations on their way count as visits without a value.
//
// With one thread and no limit of time the result is a function of the games searched so far.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "mcts/search.h"

namespace apiary::mcts {

struct LongSearchOptions {
  std::uint64_t tree_bytes = std::uint64_t{1} << 30;
  std::uint64_t cache_bytes = std::uint64_t{64} << 20;  // of evaluations; 0: none
  SearchOptions search = {};  // c_puct and the like; rules, noise, limits, memory are overwritten
  bool keep_tree = true;      // off only to measure what it is worth
};

// What ends a search, whichever comes first. A proof of the position ends it always.
struct SearchLimits {
  // Visits of the position, those kept from the search before included. No more than this, so that
  // sums of values stay exact enough in 32 bits.
  static constexpr int kMostSimulations = 1 << 24;
  int simulations = kMostSimulations;
  double seconds = std::numeric_limits<double>::infinity();  // of wall time, from the call
};

class LongSearch {
 public:
  // evaluators: of one net, one a thread, at least one.
  LongSearch(std::vector<std::unique_ptr<nn::Evaluator>> evaluators,
             const LongSearchOptions& options);
  ~LongSearch();

  int threads() const { return static_cast<int>(crew_.size()); }
  // Searches `game`, which must not be over; the position is evaluated and the best move known
  // whatever the limits are. `cancelled` is asked every few milliseconds, on the calling thread,
  // and ends the search when it is true. Errors of an evaluator are thrown. The result is valid
  // until the next call.
  const SearchResult& Run(const env::Game& game, const SearchLimits& limits,
                          const std::function<bool()>& cancelled = {});
  // Forgets the tree and the cache.
  void Clear();

  // For tests and tools (mcts/tree.h); valid until the next call of a changing function.
  const Tree& tree() const { return search_.tree(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Worker;

  // When a thread's work ends, if the search is not done before.
  struct Shift {
    int simulations = std::numeric_limits<int>::max();
    Clock::time_point deadline = Clock::time_point::max();
    std::function<bool()> cancelled = {};  // may be empty
  };

  void Work(Worker& worker, const Shift& shift);
  // One simulation, or a wait for another thread's; the lock is held before and after.
  void Simulate(Worker& worker, std::unique_lock<std::mutex>& lock);

  LongSearchOptions options_;
  std::vector<std::unique_ptr<Worker>> crew_;  // the first is the calling thread's
  std::mutex mutex_;                           // guards all below
  std::condition_variable backed_up_;
  Search search_;
  std::unique_ptr<nn::EvaluationCache> cache_;
  bool stopping_ = false;
  std::exception_ptr error_;
};

}  // namespace apiary::mcts
