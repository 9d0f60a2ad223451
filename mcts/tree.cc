#include "mcts/tree.h"

namespace apiary::mcts {

void Tree::Reroot(NodeId root) {
  APIARY_CHECK(root.value < nodes_.size() && node(root).edge_count > 0,
               "node {} of {} cannot be the root", root.value, nodes_.size());
  const auto end = static_cast<std::uint32_t>(nodes_.size());
  moved_to_.assign(end, NodeId{});
  constexpr NodeId kReached{0};  // and not numbered yet
  moved_to_[root.value] = kReached;
  std::uint32_t kept = 0;
  for (std::uint32_t i = root.value; i < end; ++i) {
    if (!moved_to_[i].valid()) continue;
    moved_to_[i] = NodeId{kept++};
    for (const Edge& edge : edges(NodeId{i}))
      if (edge.child.valid()) moved_to_[edge.child.value] = kReached;
  }

  std::uint32_t edge_count = 0;
  for (std::uint32_t i = root.value; i < end; ++i) {
    if (!moved_to_[i].valid()) continue;
    const std::span<const Edge> from = edges(NodeId{i});
    Node moved = nodes_[i];
    moved.first_edge = EdgeId{edge_count};
    for (Edge edge : from) {
      if (edge.child.valid()) edge.child = moved_to_[edge.child.value];
      edges_[edge_count++] = edge;
    }
    nodes_[moved_to_[i].value] = moved;
  }
  nodes_.resize(kept);
  edges_.resize(edge_count);
}

NodeId Tree::Follow(std::span<const env::Move> moves) const {
  if (nodes_.empty()) return {};
  NodeId id = kRoot;
  for (const env::Move move : moves) {
    const std::span<const Edge> from = edges(id);
    const auto followed = std::find_if(from.begin(), from.end(),
                                       [move](const Edge& edge) { return edge.move == move; });
    if (followed == from.end() || !followed->child.valid()) return {};
    id = followed->child;
  }
  return node(id).edge_count > 0 && !node(id).awaited() ? id : NodeId();
}

}  // namespace apiary::mcts
