// Softmax over contiguous floats, written so that compilers vectorise it. Pure functions; any
// thread; no allocation.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace apiary::mcts {

// exp(x) for x <= 0, relative error below 3e-7; x is cut at -87, so the result is never 0; tiny x >
// 0 are fine. Cody and Waite's range reduction with the polynomial of Cephes' expf; no branch and
// no call.
inline float ExpNonPositive(float x) {
  constexpr float kRoundToInteger =
      12582912.0F;  // 1.5 * 2^23: adding it leaves an integer in the low bits
  // max(x, -87) on the bits, which order negative floats backwards: compilers do not vectorise the
  // floating maximum.
  x = std::bit_cast<float>(
      std::min(std::bit_cast<std::uint32_t>(x), std::bit_cast<std::uint32_t>(-87.0F)));
  const float shifted = x * 1.44269504F + kRoundToInteger;
  const float n = shifted - kRoundToInteger;
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  const std::uint32_t exponent = (std::bit_cast<std::uint32_t>(shifted) + 127U) << 23;
  return p * std::bit_cast<float>(exponent);
}

// Eight running values in place of one: the order is fixed, so results do not depend on the
// compiler's choice.
inline float Max(std::span<const float> x) {
  std::array<float, 8> lanes;
  lanes.fill(x[0]);
  std::size_t i = 0;
  for (; i + 8 <= x.size(); i += 8)
    for (std::size_t j = 0; j < 8; ++j) lanes[j] = lanes[j] < x[i + j] ? x[i + j] : lanes[j];
  for (; i < x.size(); ++i) lanes[0] = std::max(lanes[0], x[i]);
  return *std::max_element(lanes.begin(), lanes.end());
}

inline float Sum(std::span<const float> x) {
  std::array<float, 8> lanes{};
  std::size_t i = 0;
  for (; i + 8 <= x.size(); i += 8)
    for (std::size_t j = 0; j < 8; ++j) lanes[j] += x[i + j];
  for (; i < x.size(); ++i) lanes[0] += x[i];
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
         ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

// Precondition of both: x is not empty and finite.
inline void SoftmaxInPlace(std::span<float> x) {
  const float max = Max(x);
  for (float& value : x) value = ExpNonPositive(value - max);
  const float scale = 1 / Sum(x);
  for (float& value : x) value *= scale;
}

// The logarithm of the softmax: x - log(sum(exp(x))). `scratch` has the size of x.
inline void LogSoftmaxInPlace(std::span<float> x, std::span<float> scratch) {
  const float max = Max(x);
  for (std::size_t i = 0; i < x.size(); ++i) scratch[i] = ExpNonPositive(x[i] - max);
  const float log_sum = max + std::log(Sum(scratch));
  for (float& value : x) value -= log_sum;
}

}  // namespace apiary::mcts
