#include "train/cohort.h"

#include <exception>

#include "base/check.h"
#include "train/clock.h"

namespace apiary::train {

Cohort::Cohort(int slots, CohortHooks hooks)
    : hooks_(std::move(hooks)), slots_(static_cast<std::size_t>(slots)) {}

Cohort::~Cohort() {
  for (const auto& lane : lanes_) {
    if (!lane->in_flight) continue;
    try {
      lane->net.evaluator->Wait(lane->evaluation);
    } catch (const std::exception&) {
      // The cohort is given up; the error that ended the worker, or none, is the one to report.
    }
  }
}

void Cohort::Select(const Net& net) {
  Lane& newest = LaneFor(net);
  for (const auto& lane : lanes_) {
    APIARY_CHECK(!lane->in_flight, "Select with a block of generation {} in flight",
                 lane->net.generation);
    lane->block.Clear();
  }
  waiting_ = 0;
  for (Slot& slot : slots_) Advance(slot, newest);
  DropIdleLanes();
  const double begin = MonotonicSeconds();
  for (const auto& lane : lanes_) {
    if (lane->block.positions() == 0) continue;
    lane->net.evaluator->Submit(lane->block, lane->evaluation);
    lane->in_flight = true;
    hooks_.block_submitted();
  }
  evaluator_seconds_ += MonotonicSeconds() - begin;
}

void Cohort::Wait() {
  const double begin = MonotonicSeconds();
  for (const auto& lane : lanes_) {
    if (!lane->in_flight) continue;
    lane->in_flight = false;
    lane->net.evaluator->Wait(lane->evaluation);
    nn::CheckFinite(lane->block, lane->evaluation);
  }
  evaluator_seconds_ += MonotonicSeconds() - begin;
  for (Slot& slot : slots_) {
    if (slot.first < 0) continue;
    const base::ScopedCheckContext context([&slot] { return slot.game->GameString(); });
    slot.search.BackupWave(slot.lane->evaluation, std::exchange(slot.first, -1));
  }
}

Cohort::Lane& Cohort::LaneFor(const Net& net) {
  if (lanes_.empty() || lanes_.back()->net.evaluator != net.evaluator) {
    lanes_.push_back(std::make_unique<Lane>());
    lanes_.back()->net = net;
  }
  return *lanes_.back();
}

void Cohort::Advance(Slot& slot, Lane& newest) {
  const base::ScopedCheckContext context(
      [&slot] { return slot.playing ? slot.game->GameString() : "no game"; });
  while (true) {
    if (!slot.playing) slot.playing = hooks_.new_game(slot.game);
    if (!slot.playing) return;
    if (slot.lane == nullptr) {
      slot.lane = &newest;
      ++newest.searches;
      slot.game->BeginSearch(slot.search, newest.net.generation, newest.net.cache.get());
    }
    if (SelectLeaves(slot)) return;
    FinishSearch(slot);
  }
}

// Whether the search waits for an evaluation; else it is done.
bool Cohort::SelectLeaves(Slot& slot) {
  Lane& lane = *slot.lane;
  while (!slot.search.done()) {
    const int first = lane.block.positions();
    if (slot.search.SelectWave(lane.block) > 0) {
      slot.first = first;
      ++waiting_;
      return true;
    }
    slot.search.BackupWave(lane.evaluation, first);
  }
  return false;
}

void Cohort::FinishSearch(Slot& slot) {
  const mcts::SearchResult& result = slot.search.result();
  hooks_.search_done(slot.search);
  --slot.lane->searches;
  slot.lane = nullptr;
  if (!slot.game->FinishSearch(result)) return;
  hooks_.game_done(slot.game->TakeRecord());
  slot.playing = false;
}

void Cohort::DropIdleLanes() {
  std::erase_if(lanes_, [this](const std::unique_ptr<Lane>& lane) {
    return lane->searches == 0 && lane != lanes_.back();
  });
}

}  // namespace apiary::train
