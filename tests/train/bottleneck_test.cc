#include "train/bottleneck.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apiary::train {
namespace {

using ::testing::HasSubstr;

constexpr StageTimes kBefore{
    .wall_s = 100, .workers = 2, .evaluating_s = 50, .paused_s = 10, .training_s = 30};

// A minute later.
StageTimes After(double evaluating_s, double paused_s, double training_s) {
  return {.wall_s = 160,
          .workers = 2,
          .evaluating_s = 50 + evaluating_s,
          .paused_s = 10 + paused_s,
          .training_s = 30 + training_s};
}

TEST(Bottleneck, IsSelfplayWhereTheLearnerWaits) {
  EXPECT_EQ(DescribeBottleneck(kBefore, After(84, 0, 15)),
            "bottleneck: self-play, which the learner waits for; in the last 60 s the learner "
            "trained 25 %, workers evaluated 70 %, searched 30 %, were paused 0 %");
}

TEST(Bottleneck, IsLearningWhereWorkersArePaused) {
  EXPECT_EQ(DescribeBottleneck(kBefore, After(30, 60, 60)),
            "bottleneck: learning, which self-play waits for; in the last 60 s the learner "
            "trained 100 %, workers evaluated 25 %, searched 25 %, were paused 50 %");
}

TEST(Bottleneck, IsTheCoresWhereAllWork) {
  EXPECT_THAT(DescribeBottleneck(kBefore, After(60, 6, 59)), HasSubstr("bottleneck: the cores: "));
}

TEST(Bottleneck, IsSaidOfNoTimeAtAll) {
  EXPECT_THAT(DescribeBottleneck(kBefore, kBefore), HasSubstr("trained 0 %"));
}

}  // namespace
}  // namespace apiary::train
