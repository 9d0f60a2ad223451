// The arena of a search tree: 16-byte nodes and 16-byte edges, edges for legal moves only, made
// when a leaf is expanded. No transpositions: a node is one path, so what is proven below it (a
// repetition, too) holds for that path. Owned by one search, on its thread; allocates only while it
// grows, and keeps its memory when cleared.
//
//   Node  | first_edge 4 | edge_count 2 | raw_value 2 | win_sum 4 | draw_sum 4 |
//   Edge  | move 2 | proven 1 | pending 1 | log_prior 4 | child 4 | visits 4 |
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/check.h"
#include "env/move.h"
#include "mcts/search.h"

namespace apiary::mcts {

struct NodeId {
  std::uint32_t value = 0xFFFFFFFF;
  bool valid() const { return value != 0xFFFFFFFF; }
  friend bool operator==(NodeId, NodeId) = default;
};
struct EdgeId {
  std::uint32_t value = 0xFFFFFFFF;
  friend bool operator==(EdgeId, EdgeId) = default;
};
inline constexpr NodeId kRoot{0};

// A position that was evaluated by the net. All values are of its own side to move.
struct Node {
  EdgeId first_edge;
  std::uint16_t edge_count = 0;           // 0: never grown (length cap, or the tree was full)
  std::int16_t raw_value_q15 = kAwaited;  // the net's value_stm * 32767
  float win_sum = 0;  // over the visits of the edge into it (over all simulations + 1 at the root)
  float draw_sum = 0;

  // Beyond every value: the evaluation has not come back yet.
  static constexpr std::int16_t kAwaited = std::numeric_limits<std::int16_t>::min();
  bool awaited() const { return raw_value_q15 == kAwaited; }
  // 0 while it is awaited.
  float raw_value_stm() const {
    return awaited() ? 0.0F : static_cast<float>(raw_value_q15) / 32767.0F;
  }
  void set_raw_value_stm(float value) {
    raw_value_q15 =
        static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0F, 1.0F) * 32767.0F));
  }
};
static_assert(sizeof(Node) == 16);

// A legal move. Everything is of the side that makes it.
struct Edge {
  env::Move move;
  Proven proven = Proven::kUnknown;
  std::uint8_t pending = 0;  // simulations on their way through it, not in `visits` yet
  float log_prior = 0;       // log softmax of the net's logits
  NodeId child;              // invalid: unvisited, or decided without an evaluation
  std::uint32_t visits = 0;

  static constexpr std::uint8_t kMostPending = std::numeric_limits<std::uint8_t>::max();
};
static_assert(sizeof(Edge) == 16);

class Tree {
 public:
  // Empties the tree and sets its budget. Every node but the root hangs on an edge of its own, so a
  // budget for half as many edges as fit bounds the nodes too; only the root's own edges may exceed
  // it.
  void Reset(std::uint64_t max_bytes) {
    nodes_.clear();
    edges_.clear();
    constexpr std::uint64_t kMostIds = std::numeric_limits<std::uint32_t>::max() - 1;
    max_edges_ = std::min((std::max<std::uint64_t>(max_bytes, sizeof(Node)) - sizeof(Node)) /
                              (sizeof(Node) + sizeof(Edge)),
                          kMostIds);
  }

  // Takes the address space of the whole budget, so that growing never copies; memory is touched as
  // the tree grows.
  void Reserve() {
    nodes_.reserve(max_edges_ + 1);
    edges_.reserve(max_edges_);
  }

  // A node with an edge a move. If that would break the byte budget the node gets no edges; the
  // root always gets its.
  NodeId AddNode(std::span<const env::Move> moves) {
    const NodeId id{static_cast<std::uint32_t>(nodes_.size())};
    Grow(nodes_, 1, max_edges_ + 1);
    Node& node = nodes_.emplace_back();
    node.first_edge = EdgeId{static_cast<std::uint32_t>(edges_.size())};
    if (id == kRoot || edges_.size() + moves.size() <= max_edges_) {
      Grow(edges_, moves.size(), max_edges_);
      for (const env::Move move : moves) edges_.emplace_back().move = move;
      node.edge_count = static_cast<std::uint16_t>(moves.size());
    }
    return id;
  }

  // Makes `root`, which has edges, the root and forgets all that is not below it; ids change, no
  // memory is given back. A node is made after its parent and its edges with it, so that what stays
  // slides down in place, in order.
  void Reroot(NodeId root);

  // Where `moves` lead from the root; invalid if that node is not there, has no edges or awaits its
  // evaluation.
  NodeId Follow(std::span<const env::Move> moves) const;

  Node& node(NodeId id) { return nodes_[id.value]; }
  const Node& node(NodeId id) const { return nodes_[id.value]; }
  Edge& edge(EdgeId id) { return edges_[id.value]; }
  const Edge& edge(EdgeId id) const { return edges_[id.value]; }
  EdgeId edge_id(NodeId id, std::size_t index) const {
    return EdgeId{node(id).first_edge.value + static_cast<std::uint32_t>(index)};
  }
  // Valid until the next AddNode.
  std::span<Edge> edges(NodeId id) {
    return {edges_.data() + node(id).first_edge.value, node(id).edge_count};
  }
  std::span<const Edge> edges(NodeId id) const {
    return {edges_.data() + node(id).first_edge.value, node(id).edge_count};
  }
  std::size_t node_count() const { return nodes_.size(); }
  std::size_t edge_count() const { return edges_.size(); }
  // Memory that holds nodes and edges.
  std::uint64_t used_bytes() const {
    return nodes_.size() * sizeof(Node) + edges_.size() * sizeof(Edge);
  }
  // Memory held, used or not.
  std::uint64_t bytes() const {
    return nodes_.capacity() * sizeof(Node) + edges_.capacity() * sizeof(Edge);
  }

 private:
  // Doubles the room when it is used up, but not beyond `limit` entries unless they are needed.
  template <typename T>
  static void Grow(std::vector<T>& entries, std::size_t count, std::size_t limit) {
    const std::size_t needed = entries.size() + count;
    if (needed <= entries.capacity()) return;
    entries.reserve(std::max(needed, std::min(2 * entries.capacity() + 512, limit)));
  }

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<NodeId> moved_to_;  // scratch of Reroot
  std::size_t max_edges_ = 0;
};

}  // namespace apiary::mcts
