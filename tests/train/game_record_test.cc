#include "train/game_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "base/random.h"

namespace apiary::train {
namespace {

using testing::ElementsAre;

std::vector<std::uint16_t> Quantized(const std::vector<float>& policy) {
  std::vector<std::uint16_t> units(policy.size());
  QuantizePolicy(policy, units);
  return units;
}

TEST(QuantizePolicy, KnownValues) {
  EXPECT_THAT(Quantized(std::vector{1.0f}), ElementsAre(65535));
  EXPECT_THAT(Quantized(std::vector{0.0f, 1.0f, 0.0f}), ElementsAre(0, 65535, 0));
  // 65535 is odd: of two equal remainders the lower index gets the unit.
  EXPECT_THAT(Quantized(std::vector{0.5f, 0.5f}), ElementsAre(32768, 32767));
  EXPECT_THAT(Quantized(std::vector{0.25f, 0.75f}), ElementsAre(16384, 49151));
  // Seven sevenths: 65535 = 7 * 9362 + 1.
  EXPECT_THAT(Quantized(std::vector<float>(7, 1.0f / 7)),
              ElementsAre(9363, 9362, 9362, 9362, 9362, 9362, 9362));
}

TEST(QuantizePolicy, SumIsExactAndErrorsStayUnderOneUnit) {
  base::RandomStream random(7);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<float> policy(1 + random.Below(300));
    for (float& p : policy)
      p = static_cast<float>(random.Uniform() * random.Uniform() * random.Uniform());
    policy.front() += 0.01f;
    const float sum = std::accumulate(policy.begin(), policy.end(), 0.0f);
    for (float& p : policy) p /= sum;
    const auto units = Quantized(policy);
    EXPECT_EQ(std::accumulate(units.begin(), units.end(), std::uint64_t{0}), 65535U);
    for (std::size_t i = 0; i < units.size(); ++i) EXPECT_NEAR(units[i], policy[i] * 65535, 1.1);
  }
}

TEST(QuantizePolicyDeathTest, RefusesWhatIsNoDistribution) {
  EXPECT_DEATH(Quantized(std::vector{0.5f, std::numeric_limits<float>::quiet_NaN()}),
               "policy entry");
  EXPECT_DEATH(Quantized(std::vector{1.5f, -0.5f}), "policy entry");
  EXPECT_DEATH(Quantized(std::vector{0.5f, 0.3f}), "sums to");
}

TEST(QuantizeWdl, StoredValuesComeBackTheSame) {
  EXPECT_EQ(QuantizeWdl({1, 0, 0}), (StoredWdl{65535, 0}));
  EXPECT_EQ(QuantizeWdl({0, 0, 1}), (StoredWdl{0, 0}));
  EXPECT_EQ(RestoreWdl({65535, 0}), (nn::Wdl{1, 0, 0}));
  base::RandomStream random(3);
  for (int trial = 0; trial < 10000; ++trial) {
    const std::uint32_t win = random.Below(65536);
    const StoredWdl stored{static_cast<std::uint16_t>(win),
                           static_cast<std::uint16_t>(random.Below(65536 - win))};
    EXPECT_EQ(QuantizeWdl(RestoreWdl(stored)), stored) << stored.win << ' ' << stored.draw;
  }
}

}  // namespace
}  // namespace apiary::train
