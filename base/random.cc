#include "base/random.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "base/check.h"

namespace apiary::base {

RandomStream::RandomStream(std::uint64_t seed, std::initializer_list<std::uint64_t> coordinates) {
  // Not symmetric in seed and coordinates: (1, {2}) and (2, {1}) are different streams. The
  // constant keeps a coordinate 0 apart from no coordinate.
  constexpr std::uint64_t kStep = 0x632BE59BD9B4E019ULL;
  std::uint64_t key = Mix64(seed);
  for (const std::uint64_t coordinate : coordinates) key = Mix64((Mix64(key) ^ coordinate) + kStep);
  for (std::uint64_t& word : state_) {
    key = Mix64(key);
    word = key;
  }
}

RandomStream RandomStream::FromState(const State& state) {
  RandomStream stream;
  stream.state_ = state;
  return stream;
}

std::uint64_t RandomStream::Next() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

// Lemire 2019, "Fast random integer generation in an interval".
std::uint32_t RandomStream::Below(std::uint32_t bound) {
  APIARY_CHECK(bound > 0, "Below(0)");
  std::uint64_t product = (Next() >> 32) * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    const std::uint32_t threshold = -bound % bound;
    while (static_cast<std::uint32_t>(product) < threshold) product = (Next() >> 32) * bound;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

double RandomStream::Uniform() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

double RandomStream::Gumbel() {
  // (Next() >> 12) + 0.5 keeps u strictly inside (0, 1).
  const double u = (static_cast<double>(Next() >> 12) + 0.5) * 0x1.0p-52;
  return -std::log(-std::log(u));
}

double RandomStream::Normal() {
  const double u = (static_cast<double>(Next() >> 12) + 0.5) * 0x1.0p-52;
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * Uniform());
}

}  // namespace apiary::base
