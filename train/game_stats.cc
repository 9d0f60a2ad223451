#include "train/game_stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apiary::train {
namespace {

char Letter(env::Result result) {
  switch (result) {
    case env::Result::kWhiteWins:
      return 'W';
    case env::Result::kBlackWins:
      return 'B';
    case env::Result::kDraw:
      return 'D';
    default:
      return 'C';
  }
}

double Entropy(std::span<const std::uint16_t> policy) {
  double entropy = 0;
  for (const std::uint16_t units : policy) {
    if (units == 0) continue;
    const double p = units / 65535.0;
    entropy -= p * std::log(p);
  }
  return entropy;
}

}  // namespace

void GameStats::Add(const GameRecord& game) {
  ++games_;
  plies_ += static_cast<std::int64_t>(game.moves.size());
  white_ += game.outcome.result == env::Result::kWhiteWins;
  black_ += game.outcome.result == env::Result::kBlackWins;
  draw_ += game.outcome.result == env::Result::kDraw;
  surround_ += game.outcome.reason == env::Reason::kSurround;
  both_ += game.outcome.reason == env::Reason::kBoth;
  repetition_ += game.outcome.reason == env::Reason::kRepetition;
  cap_ += game.outcome.reason == env::Reason::kCap;
  for (const PositionRecord& position : game.positions) {
    searched_ += position.has_value;
    solved_ += position.solved;
    if (!position.has_policy) continue;
    ++policies_;
    entropy_ += Entropy(game.Policy(position));
  }
}

void GameStats::Report(std::map<std::string, double>& metrics) const {
  if (games_ == 0) return;
  const auto share = [this](std::int64_t count) {
    return static_cast<double>(count) / static_cast<double>(games_);
  };
  metrics["share_white"] = share(white_);
  metrics["share_black"] = share(black_);
  metrics["share_draw"] = share(draw_);
  metrics["share_surround"] = share(surround_);
  metrics["share_both"] = share(both_);
  metrics["share_repetition"] = share(repetition_);
  metrics["share_cap"] = share(cap_);
  metrics["plies"] = share(plies_);
  if (searched_ > 0)
    metrics["solved_share"] = static_cast<double>(solved_) / static_cast<double>(searched_);
  if (policies_ > 0) metrics["target_entropy"] = entropy_ / static_cast<double>(policies_);
}

void DecisiveWatch::Add(const GameRecord& game) {
  if (game.first_generation == 0) return;
  outcomes_.push_back(Letter(game.outcome.result));
  if (outcomes_.size() > kWindow) outcomes_.erase(0, outcomes_.size() - kWindow);
  if (full()) peak_ = std::max(peak_, share());
}

double DecisiveWatch::share() const {
  if (outcomes_.empty()) return 0;
  const auto decisive = std::count_if(outcomes_.begin(), outcomes_.end(),
                                      [](char c) { return c == 'W' || c == 'B'; });
  return static_cast<double>(decisive) / static_cast<double>(outcomes_.size());
}

std::string DecisiveWatch::Alarm() const { return full() ? DecisiveAlarm(share(), peak_) : ""; }

std::string DecisiveAlarm(double share, double peak) {
  constexpr const char* kCauses =
      "usual causes: draws that are worth too much to the losing side (selfplay.draw_value), a Q "
      "transform too flat to prefer a slow win (selfplay.value_scale), draws masked out of the "
      "value loss (learn.draw_weight), no proven values (selfplay.proofs)";
  if (share < 0.4)
    return fmt::format("only {:.0f} % of the last {} games were decisive; {}", 100 * share,
                       DecisiveWatch::kWindow, kCauses);
  if (share < peak * 2 / 3)
    return fmt::format("the decisive share fell from {:.0f} to {:.0f} % of the last {} games; {}",
                       100 * peak, 100 * share, DecisiveWatch::kWindow, kCauses);
  return "";
}

}  // namespace apiary::train
