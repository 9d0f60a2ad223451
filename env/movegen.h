// Legal moves, without duplicates, no allocation; pins by one linear pass (cut vertices). Any
// thread.
//
// Canonical order (version kMoveOrderVersion, contract; policies in files, on the evaluator seam
// and in caches are in this order, whatever order the generator finds moves in): placements by
// piece type, then moves by source cell index; within a source by destination cell index; pass
// alone.
#pragma once

#include "env/board.h"
#include "env/move.h"

namespace apiary::env {

inline constexpr int kMoveOrderVersion = 1;

// All legal moves in canonical order: {pass} if there is no other; empty if a queen is surrounded.
void GenerateLegalMoves(const Board& board, MoveList& moves);
// How many GenerateLegalMoves makes, without writing them.
int CountLegalMoves(const Board& board);
// How many moves other than a pass there would be if `mark` were the piece moved last, kNoPiece:
// none. The mark only ever takes moves away.
int CountMovesWithMark(const Board& board, PieceId mark);
// Whether stunning `mark` changes the set of legal moves of the position that `board` shows,
// whatever its own mark. Generates moves in few positions only.
bool MarkMatters(const Board& board, PieceId mark);
// The sort key of the canonical order of a legal move in `board`.
std::uint32_t CanonicalKey(const Board& board, Move move);
void SortCanonically(const Board& board, MoveList& moves);

// Bit i: piece with index i is the top of its stack, unstacked (height 1) and may not leave its
// cell without splitting the hive (a cut vertex).
std::uint32_t PinnedPieces(const Board& board);

// How the game stands after a legal move as far as the queens tell (no repetition, no cap), without
// applying it.
Result ResultAfter(const Board& board, Move move);
// The first move in `moves` (canonical order) that wins at once for the side to move; -1 if none.
int FindWinInOne(const Board& board, const MoveList& moves);

// Number of leaf positions at `depth` (rules.md, section 7); bulk counting at the last ply.
std::uint64_t Perft(Board& board, int depth);

}  // namespace apiary::env
