// From bits to numbers: which bits of a word are set, in order. Internal to move generation and the
// encoder.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#ifdef __AVX512VBMI2__
#include <immintrin.h>
#endif

namespace apiary::env {

// Writes first + b for each set bit b from `out` on and returns the end of it. Up to 64 numbers may
// be written, whatever the bits.
inline std::uint16_t* ExpandBits(std::uint64_t bits, int first, std::uint16_t* out) {
#ifdef __AVX512VBMI2__
  // All 64 candidates in two registers; the set ones are pushed together.
  alignas(64) static constexpr auto kOffsets = [] {
    std::array<std::uint16_t, 64> offsets{};
    for (std::size_t i = 0; i < 64; ++i) offsets[i] = static_cast<std::uint16_t>(i);
    return offsets;
  }();
  const auto low = static_cast<std::uint32_t>(bits);
  const auto high = static_cast<std::uint32_t>(bits >> 32);
  const __m512i offset = _mm512_set1_epi16(static_cast<std::int16_t>(first));
  const __m512i lows = _mm512_add_epi16(offset, _mm512_load_si512(&kOffsets[0]));
  const __m512i highs = _mm512_add_epi16(offset, _mm512_load_si512(&kOffsets[32]));
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi16(low, lows));
  _mm512_storeu_si512(out + std::popcount(low), _mm512_maskz_compress_epi16(high, highs));
  return out + std::popcount(bits);
#else
  for (; bits != 0; bits &= bits - 1)
    *out++ = static_cast<std::uint16_t>(first + std::countr_zero(bits));
  return out;
#endif
}

}  // namespace apiary::env
