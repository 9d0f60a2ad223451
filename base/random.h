// Random streams: xoshiro256++ (Blackman and Vigna 2019) seeded through splitmix64 from a run seed
// and the stream's own coordinates, so that every game, worker and generation draws independently
// and repeatably, whatever thread it runs on. Not thread-safe; plain value, copy it to fork it.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

namespace apiary::base {

// The finaliser of splitmix64: a bijection on 64 bits that mixes every input bit into every output
// bit.
constexpr std::uint64_t Mix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

class RandomStream {
 public:
  using State = std::array<std::uint64_t, 4>;

  explicit RandomStream(std::uint64_t seed, std::initializer_list<std::uint64_t> coordinates = {});
  static RandomStream FromState(const State& state);
  const State& state() const { return state_; }

  std::uint64_t Next();
  // Uniform in [0, bound), without bias. Precondition: bound > 0.
  std::uint32_t Below(std::uint32_t bound);
  double Uniform();  // [0, 1)
  double Gumbel();   // standard Gumbel: -log(-log(u))
  double Normal();   // standard normal

  // UniformRandomBitGenerator, for std::shuffle.
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~0ULL; }
  result_type operator()() { return Next(); }

 private:
  RandomStream() = default;
  State state_{};
};

}  // namespace apiary::base
