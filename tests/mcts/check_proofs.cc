#include "tests/mcts/check_proofs.h"

#include <gtest/gtest.h>

#include "env/notation.h"
#include "tests/mcts/positions.h"

namespace apiary::mcts::testing {

namespace {

Proven OtherSide(Proven proven) {
  if (proven == Proven::kWin) return Proven::kLoss;
  if (proven == Proven::kLoss) return Proven::kWin;
  return proven;
}

}  // namespace

Proven FromEdges(const Tree& tree, NodeId node) {
  int unknown = 0;
  int draws = 0;
  for (const Edge& edge : tree.edges(node)) {
    if (edge.proven == Proven::kWin) return Proven::kWin;
    unknown += edge.proven == Proven::kUnknown;
    draws += edge.proven == Proven::kDraw;
  }
  if (unknown > 0) return Proven::kUnknown;
  return draws > 0 ? Proven::kDraw : Proven::kLoss;
}

void CheckProofs(const Tree& tree, NodeId node, env::Game& game, ProofCounts& counts) {
  for (const Edge& edge : tree.edges(node)) {
    if (!edge.child.valid() && edge.proven == Proven::kUnknown) continue;
    game.Apply(edge.move);
    if (edge.child.valid()) {
      if (tree.node(edge.child).edge_count > 0) {
        ASSERT_EQ(edge.proven, OtherSide(FromEdges(tree, edge.child))) << env::ToGameString(game);
        CheckProofs(tree, edge.child, game, counts);
      } else {
        ASSERT_EQ(edge.proven, Proven::kUnknown);
      }
    } else {
      ASSERT_EQ(edge.proven, OtherSide(Solve(game, 1))) << env::ToGameString(game);
    }
    (edge.proven == Proven::kUnknown ? counts.open : counts.proofs) += 1;
    game.Undo();
  }
}

}  // namespace apiary::mcts::testing
