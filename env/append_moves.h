// From bits to moves: the members of 64 cells become moves of one piece at the end of a list, in
// order. Internal to move generation.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "env/expand_bits.h"
#include "env/move.h"

namespace apiary::env {

// bits: bit b set = a move of `piece` to cell 64 word + b.
inline void AppendMoves(std::uint64_t bits, int word, PieceId piece, MoveList& moves) {
  static_assert(MoveList::kSlack >= 64);
  // A move is its bits, and those of a piece's moves differ by the destination alone.
  static_assert(std::is_standard_layout_v<Move> && sizeof(Move) == sizeof(std::uint16_t));
  ExpandBits(bits, Move(piece, Cell::FromIndex(64 * word)).bits(),
             reinterpret_cast<std::uint16_t*>(moves.end()));
  moves.Grow(std::popcount(bits));
}

// The same moves once more with another piece: those from index `first` on, `count` of them.
inline void AppendCopies(int first, int count, PieceId piece, MoveList& moves) {
  constexpr int kAtOnce = 16;
  static_assert(MoveList::kSlack >= kAtOnce);
  const Move* in = moves.begin() + first;
  Move* out = moves.end();
  for (int i = 0; i < count; i += kAtOnce) {
    for (int j = i; j < i + kAtOnce; ++j) out[j] = Move(piece, in[j].destination());
  }
  moves.Grow(count);
}

}  // namespace apiary::env
