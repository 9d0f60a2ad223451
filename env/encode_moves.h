// From moves to rows of the net's input. Internal to the encoder.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "env/encoder.h"
#include "env/row_table.h"

namespace apiary::env {

// Where a move of each piece comes from, as EncodedMove::source.
using Sources = std::array<std::int32_t, 32>;

// Writes moves.size() items from `out` on, no pass among the moves. Returns whether every
// destination is a row.
inline bool EncodeMoves(const MoveList& moves, const Sources& sources, RowTable::Lookup row_of,
                        EncodedMove* out) {
#ifdef __AVX512F__
  static_assert(MoveList::kSlack >= 16 && sizeof(EncodedMove) == sizeof(std::int64_t));
  // Sixteen moves at once. Two registers hold all sources; sources and destinations are interleaved
  // within lanes of four moves first, which are then put in order. Masks that do nothing keep GCC
  // 12 from warning of its own headers.
  constexpr __mmask16 kAll = 0xFFFF;
  const __m512i low_sources = _mm512_loadu_si512(&sources[0]);
  const __m512i high_sources = _mm512_loadu_si512(&sources[16]);
  const __m512i first_half = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
  const __m512i second_half = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  __m512i all_rows = _mm512_setzero_si512();
  for (int i = 0; i < moves.size(); i += 16) {
    const int left = std::min(moves.size() - i, 16);
    const auto members = static_cast<__mmask16>((1U << left) - 1);
    const __m512i bits = _mm512_maskz_cvtepu16_epi32(
        members, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(moves.begin() + i)));
    const __m512i place = _mm512_and_si512(_mm512_sub_epi32(bits, _mm512_set1_epi32(row_of.base)),
                                           _mm512_set1_epi32(kNumCells - 1));
    const __m512i row = _mm512_mask_i32gather_epi32(
        _mm512_setzero_si512(), members,
        _mm512_maskz_min_epi32(members, place, _mm512_set1_epi32(row_of.end)), row_of.rows,
        sizeof(std::int32_t));
    const __m512i source = _mm512_permutex2var_epi32(
        low_sources, _mm512_maskz_srli_epi32(members, bits, 10), high_sources);
    const __m512i low = _mm512_maskz_unpacklo_epi32(kAll, source, row);
    const __m512i high = _mm512_maskz_unpackhi_epi32(kAll, source, row);
    _mm512_mask_storeu_epi64(out + i, static_cast<__mmask8>(members),
                             _mm512_permutex2var_epi64(low, first_half, high));
    _mm512_mask_storeu_epi64(out + i + 8, static_cast<__mmask8>(members >> 8),
                             _mm512_permutex2var_epi64(low, second_half, high));
    all_rows = _mm512_or_si512(all_rows, row);
  }
  return _mm512_cmplt_epi32_mask(all_rows, _mm512_setzero_si512()) == 0;
#else
  std::int32_t all_rows = 0;  // negative if one is
  for (const Move move : moves) {
    const std::int32_t row = row_of(move.destination());
    *out++ = {sources[static_cast<std::size_t>(move.piece().index())], row};
    all_rows |= row;
  }
  return all_rows >= 0;
#endif
}

}  // namespace apiary::env
