// A cohort: games that are searched together, one search each, so that the leaves of all make one
// block. A worker has two: while one's block is with the evaluator the other selects. No slot waits
// for another game: a finished game's place is filled at once.
//
// Weights change only between moves: a search is bound to the net it began with to its last
// simulation. After a change the searches under way go on in a block of their own, for the old net,
// until they end; games go on with the new net at their next move.
//
// Lives on one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "train/selfplay_game.h"

namespace apiary::train {

// A net as a worker thread uses it.
struct Net {
  std::shared_ptr<nn::Evaluator> evaluator;
  int generation = 0;
  std::shared_ptr<nn::EvaluationCache> cache = nullptr;  // of this net's evaluations, or none
};

// What a cohort asks of its owner and tells it.
struct CohortHooks {
  // Begins a game in the slot of a finished one, or an empty slot; false: no more games.
  std::function<bool(std::optional<SelfplayGame>& slot)> new_game;
  std::function<void(const mcts::Search&)> search_done;
  std::function<void(GameRecord)> game_done;
  std::function<void()> block_submitted;
};

class Cohort {
 public:
  Cohort(int slots, CohortHooks hooks);
  // Waits for blocks still in flight: the evaluator may hold references to them.
  ~Cohort();
  Cohort(const Cohort&) = delete;
  Cohort& operator=(const Cohort&) = delete;

  // Carries every game on until it waits for an evaluation, and submits the blocks. New searches
  // are begun with `net`. Precondition: nothing in flight.
  void Select(const Net& net);
  // Waits for what is in flight and backs it up. Throws what the evaluator throws.
  void Wait();
  // No game is in play: there were no more to begin.
  bool empty() const { return waiting_ == 0; }
  // In evaluators, or waiting for them, so far.
  double evaluator_seconds() const { return evaluator_seconds_; }

 private:
  // The searches of one net and their block.
  struct Lane {
    Net net;
    env::Block block;
    nn::Evaluation evaluation;
    bool in_flight = false;
    int searches = 0;
  };
  struct Slot {
    std::optional<SelfplayGame> game;  // under way or, if not `playing`, finished
    bool playing = false;
    mcts::Search search;
    Lane* lane = nullptr;  // of the search under way
    int first = -1;        // its wave's first position in the lane's block; -1: no wave open
  };

  Lane& LaneFor(const Net& net);
  void Advance(Slot& slot, Lane& newest);
  bool SelectLeaves(Slot& slot);
  void FinishSearch(Slot& slot);
  void DropIdleLanes();

  CohortHooks hooks_;
  std::vector<std::unique_ptr<Lane>> lanes_;  // the newest net last
  std::vector<Slot> slots_;
  int waiting_ = 0;  // slots with an open wave
  double evaluator_seconds_ = 0;
};

}  // namespace apiary::train
