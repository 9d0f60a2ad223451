#include "mcts/halving_rounds.h"

#include <algorithm>

#include "mcts/root_rules.h"

namespace apiary::mcts {

void HalvingRounds::Restart() {
  survivors_.clear();
  next_ = round_ = 0;
}

std::optional<std::size_t> HalvingRounds::Next() {
  if (round_done()) return std::nullopt;
  return survivors_[next_++];
}

void HalvingRounds::FitSchedule(const EdgeTable& table, const SearchOptions& options) {
  const auto lost = std::count(table.proven.begin(), table.proven.end(), Proven::kLoss);
  const int candidates = static_cast<int>(table.size()) - static_cast<int>(lost);
  const std::pair<int, int> wanted{std::min(options.considered, candidates), options.simulations};
  if (schedule_of_ != wanted) HalvingSchedule(wanted.first, wanted.second, schedule_);
  schedule_of_ = wanted;
}

bool HalvingRounds::BeginRound(const EdgeTable& table, const SearchOptions& options,
                               std::span<const float> scores) {
  if (round_ == 0) FitSchedule(table, options);
  if (round_ == schedule_.size()) return false;
  next_ = 0;
  KeepSurvivors(table, scores, static_cast<std::size_t>(schedule_[round_++].survivors), survivors_);
  return true;
}

std::size_t HalvingRounds::Best(const EdgeTable& table, std::span<const float> scores) {
  KeepSurvivors(table, scores, std::max<std::size_t>(1, survivors_.size()), survivors_);
  return BestSurvivor(table, scores, survivors_);
}

}  // namespace apiary::mcts
