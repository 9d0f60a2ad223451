// Perft over several threads and with a table of positions already counted: same numbers as
// env::Perft (env/movegen.h).
//
// The tree is cut a few plies below the root into many subtrees, which the threads take one after
// the other. A table entry names the position by 128 bits, so a wrong count would need two of them
// to agree by chance: for 10^10 positions looked up in 10^9 entries less than 10^-19.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "env/board.h"

namespace apiary::env {

struct PerftOptions {
  int threads = 1;             // >= 1, the calling one included
  std::size_t hash_bytes = 0;  // for the table of positions, 0 = none
  // Asked often from all threads; true ends the count early.
  std::function<bool()> stop;
  // Leaves below each move of the root, called in canonical order as soon as they are known, from
  // any thread, never two at once.
  std::function<void(Move, std::uint64_t)> on_root_move;
};

// Leaf positions at `depth` >= 1 plies below `board`; less if `stop` ended it.
std::uint64_t CountLeaves(const Board& board, int depth, const PerftOptions& options);

}  // namespace apiary::env
