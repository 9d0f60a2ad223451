#include "play/sprt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace apiary::play {
namespace {

using ::testing::HasSubstr;

TEST(Sprt, ScoreOfElo) {
  EXPECT_DOUBLE_EQ(ScoreOfElo(0), 0.5);
  EXPECT_NEAR(ScoreOfElo(400), 10.0 / 11, 1e-12);
  EXPECT_NEAR(ScoreOfElo(-190.848501887865), 0.25, 1e-12);  // -400 log10(3)
}

TEST(LogLikelihoodRatio, OfPairsWonAndLostIsBernoullis) {
  // s1 = 1 / (1 + 10^(-1/4)) = 0.640065. 70 log(s1 / 0.5) + 30 log((1 - s1) / 0.5) = 7.42678; the
  // unseen scores blur the third decimal.
  EXPECT_NEAR(LogLikelihoodRatio({30, 0, 0, 0, 70}, {0, 100}), 7.42678, 2e-3);
  EXPECT_NEAR(LogLikelihoodRatio({70, 0, 0, 0, 30}, {-100, 0}), -7.42678, 2e-3);
}

TEST(LogLikelihoodRatio, HoldsWithoutSpread) {
  // All won: 30 log(s1 / 0.5). All shared: at most 2 (1 - s1) of the pairs are shared under H1.
  EXPECT_NEAR(LogLikelihoodRatio({0, 0, 0, 0, 30}, {0, 100}), 7.40885, 2e-3);
  EXPECT_NEAR(LogLikelihoodRatio({0, 0, 50, 0, 0}, {0, 50}), -7.71156, 2e-2);
}

TEST(LogLikelihoodRatio, OfFiveScores) {
  // Maxima of the likelihood found by another method (ternary search on the dual).
  EXPECT_NEAR(LogLikelihoodRatio({10, 40, 100, 60, 15}, {0, 10}), 1.5184824, 1e-6);
  EXPECT_NEAR(LogLikelihoodRatio({10, 40, 100, 60, 15}, {0, 50}), -0.7508653, 1e-6);
}

TEST(LogLikelihoodRatio, IsSymmetric) {
  EXPECT_NEAR(LogLikelihoodRatio({10, 40, 100, 40, 10}, {-20, 20}), 0, 1e-9);
  EXPECT_NEAR(LogLikelihoodRatio({15, 60, 100, 40, 10}, {-50, 0}),
              -LogLikelihoodRatio({10, 40, 100, 60, 15}, {0, 50}), 1e-9);
  EXPECT_EQ(LogLikelihoodRatio({}, {0, 10}), 0);
}

TEST(Sprt, DecidesAtWaldsBounds) {
  EXPECT_NEAR(kSprtBound, std::log(19), 1e-12);
  EXPECT_EQ(Decide(2.944), SprtDecision::kRunning);
  EXPECT_EQ(Decide(2.945), SprtDecision::kH1);
  EXPECT_EQ(Decide(-2.944), SprtDecision::kRunning);
  EXPECT_EQ(Decide(-2.945), SprtDecision::kH0);
  EXPECT_EQ(ToString(SprtDecision::kH0), "H0");
  EXPECT_EQ(ToString(SprtDecision::kH1), "H1");
  EXPECT_EQ(ToString(SprtDecision::kRunning), "running");
}

// Scores of pairs whose two games share the luck of their opening, with this mean score.
std::size_t DrawPair(double score, base::RandomStream& random) {
  const double luck = random.Uniform() < 0.5 ? 0.1 : -0.1;
  std::size_t half_points = 0;
  for (int game = 0; game < 2; ++game) {
    // A fifth of the games are draws.
    const double ticket = random.Uniform();
    if (ticket < score + luck - 0.1) {
      half_points += 2;
    } else if (ticket < score + luck + 0.1) {
      half_points += 1;
    }
  }
  return half_points;
}

// Share of decided matches that end with `wrong` when A's true score is `score`.
double ErrorRate(double score, const SprtHypotheses& hypotheses, SprtDecision wrong) {
  constexpr int kMatches = 1000;
  int errors = 0;
  for (std::uint64_t match = 0; match < kMatches; ++match) {
    base::RandomStream random(42, {match});
    PairCounts pairs{};
    SprtDecision decision = SprtDecision::kRunning;
    while (decision == SprtDecision::kRunning) {
      ++pairs[DrawPair(score, random)];
      decision = Decide(LogLikelihoodRatio(pairs, hypotheses));
    }
    errors += decision == wrong;
  }
  return static_cast<double>(errors) / kMatches;
}

TEST(Sprt, ErrsInOneMatchOfTwenty) {
  // Three standard errors of 1000 matches at 5 % are 2.1 %. At both hypotheses the rate is near its
  // bound, beyond them far below.
  const SprtHypotheses hypotheses{0, 60};
  const double at_h0 = ErrorRate(ScoreOfElo(0), hypotheses, SprtDecision::kH1);
  const double at_h1 = ErrorRate(ScoreOfElo(60), hypotheses, SprtDecision::kH0);
  EXPECT_LT(at_h0, 0.071);
  EXPECT_GT(at_h0, 0.01);
  EXPECT_LT(at_h1, 0.071);
  EXPECT_GT(at_h1, 0.01);
  EXPECT_LT(ErrorRate(ScoreOfElo(-60), hypotheses, SprtDecision::kH1), 0.01);
}

TEST(ParseSprt, ReadsTwoNumbers) {
  auto hypotheses = ParseSprt("-1.5,+3");
  ASSERT_TRUE(hypotheses.ok()) << hypotheses.error();
  EXPECT_EQ(hypotheses->elo0, -1.5);
  EXPECT_EQ(hypotheses->elo1, 3);
}

TEST(ParseSprt, NamesWhatIsWrong) {
  for (const char* text : {"", "5", "0,", ",5", "0,5,9", "0;5", "a,b", "0,nan", "0,2000", "0, 5"}) {
    auto hypotheses = ParseSprt(text);
    ASSERT_FALSE(hypotheses.ok()) << text;
    EXPECT_THAT(hypotheses.error(), HasSubstr("expected ELO0,ELO1")) << text;
  }
  for (const char* text : {"5,5", "10,0"}) {
    auto hypotheses = ParseSprt(text);
    ASSERT_FALSE(hypotheses.ok()) << text;
    EXPECT_THAT(hypotheses.error(), HasSubstr("ELO0 must be less than ELO1")) << text;
  }
}

}  // namespace
}  // namespace apiary::play
