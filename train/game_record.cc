#include "train/game_record.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/check.h"

namespace apiary::train {

void GameRecord::AddPolicy(std::span<const float> policy, PositionRecord& position) {
  const std::size_t begin = policies.size();
  policies.resize(begin + policy.size());
  QuantizePolicy(policy, std::span(policies).subspan(begin));
  position.has_policy = true;
  position.policy_begin = static_cast<std::uint32_t>(begin);
  position.policy_size = static_cast<std::uint32_t>(policy.size());
}

void QuantizePolicy(std::span<const float> policy, std::span<std::uint16_t> units) {
  APIARY_CHECK(policy.size() <= env::kMaxMoves && units.size() == policy.size(),
               "a policy over {} moves in {} units", policy.size(), units.size());
  double sum = 0;
  for (const float p : policy) {
    APIARY_CHECK(std::isfinite(p) && p >= 0, "policy entry {} of {} moves", p, policy.size());
    sum += p;
  }
  APIARY_CHECK(std::abs(sum - 1) < 1e-3, "a policy over {} moves sums to {}", policy.size(), sum);
  std::array<double, env::kMaxMoves> remainders;
  int left = static_cast<int>(kProbabilityUnit);
  for (std::size_t i = 0; i < policy.size(); ++i) {
    const double exact = policy[i] / sum * kProbabilityUnit;
    units[i] = static_cast<std::uint16_t>(std::min(exact, double{kProbabilityUnit}));
    remainders[i] = exact - units[i];
    left -= units[i];
  }
  APIARY_CHECK(left >= 0 && left <= static_cast<int>(policy.size()),
               "{} units left of a policy over {} moves", left, policy.size());
  std::array<std::uint16_t, env::kMaxMoves> order;
  const auto order_end = order.begin() + static_cast<std::ptrdiff_t>(policy.size());
  std::iota(order.begin(), order_end, std::uint16_t{0});
  std::sort(order.begin(), order_end, [&](std::uint16_t a, std::uint16_t b) {
    return remainders[a] != remainders[b] ? remainders[a] > remainders[b] : a < b;
  });
  for (int i = 0; i < left; ++i) ++units[order[static_cast<std::size_t>(i)]];
}

StoredWdl QuantizeWdl(const nn::Wdl& wdl) {
  std::array<std::uint16_t, 3> units;
  QuantizePolicy(std::array{wdl.win, wdl.draw, wdl.loss}, units);
  return {units[0], units[1]};
}

nn::Wdl RestoreWdl(const StoredWdl& stored) {
  const int loss = static_cast<int>(kProbabilityUnit) - stored.win - stored.draw;
  APIARY_CHECK(loss >= 0, "stored win {} and draw {} exceed {}", stored.win, stored.draw,
               kProbabilityUnit);
  constexpr float kUnit = static_cast<float>(kProbabilityUnit);
  return {static_cast<float>(stored.win) / kUnit, static_cast<float>(stored.draw) / kUnit,
          static_cast<float>(loss) / kUnit};
}

}  // namespace apiary::train
