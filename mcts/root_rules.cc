#include "mcts/root_rules.h"

#include <algorithm>

#include "base/check.h"
#include "mcts/halving.h"
#include "mcts/softmax.h"

namespace apiary::mcts {

void RootScores(const EdgeTable& table, std::span<const float> gumbel, const SearchOptions& options,
                std::span<float> scores) {
  for (std::size_t i = 0; i < table.size(); ++i)
    scores[i] = gumbel[i] + table.log_prior[i] +
                TransformQ(table.completed_q[i], table.visit_max, options.visit_offset,
                           options.value_scale);
}

void KeepSurvivors(const EdgeTable& table, std::span<const float> scores, std::size_t count,
                   std::vector<std::size_t>& survivors) {
  const auto better = [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  };
  std::erase_if(survivors, [&](std::size_t i) { return table.proven[i] == Proven::kLoss; });
  std::sort(survivors.begin(), survivors.end(), better);
  if (survivors.size() >= count) {
    survivors.resize(count);
    return;
  }
  const std::size_t kept = survivors.size();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const bool known =
        std::find(survivors.begin(), survivors.begin() + static_cast<std::ptrdiff_t>(kept), i) !=
        survivors.begin() + static_cast<std::ptrdiff_t>(kept);
    if (!known && table.proven[i] != Proven::kLoss) survivors.push_back(i);
  }
  const std::size_t end = std::min(count, survivors.size());
  std::partial_sort(survivors.begin() + static_cast<std::ptrdiff_t>(kept),
                    survivors.begin() + static_cast<std::ptrdiff_t>(end), survivors.end(), better);
  survivors.resize(end);
}

std::size_t BestSurvivor(const EdgeTable& table, std::span<const float> scores,
                         std::span<const std::size_t> survivors) {
  APIARY_CHECK(!survivors.empty(), "no root move of {} is left to choose", table.size());
  return *std::min_element(survivors.begin(), survivors.end(), [&](std::size_t a, std::size_t b) {
    if (table.visits[a] != table.visits[b]) return table.visits[a] > table.visits[b];
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
}

std::size_t MostVisited(const EdgeTable& table) {
  std::size_t best = table.size();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table.proven[i] == Proven::kLoss) continue;
    if (best == table.size() || table.visits[i] > table.visits[best] ||
        (table.visits[i] == table.visits[best] &&
         (table.completed_q[i] > table.completed_q[best] ||
          (table.completed_q[i] == table.completed_q[best] &&
           table.log_prior[i] > table.log_prior[best]))))
      best = i;
  }
  APIARY_CHECK(best < table.size(), "all {} root moves are lost although the root is not",
               table.size());
  return best;
}

std::size_t BestProven(const EdgeTable& table, Proven root) {
  std::size_t best = table.size();
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table.proven[i] == root &&
        (best == table.size() || table.log_prior[i] > table.log_prior[best]))
      best = i;
  APIARY_CHECK(best < table.size(), "a solved root without a move of its value {}",
               static_cast<int>(root));
  return best;
}

void RootTarget(const EdgeTable& table, Proven root, const SearchOptions& options,
                std::span<float> improved) {
  if (root == Proven::kUnknown) {
    ImprovedPolicy(table.log_prior, table.completed_q, table.visit_max, options.visit_offset,
                   options.value_scale, improved);
    return;
  }
  const auto best = std::count(table.proven.begin(), table.proven.end(), root);
  for (std::size_t i = 0; i < table.size(); ++i)
    improved[i] = table.proven[i] == root ? 1.0F / static_cast<float>(best) : 0.0F;
}

void FillRootMoves(std::span<const Edge> edges, const EdgeTable& table,
                   std::span<const float> improved, std::vector<RootMove>& moves) {
  moves.resize(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    const bool known = edge.visits > 0 || edge.proven != Proven::kUnknown;
    moves[i] = {.move = edge.move,
                .prior = ExpNonPositive(edge.log_prior),
                .visits = edge.visits,
                .q = known ? table.completed_q[i] : 0.0F,
                .proven = edge.proven,
                .improved = improved[i]};
  }
}

}  // namespace apiary::mcts
