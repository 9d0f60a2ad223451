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

namespace {

bool Unvisited(const EdgeTable& table, std::size_t i) {
  return table.visits[i] == 0 && table.proven[i] == Proven::kUnknown;
}

float ReducedValue(const EdgeTable& table, float reduction) {
  float sum = table.raw_value;
  float visited_prior = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    sum += static_cast<float>(table.visits[i]) * table.completed_q[i];
    visited_prior += table.prior[i];
  }
  return sum / static_cast<float>(1 + table.visit_sum) - reduction * std::sqrt(visited_prior);
}

float Exploration(const EdgeTable& table, const SearchOptions& options) {
  const double visits = table.visit_sum;
  const double growth =
      options.c_puct_base > 0 ? std::log1p((1 + visits) / options.c_puct_base) : 0.0;
  return static_cast<float>((options.c_puct + growth) * std::sqrt(1 + visits));
}

}  // namespace

std::size_t SelectByPuct(const EdgeTable& table, const SearchOptions& options) {
  const float exploration = Exploration(table, options);
  const bool reduced = options.first_play == FirstPlay::kReduced;
  const float first_play =
      reduced ? ReducedValue(table, static_cast<float>(options.first_play_reduction)) : 0.0F;
  return BestNotLost(table, [&](std::size_t i) {
    const float q = reduced && Unvisited(table, i) ? first_play : table.completed_q[i];
    return q + exploration * ExpNonPositive(table.log_prior[i]) /
                   static_cast<float>(1 + table.visits[i]);
  });
}

}  // namespace apiary::mcts
