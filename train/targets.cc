#include "train/targets.h"

#include "base/check.h"

namespace apiary::train {
namespace {

nn::Wdl Mix(const nn::Wdl& a, const nn::Wdl& b, double weight_a) {
  const float w = static_cast<float>(weight_a);
  return {w * a.win + (1 - w) * b.win, w * a.draw + (1 - w) * b.draw,
          w * a.loss + (1 - w) * b.loss};
}

nn::Wdl FinalWdl(const GameRecord& record) {
  if (record.outcome.result == env::Result::kUnfinished) {
    APIARY_CHECK(record.cap_wdl.has_value(), "capped game of {} plies without a final value",
                 record.moves.size());
    return *record.cap_wdl;
  }
  return OutcomeWdl(record.outcome.result,
                    SideToMove(record.rules, static_cast<int>(record.moves.size())));
}

}  // namespace

env::Color SideToMove(const env::Rules& rules, int ply) {
  return ply % 2 == 0 ? rules.first_player : env::Opponent(rules.first_player);
}

nn::Wdl OutcomeWdl(env::Result result, env::Color side) {
  switch (result) {
    case env::Result::kDraw:
      return {0, 1, 0};
    case env::Result::kWhiteWins:
      return side == env::Color::kWhite ? nn::Wdl{1, 0, 0} : nn::Wdl{0, 0, 1};
    case env::Result::kBlackWins:
      return side == env::Color::kBlack ? nn::Wdl{1, 0, 0} : nn::Wdl{0, 0, 1};
    case env::Result::kInProgress:
    case env::Result::kUnfinished:
      break;
  }
  APIARY_CHECK(false, "no certain WDL for result {}", static_cast<int>(result));
  return {};
}

std::vector<nn::Wdl> ValueTargets(const GameRecord& record, double lambda) {
  std::vector<nn::Wdl> targets(record.moves.size());
  nn::Wdl next = FinalWdl(record);  // already mixed, view of the side to move at t + 1
  for (std::size_t t = record.moves.size(); t-- > 0;) {
    const PositionRecord& position = record.positions[t];
    targets[t] = position.solved ? position.root_wdl : nn::Flip(next);
    next = position.has_value && !position.solved ? Mix(targets[t], position.root_wdl, lambda)
                                                  : targets[t];
  }
  return targets;
}

float MovesLeftTarget(const GameRecord& record, int ply) {
  if (record.outcome.result == env::Result::kUnfinished) return -1;
  return static_cast<float>(static_cast<int>(record.moves.size()) - ply);
}

}  // namespace apiary::train
