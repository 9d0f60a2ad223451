// What a canonical key stands for, spelled out: the second opinion of its tests. Shares with
// env/canonical_key.cc only the rules and the walk that finds how the hive lies.
#pragma once

#include <cstdint>
#include <vector>

#include "env/board.h"
#include "env/symmetry.h"

namespace apiary::env::testing {

// Pieces as seen through a symmetry, moved to the corner of their bounding box, sorted; the piece
// that `mark` names is told apart (kNoPiece: none).
std::vector<std::uint32_t> ExactShape(const Board& board, Symmetry symmetry, PieceId mark);
// The least of the 12 shapes, after the facts without a place that the rules can tell. Marked is
// the piece moved last, where that changes the legal moves.
std::vector<std::uint32_t> ExactForm(const Board& board);

}  // namespace apiary::env::testing
