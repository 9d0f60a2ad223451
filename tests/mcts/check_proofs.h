// Re-checks the proofs of a finished search's tree.
#pragma once

#include "env/game.h"
#include "mcts/tree.h"

namespace apiary::mcts::testing {

// What the edges of a node, taken as given, say about it.
Proven FromEdges(const Tree& tree, NodeId node);

struct ProofCounts {
  int proofs = 0;
  int open = 0;
};
// Every edge below `node`, which shows `game`: a proof rests on proven edges of its child, or was
// decided without a child by the end of the game or by two plies of full-width search; an unproven
// edge does not rest on a decided child. Fails the test where that is not so.
void CheckProofs(const Tree& tree, NodeId node, env::Game& game, ProofCounts& counts);

}  // namespace apiary::mcts::testing
