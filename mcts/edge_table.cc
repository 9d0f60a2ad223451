#include "mcts/edge_table.h"

#include <algorithm>

#include "mcts/halving.h"
#include "mcts/proven.h"
#include "mcts/softmax.h"

namespace apiary::mcts {

nn::Wdl AverageWdl(const Node& node, std::uint32_t visits) {
  const float scale = 1.0F / static_cast<float>(visits);
  const float win = node.win_sum * scale;
  const float draw = node.draw_sum * scale;
  return {.win = win, .draw = draw, .loss = std::max(0.0F, 1.0F - win - draw)};
}

namespace {

// The value of playing `edge` for its mover: exact if proven, else the average of its visits.
// Precondition: proven or visited.
float EdgeQ(const Tree& tree, const Edge& edge, float draw_value) {
  if (edge.proven != Proven::kUnknown) return ExactWdl(edge.proven).value_stm(draw_value);
  return nn::Flip(AverageWdl(tree.node(edge.child), edge.visits)).value_stm(draw_value);
}

}  // namespace

EdgeTable::EdgeTable() {
  log_prior.reserve(env::kMaxMoves);
  prior.reserve(env::kMaxMoves);
  visits.reserve(env::kMaxMoves);
  proven.reserve(env::kMaxMoves);
  completed_q.reserve(env::kMaxMoves);
}

void EdgeTable::Load(const Tree& tree, NodeId node, float draw_value) {
  const std::span<const Edge> edges = tree.edges(node);
  log_prior.resize(edges.size());
  prior.assign(edges.size(), 0.0F);
  visits.resize(edges.size());
  proven.resize(edges.size());
  completed_q.assign(edges.size(), 0.0F);
  visit_sum = 0;
  visit_max = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    log_prior[i] = edge.log_prior;
    visits[i] = edge.visits;
    proven[i] = edge.proven;
    if (edge.visits > 0) {
      visit_sum += edge.visits;
      visit_max = std::max(visit_max, edge.visits);
      prior[i] = ExpNonPositive(edge.log_prior);
    }
    if (edge.visits > 0 || edge.proven != Proven::kUnknown)
      completed_q[i] = EdgeQ(tree, edge, draw_value);
  }
  raw_value = tree.node(node).raw_value_stm();
  mixed_value = MixedValue(raw_value, prior, visits, completed_q);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (visits[i] == 0 && proven[i] == Proven::kUnknown) completed_q[i] = mixed_value;
    visits[i] += edges[i].pending;
    visit_sum += edges[i].pending;
    visit_max = std::max(visit_max, visits[i]);
  }
}

}  // namespace apiary::mcts
