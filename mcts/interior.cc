#include "mcts/interior.h"

#include <cmath>
#include <limits>

#include "base/check.h"
#include "mcts/halving.h"
#include "mcts/softmax.h"

namespace apiary::mcts {

namespace {

template <typename Score>
std::size_t BestNotLost(const EdgeTable& table, Score score) {
  std::size_t best = table.size();
  float best_score = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const float s = score(i);
    if (s > best_score && table.proven[i] != Proven::kLoss) {
      best = i;
      best_score = s;
    }
  }
  APIARY_CHECK(best < table.size(), "no move of {} can be followed", table.size());
  return best;
}

}  // namespace

std::size_t SelectByImprovedPolicy(const EdgeTable& table, const SearchOptions& options,
                                   std::vector<float>& improved) {
  improved.resize(table.size());
  ImprovedPolicy(table.log_prior, table.completed_q, table.visit_max, options.visit_offset,
                 options.value_scale, improved);
  const float scale = 1.0F / static_cast<float>(1 + table.visit_sum);
  return BestNotLost(table, [&](std::size_t i) {
    return improved[i] - static_cast<float>(table.visits[i]) * scale;
  });
}

std::size_t SelectByPuct(const EdgeTable& table, const SearchOptions& options) {
  const float exploration =
      static_cast<float>(options.c_puct) * std::sqrt(static_cast<float>(1 + table.visit_sum));
  return BestNotLost(table, [&](std::size_t i) {
    return table.completed_q[i] + exploration * ExpNonPositive(table.log_prior[i]) /
                                      static_cast<float>(1 + table.visits[i]);
  });
}

}  // namespace apiary::mcts
