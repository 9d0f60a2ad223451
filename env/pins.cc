// One-hive rule in one linear pass: Hopcroft and Tarjan 1973, cut vertices by depth-first low
// points.
#include <bit>

#include "env/movegen.h"

namespace apiary::env {
namespace {

// Occupied cells are the nodes, each named by its top piece.
class CutVertexSearch {
 public:
  explicit CutVertexSearch(const Board& board) : board_(board) {}

  // Bits of the top pieces of all cut vertices in the component of `root`.
  std::uint32_t Run(Cell root) {
    order_[Node(root)] = ++visited_;
    int children = 0;
    ForEachNeighbor(root, [&](Cell next) {
      if (order_[Node(next)] != 0) return;
      ++children;
      Visit(next, root);
    });
    if (children > 1) cut_ |= 1u << Node(root);
    return cut_;
  }

 private:
  std::size_t Node(Cell cell) const { return static_cast<std::size_t>(board_.top(cell).index()); }

  template <typename Function>
  void ForEachNeighbor(Cell cell, Function function) {
    for (unsigned mask = board_.neighbor_mask(cell); mask != 0; mask &= mask - 1) {
      function(Neighbor(cell, std::countr_zero(mask)));
    }
  }

  // Returns the lowest order reachable from `cell`'s subtree by one back edge. Depth <= 28.
  int Visit(Cell cell, Cell parent) {
    const std::size_t node = Node(cell);
    const int order = ++visited_;
    order_[node] = order;
    int low = order;
    ForEachNeighbor(cell, [&](Cell next) {
      if (next == parent) return;
      if (const int seen = order_[Node(next)]; seen != 0) {
        low = std::min(low, seen);
        return;
      }
      const int child_low = Visit(next, cell);
      low = std::min(low, child_low);
      if (child_low >= order) cut_ |= 1u << node;
    });
    return low;
  }

  const Board& board_;
  std::array<int, 32> order_{};  // 0 = not visited yet
  int visited_ = 0;
  std::uint32_t cut_ = 0;
};

}  // namespace

std::uint32_t PinnedPieces(const Board& board) {
  Cell root = kNoCell;
  std::uint32_t unstacked = 0;
  board.occupied().ForEach([&](Cell cell) {
    root = cell;
    if (board.height(cell) == 1) unstacked |= 1u << board.top(cell).index();
  });
  return root.valid() ? CutVertexSearch(board).Run(root) & unstacked : 0;
}

}  // namespace apiary::env
