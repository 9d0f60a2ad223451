// Sequential halving as it goes on: which root move the next simulation visits. Owned by one
// search; keeps its memory, and the schedule from search to search.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mcts/edge_table.h"
#include "mcts/halving.h"
#include "mcts/options.h"

namespace apiary::mcts {

class HalvingRounds {
 public:
  // Before the first round.
  void Restart();
  // The next move of the round; none once each was given.
  std::optional<std::size_t> Next();
  bool round_done() const { return next_ == survivors_.size(); }
  // Begins the next round with those of the root's moves that `scores` [moves] tells to be the
  // best; false if there is none. Precondition: the round is done and backed up.
  bool BeginRound(const EdgeTable& table, const SearchOptions& options,
                  std::span<const float> scores);
  // The move to play: the most visited of the survivors, by score among equals. `scores` as they
  // are now.
  std::size_t Best(const EdgeTable& table, std::span<const float> scores);

 private:
  void FitSchedule(const EdgeTable& table, const SearchOptions& options);

  std::vector<std::size_t> survivors_;  // of this round, in order of visiting
  std::size_t next_ = 0;
  std::size_t round_ = 0;
  std::vector<HalvingRound> schedule_;
  std::pair<int, int> schedule_of_{-1, -1};  // considered and simulations that schedule_ is for
};

}  // namespace apiary::mcts
