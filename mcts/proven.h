// The rules of proven values, exact in both directions. Pure functions; any thread.
#pragma once

#include <span>

#include "env/board.h"
#include "env/movegen.h"
#include "mcts/search.h"
#include "mcts/tree.h"
#include "nn/evaluator.h"

namespace apiary::mcts {

// The same fact seen by the other side.
Proven Flip(Proven proven);
// The exact value. Precondition: not kUnknown.
nn::Wdl ExactWdl(Proven proven);
// A finished game's result as `side` sees it; kUnknown while in progress and for a capped
// (Unfinished) game.
Proven FromResult(env::Result result, env::Color side);
// A position with these moves, for its side to move: a win if any move wins; if all moves are
// proven the best of them. Precondition: not empty.
Proven BestOf(std::span<const Proven> moves);
Proven BestOf(std::span<const Edge> edges);

// What each legal move proves at once, for its mover: surrounded queens only. Writes one entry a
// move and returns what they prove about the position.
Proven MarkImmediateEnds(const env::Board& board, std::span<const env::Move> moves,
                         std::span<Proven> proven);

// What the last move of `path`, from the root on, has just proven about the positions before it, as
// far as that reaches. Returns what is proven about the root.
Proven PropagateProof(std::span<const EdgeId> path, Tree& tree);

}  // namespace apiary::mcts
