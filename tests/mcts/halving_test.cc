#include "mcts/halving.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "mcts/softmax.h"

namespace apiary::mcts {
namespace {

using Rounds = std::vector<HalvingRound>;

Rounds ScheduleOf(int considered, int simulations) {
  Rounds rounds{{9, 9}};
  HalvingSchedule(considered, simulations, rounds);
  return rounds;
}

TEST(HalvingSchedule, WrittenByHand) {
  EXPECT_EQ(ScheduleOf(1, 3), (Rounds{{1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(ScheduleOf(2, 5), (Rounds{{2, 0}, {2, 1}, {1, 2}}));
  EXPECT_EQ(ScheduleOf(4, 8), (Rounds{{4, 0}, {2, 1}, {2, 2}}));
  EXPECT_EQ(ScheduleOf(8, 5), (Rounds{{5, 0}}));
  EXPECT_EQ(ScheduleOf(8, 16), (Rounds{{8, 0}, {4, 1}, {2, 2}, {2, 3}}));
  EXPECT_EQ(ScheduleOf(16, 32), (Rounds{{16, 0}, {8, 1}, {4, 2}, {4, 3}}));
  EXPECT_EQ(ScheduleOf(8, 50), (Rounds{{8, 0},
                                       {8, 1},
                                       {4, 2},
                                       {4, 3},
                                       {4, 4},
                                       {4, 5},
                                       {2, 6},
                                       {2, 7},
                                       {2, 8},
                                       {2, 9},
                                       {2, 10},
                                       {2, 11},
                                       {2, 12},
                                       {2, 13},
                                       {2, 14}}));
  EXPECT_EQ(ScheduleOf(8, 0), Rounds{});
}

// get_sequence_of_considered_visits of mctx, line by line: the visits that the move of each
// simulation must have.
std::vector<int> SequenceOfConsideredVisits(int max_considered, int simulations) {
  std::vector<int> sequence;
  if (max_considered <= 1) {
    sequence.resize(static_cast<std::size_t>(simulations));
    std::iota(sequence.begin(), sequence.end(), 0);
    return sequence;
  }
  const int log2max = static_cast<int>(std::ceil(std::log2(max_considered)));
  std::vector<int> visits(static_cast<std::size_t>(max_considered), 0);
  int considered = max_considered;
  while (static_cast<int>(sequence.size()) < simulations) {
    const int extra =
        std::max(1, static_cast<int>(static_cast<double>(simulations) / (log2max * considered)));
    for (int k = 0; k < extra; ++k) {
      sequence.insert(sequence.end(), visits.begin(), visits.begin() + considered);
      for (int i = 0; i < considered; ++i) ++visits[static_cast<std::size_t>(i)];
    }
    considered = std::max(2, considered / 2);
  }
  sequence.resize(static_cast<std::size_t>(simulations));
  return sequence;
}

TEST(HalvingSchedule, EqualsMctx) {
  for (const int considered : {1, 2, 3, 4, 5, 7, 8, 12, 16, 30}) {
    for (int simulations = 0; simulations <= 200; ++simulations) {
      std::vector<int> flat;
      for (const HalvingRound& round : ScheduleOf(considered, simulations))
        flat.insert(flat.end(), static_cast<std::size_t>(round.survivors), round.visit);
      ASSERT_EQ(flat, SequenceOfConsideredVisits(considered, simulations))
          << considered << " considered, " << simulations << " simulations";
    }
  }
}

TEST(MixedValue, ByHand) {
  const std::vector<float> priors = {0.5F, 0.3F, 0.2F};
  const std::vector<float> q = {0.4F, -0.6F, 0.9F};
  // (0.2 + 4 * (0.5 * 0.4 - 0.3 * 0.6) / 0.8) / 5
  EXPECT_NEAR(MixedValue(0.2F, priors, std::vector<std::uint32_t>{3, 1, 0}, q), 0.06F, 1e-6F);
  EXPECT_EQ(MixedValue(0.2F, priors, std::vector<std::uint32_t>{0, 0, 0}, q), 0.2F);
  EXPECT_NEAR(MixedValue(-1.0F, priors, std::vector<std::uint32_t>{0, 0, 1}, q), (-1 + 0.9F) / 2,
              1e-6F);
}

TEST(TransformQ, ByHand) {
  EXPECT_FLOAT_EQ(TransformQ(0.5F, 4, 50, 1.0), 40.5F);
  EXPECT_FLOAT_EQ(TransformQ(-1.0F, 4, 50, 1.0), 0.0F);
  EXPECT_FLOAT_EQ(TransformQ(1.0F, 0, 50, 0.1), 5.0F);
  EXPECT_FLOAT_EQ(TransformQ(0.0F, 10, 50, 0.1), 3.0F);
}

TEST(ImprovedPolicy, ByHand) {
  // visit_offset 0, 2 visits, scale 1: sigma(q) = q + 1, so weights 1/2, 1/4 * 2, 1/4.
  const std::vector<float> logits = {std::log(0.5F), std::log(0.25F), std::log(0.25F)};
  const std::vector<float> q = {0.0F, std::log(2.0F), 0.0F};
  std::vector<float> improved(3);
  ImprovedPolicy(logits, q, 2, 0, 1, improved);
  EXPECT_NEAR(improved[0], 0.4F, 1e-6F);
  EXPECT_NEAR(improved[1], 0.4F, 1e-6F);
  EXPECT_NEAR(improved[2], 0.2F, 1e-6F);
}

TEST(Softmax, AgreesWithTheLibrary) {
  for (float x = 0; x > -86; x -= 0.0373F)
    ASSERT_NEAR(ExpNonPositive(x) / std::exp(static_cast<double>(x)), 1, 5e-7) << x;
  EXPECT_GT(ExpNonPositive(-1e9F), 0.0F);
  for (const std::size_t size : {1, 7, 8, 9, 50, 511}) {
    std::vector<float> x(size);
    for (std::size_t i = 0; i < size; ++i) x[i] = 30 * std::sin(static_cast<float>(i * i));
    double sum = 0;
    for (const float value : x) sum += std::exp(static_cast<double>(value));
    std::vector<float> probabilities = x;
    std::vector<float> logs = x;
    std::vector<float> scratch(size);
    SoftmaxInPlace(probabilities);
    LogSoftmaxInPlace(logs, scratch);
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_NEAR(probabilities[i], std::exp(static_cast<double>(x[i])) / sum, 2e-6);
      ASSERT_NEAR(logs[i], static_cast<double>(x[i]) - std::log(sum), 2e-5);
    }
  }
}

}  // namespace
}  // namespace apiary::mcts
