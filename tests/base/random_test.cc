#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>
#include <vector>

namespace apiary::base {
namespace {

struct Moments {
  double mean = 0;
  double variance = 0;
};

template <typename Draw>
Moments MomentsOf(int n, Draw draw) {
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < n; ++i) {
    const double x = draw();
    sum += x;
    squares += x * x;
  }
  const double mean = sum / n;
  return {mean, squares / n - mean * mean};
}

// The first outputs of the generator's reference code for state {1, 2, 3, 4}, also used by other
// libraries' tests.
TEST(RandomStreamTest, MatchesReferenceVectorOfXoshiro256PlusPlus) {
  RandomStream stream = RandomStream::FromState({1, 2, 3, 4});
  const std::array<std::uint64_t, 10> expected = {41943041ULL,
                                                  58720359ULL,
                                                  3588806011781223ULL,
                                                  3591011842654386ULL,
                                                  9228616714210784205ULL,
                                                  9973669472204895162ULL,
                                                  14011001112246962877ULL,
                                                  12406186145184390807ULL,
                                                  15849039046786891736ULL,
                                                  10450023813501588000ULL};
  for (const std::uint64_t value : expected) EXPECT_EQ(stream.Next(), value);
}

// splitmix64 from seed 0, as in its reference code: the state grows by the golden ratio, then is
// mixed.
TEST(RandomStreamTest, Mix64MatchesReferenceVectorOfSplitMix64) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ULL;
  EXPECT_EQ(Mix64(0), 0xE220A8397B1DCDAFULL);
  EXPECT_EQ(Mix64(kGolden), 0x6E789E6AA1B965F4ULL);
  EXPECT_EQ(Mix64(2 * kGolden), 0x06C45D188009454FULL);
}

TEST(RandomStreamTest, SameSeedAndCoordinatesRepeatAndStateResumes) {
  RandomStream a(7, {1, 2});
  RandomStream b(7, {1, 2});
  for (int i = 0; i < 100; ++i) ASSERT_EQ(a.Next(), b.Next());
  RandomStream resumed = RandomStream::FromState(a.state());
  for (int i = 0; i < 100; ++i) ASSERT_EQ(a.Next(), resumed.Next());
}

TEST(RandomStreamTest, CoordinatesGiveDistinctStreams) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    firsts.insert(RandomStream(seed).Next());
    for (std::uint64_t i = 0; i < 10; ++i) {
      firsts.insert(RandomStream(seed, {i}).Next());
      for (std::uint64_t j = 0; j < 10; ++j) firsts.insert(RandomStream(seed, {i, j}).Next());
    }
  }
  EXPECT_EQ(firsts.size(), 4u * (1 + 10 + 100));
}

// For every bound the chi-square statistic has mean bound - 1 and variance 2 (bound - 1).
TEST(RandomStreamTest, BelowIsUniform) {
  RandomStream stream(11);
  for (const std::uint32_t bound : {2U, 3U, 6U, 7U, 100U, 512U}) {
    constexpr int kDrawsPerValue = 1000;
    std::vector<int> counts(bound);
    for (std::uint32_t i = 0; i < bound * kDrawsPerValue; ++i) {
      const std::uint32_t drawn = stream.Below(bound);
      ASSERT_LT(drawn, bound);
      ++counts[drawn];
    }
    double chi_square = 0;
    for (const int count : counts)
      chi_square += std::pow(count - kDrawsPerValue, 2) / kDrawsPerValue;
    const double degrees = bound - 1;
    EXPECT_LT(std::abs(chi_square - degrees), 5 * std::sqrt(2 * degrees)) << "bound " << bound;
  }
}

// Without rejection, multiply-and-shift would draw every third value of this bound twice as often
// as the others.
TEST(RandomStreamTest, BelowIsUnbiasedForABoundNearTheWordSize) {
  constexpr std::uint32_t kBound = 0xC0000000U;  // three quarters of 2^32
  RandomStream stream(12);
  std::array<int, 3> thirds{};
  constexpr int kDraws = 300000;
  for (int i = 0; i < kDraws; ++i) ++thirds[stream.Below(kBound) % 3];
  for (const int count : thirds)
    EXPECT_NEAR(count, kDraws / 3.0, 5 * std::sqrt(kDraws * 2.0 / 9.0));
}

TEST(RandomStreamTest, BelowOneIsZero) {
  RandomStream stream(1);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(stream.Below(1), 0u);
}

TEST(RandomStreamDeathTest, BelowZeroIsABug) {
  EXPECT_DEATH(RandomStream(1).Below(0), "Below\\(0\\)");
}

TEST(RandomStreamTest, UniformHasMomentsOfTheUnitInterval) {
  RandomStream stream(3);
  const Moments moments = MomentsOf(1000000, [&stream] {
    const double u = stream.Uniform();
    EXPECT_TRUE(u >= 0 && u < 1);
    return u;
  });
  EXPECT_NEAR(moments.mean, 0.5, 0.002);
  EXPECT_NEAR(moments.variance, 1.0 / 12, 0.001);
}

TEST(RandomStreamTest, GumbelHasItsMoments) {
  RandomStream stream(4);
  const Moments moments = MomentsOf(1000000, [&stream] { return stream.Gumbel(); });
  EXPECT_NEAR(moments.mean, std::numbers::egamma, 0.006);  // 0.5772, sd of the mean 0.0013
  EXPECT_NEAR(moments.variance, std::numbers::pi * std::numbers::pi / 6, 0.02);
}

// The Gumbel-max trick: the argmax of logits plus Gumbel noise is a draw from their softmax.
TEST(RandomStreamTest, GumbelArgmaxSamplesTheSoftmax) {
  RandomStream stream(5);
  const std::array<double, 3> probabilities = {0.6, 0.3, 0.1};
  std::array<int, 3> counts{};
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    std::array<double, 3> keys{};
    for (std::size_t k = 0; k < 3; ++k) keys[k] = std::log(probabilities[k]) + stream.Gumbel();
    ++counts[static_cast<std::size_t>(std::max_element(keys.begin(), keys.end()) - keys.begin())];
  }
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(static_cast<double>(counts[k]) / kDraws, probabilities[k], 0.006);
}

TEST(RandomStreamTest, NormalHasItsMoments) {
  RandomStream stream(6);
  const Moments moments = MomentsOf(1000000, [&stream] { return stream.Normal(); });
  EXPECT_NEAR(moments.mean, 0, 0.005);
  EXPECT_NEAR(moments.variance, 1, 0.01);
}

TEST(RandomStreamTest, ShufflesLikeAnyStandardGenerator) {
  RandomStream stream(8);
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 0);
  std::shuffle(values.begin(), values.end(), stream);
  EXPECT_FALSE(std::is_sorted(values.begin(), values.end()));
  std::sort(values.begin(), values.end());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i);
}

}  // namespace
}  // namespace apiary::base
