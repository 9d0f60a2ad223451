// From bits to moves: the members of 64 cells become moves of one piece at the end of a list, in
// order. Internal to move generation.
#pragma once

#include <bit>
#include <cstdint>

#ifdef __AVX512VBMI2__
#include <immintrin.h>
#endif

#include "env/move.h"

namespace apiary::env {

// bits: bit b set = a move of `piece` to cell 64 word + b.
inline void AppendMoves(std::uint64_t bits, int word, PieceId piece, MoveList& moves) {
  static_assert(MoveList::kSlack >= 64);
  Move* out = moves.end();
#ifdef __AVX512VBMI2__
  // All 64 candidates in two registers; the members are pushed together.
  alignas(64) static constexpr auto kOffsets = [] {
    std::array<std::uint16_t, 64> offsets{};
    for (std::size_t i = 0; i < 64; ++i) offsets[i] = static_cast<std::uint16_t>(i);
    return offsets;
  }();
  const auto low = static_cast<std::uint32_t>(bits);
  const auto high = static_cast<std::uint32_t>(bits >> 32);
  const __m512i first =
      _mm512_set1_epi16(static_cast<std::int16_t>(Move(piece, Cell::FromIndex(64 * word)).bits()));
  const __m512i lows = _mm512_or_si512(first, _mm512_load_si512(&kOffsets[0]));
  const __m512i highs = _mm512_or_si512(first, _mm512_load_si512(&kOffsets[32]));
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi16(low, lows));
  _mm512_storeu_si512(out + std::popcount(low), _mm512_maskz_compress_epi16(high, highs));
  moves.Grow(std::popcount(bits));
#else
  const int count = std::popcount(bits);
  for (; bits != 0; bits &= bits - 1)
    *out++ = Move(piece, Cell::FromIndex(64 * word + std::countr_zero(bits)));
  moves.Grow(count);
#endif
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
