#include "play/rating.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "play/davidson.h"

namespace apiary::play {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Games that follow the model exactly: `games` of each ordered pair.
struct Truth {
  std::vector<double> elo;
  double first_move_elo = 0;
  double log_draw = -1;
};

std::vector<OrderedResults> Play(const Truth& truth, int games, std::uint64_t seed) {
  base::RandomStream random(seed);
  std::vector<OrderedResults> results;
  for (std::size_t i = 0; i < truth.elo.size(); ++i) {
    for (std::size_t j = 0; j < truth.elo.size(); ++j) {
      if (i == j) continue;
      const double d = (truth.elo[i] - truth.elo[j] + truth.first_move_elo) / kEloOfNat;
      const ResultShares shares = DavidsonShares(d, truth.log_draw);
      OrderedResults result{i, j};
      for (int game = 0; game < games; ++game) {
        const double u = random.Uniform();
        ++(u < shares.win                 ? result.wins
           : u < shares.win + shares.draw ? result.draws
                                          : result.losses);
      }
      results.push_back(result);
    }
  }
  return results;
}

const Truth kTruth = {{0, 150, 230, 410, 520}, 45, -0.5};

void ExpectAllFinite(const RatingTable& table) {
  for (const Rating& rating : table.ratings) {
    EXPECT_TRUE(std::isfinite(rating.elo));
    EXPECT_TRUE(std::isfinite(rating.elo_low));
    EXPECT_TRUE(std::isfinite(rating.elo_high));
    EXPECT_LE(rating.elo_low, rating.elo_high);
  }
  EXPECT_TRUE(std::isfinite(table.first_move_elo));
  EXPECT_TRUE(std::isfinite(table.first_move_error));
  EXPECT_TRUE(std::isfinite(table.draw_share));
}

TEST(DavidsonTest, SharesAreThoseOfTheFormula) {
  // v = 1 between equals: three equal thirds. At d = 2 ln 2 and v = 1/2: 2, 1/2, 1/2 of 3.
  const ResultShares equal = DavidsonShares(0, 0);
  EXPECT_NEAR(equal.win, 1.0 / 3, 1e-15);
  EXPECT_NEAR(equal.draw, 1.0 / 3, 1e-15);
  const ResultShares uneven = DavidsonShares(2 * std::log(2), std::log(0.5));
  EXPECT_NEAR(uneven.win, 2.0 / 3, 1e-15);
  EXPECT_NEAR(uneven.draw, 0.5 / 3, 1e-15);
  EXPECT_NEAR(uneven.loss, 0.5 / 3, 1e-15);
  const ResultShares far = DavidsonShares(-5000, 3);
  EXPECT_EQ(far.win, 0);
  EXPECT_EQ(far.loss, 1);
}

TEST(DavidsonTest, GradientAndHessianAreThoseOfTheValue) {
  const std::vector<OrderedResults> results = {
      {0, 1, 5, 2, 3}, {1, 0, 4, 1, 0}, {2, 1, 0, 3, 7}, {0, 2, 9, 0, 0}};
  const RatingPrior prior;
  const std::vector<PriorPair> pairs = PriorPairs(3, results, prior);
  Eigen::VectorXd at(5);
  at << 0.3, -0.8, 1.1, 0.4, -0.6;
  const LogPosterior here = EvaluateDavidson(results, pairs, prior, at);
  constexpr double kStep = 1e-5;
  for (Eigen::Index i = 0; i < at.size(); ++i) {
    Eigen::VectorXd up = at, down = at;
    up[i] += kStep;
    down[i] -= kStep;
    const LogPosterior above = EvaluateDavidson(results, pairs, prior, up);
    const LogPosterior below = EvaluateDavidson(results, pairs, prior, down);
    EXPECT_NEAR(here.gradient[i], (above.value - below.value) / (2 * kStep), 1e-7) << i;
    for (Eigen::Index j = 0; j < at.size(); ++j)
      EXPECT_NEAR(here.hessian(i, j), (above.gradient[j] - below.gradient[j]) / (2 * kStep), 1e-7)
          << i << " " << j;
  }
}

TEST(DavidsonTest, ThePriorOfAPlayerIsSpreadOverThoseItMet) {
  // Player 0 met two, 1 and 2 only it: 1/2 (1/2 + 1) game a pair, at any number of games.
  const std::vector<OrderedResults> results = {
      {0, 1, 5, 0, 0}, {1, 0, 0, 0, 5}, {2, 0, 1, 0, 0}, {1, 2, 0, 0, 0}};
  const std::vector<PriorPair> pairs = PriorPairs(3, results, {});
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_DOUBLE_EQ(pairs[0].games, 0.75);
  EXPECT_DOUBLE_EQ(pairs[1].games, 0.75);
}

// With equal numbers of games as first and as second and the same results, h = 0, and the maximum
// of the likelihood is where the odds of a win to a loss are those that were seen.
TEST(RatingTest, TwoPlayersHaveTheClosedForm) {
  const std::vector<OrderedResults> results = {{0, 1, 15, 25, 10}, {1, 0, 10, 25, 15}};
  const RatingPrior none = {.games = 0, .log_draw_sd = 1e6};
  const RatingTable table = Rate(2, results, 1, none);
  EXPECT_NEAR(table.ratings[0].elo, 400 * std::log10(30.0 / 20), 1e-6);
  EXPECT_EQ(table.ratings[1].elo, 0);
  EXPECT_NEAR(table.first_move_elo, 0, 1e-6);
  // v = D / sqrt(W L), and the share of draws between equals is v / (2 + v).
  EXPECT_NEAR(table.draw_share, 1 / (1 + 2 / (50 / std::sqrt(600.0))), 1e-6);
  // log(W / L) of a multinomial has the variance 1 / W + 1 / L.
  EXPECT_NEAR(table.ratings[0].error, kEloOfNat * std::sqrt(1.0 / 30 + 1.0 / 20), 1e-4);
  EXPECT_NEAR(table.DifferenceError(0, 1), table.ratings[0].error, 1e-9);
}

TEST(RatingTest, ThePriorIsOneGameOfEachPlayer) {
  // 40 : 0 and half a game each way: 400 log10(40.5 / 0.5).
  const std::vector<OrderedResults> results = {{0, 1, 20, 0, 0}, {1, 0, 0, 0, 20}};
  const RatingTable table = Rate(2, results, 1, {.log_draw_mean = -30});
  EXPECT_NEAR(table.ratings[0].elo, 400 * std::log10(81), 1e-4);
  EXPECT_NEAR(table.ratings[0].error, kEloOfNat * std::sqrt(1 / 40.5 + 2), 1e-4);
}

TEST(RatingTest, ManyGamesRecoverTheTruth) {
  const RatingTable table = Rate(5, Play(kTruth, 4000, 7), 0);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(table.ratings[i].elo, kTruth.elo[i], 4 * table.ratings[i].error + 1e-9) << i;
    EXPECT_LT(table.ratings[i].error, 5) << i;
    EXPECT_EQ(table.ratings[i].games(), 8 * 4000);
  }
  EXPECT_NEAR(table.first_move_elo, 45, 4 * table.first_move_error);
  EXPECT_LT(table.first_move_error, 3);
  EXPECT_NEAR(table.draw_share, DavidsonShares(0, -0.5).draw, 0.01);
  EXPECT_THAT(Caveats(table, std::vector<std::string>(5, "x")), IsEmpty());
  EXPECT_GT(table.Superiority(1, 0), 0.999);
  EXPECT_NEAR(table.Superiority(1, 2) + table.Superiority(2, 1), 1, 1e-12);
}

// 95 % intervals must hold the truth in about 95 of 100 tables: 600 tables of 4 intervals, which
// hang together, and their 6 differences.
TEST(RatingTest, IntervalsCoverTheTruth) {
  constexpr int kTables = 600;
  int covered = 0, advantage_covered = 0, differences_covered = 0;
  for (int seed = 0; seed < kTables; ++seed) {
    const RatingTable table = Rate(5, Play(kTruth, 20, 1000 + static_cast<unsigned>(seed)), 0);
    for (std::size_t i = 1; i < 5; ++i) {
      covered +=
          table.ratings[i].elo_low <= kTruth.elo[i] && kTruth.elo[i] <= table.ratings[i].elo_high;
      for (std::size_t j = 1; j < i; ++j) {
        const double error =
            table.ratings[i].elo - table.ratings[j].elo - (kTruth.elo[i] - kTruth.elo[j]);
        differences_covered += std::abs(error) <= 1.96 * table.DifferenceError(i, j);
      }
    }
    advantage_covered += std::abs(table.first_move_elo - 45) <= 1.96 * table.first_move_error;
  }
  EXPECT_NEAR(covered / (4.0 * kTables), 0.95, 0.02);
  EXPECT_NEAR(differences_covered / (6.0 * kTables), 0.95, 0.02);
  EXPECT_NEAR(advantage_covered / (1.0 * kTables), 0.95, 0.03);
}

TEST(RatingTest, TheAnchorOnlyShiftsNumbers) {
  const std::vector<OrderedResults> results = Play(kTruth, 30, 3);
  const RatingTable a = Rate(5, results, 0);
  const RatingTable b = Rate(5, results, 3);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(a.ratings[i].elo - a.ratings[3].elo, b.ratings[i].elo, 1e-6);
    EXPECT_NEAR(a.DifferenceError(i, 2), b.DifferenceError(i, 2), 1e-6);
    const std::vector<std::size_t> some = {1, 2, 4}, one = {2};
    EXPECT_NEAR(a.ErrorAgainstMean(i, some), b.ErrorAgainstMean(i, some), 1e-6);
    EXPECT_NEAR(a.ErrorAgainstMean(i, one), a.DifferenceError(i, 2), 1e-9);
    EXPECT_LT(a.ErrorAgainstMean(4, some), a.ratings[4].error);
  }
  EXPECT_TRUE(b.ratings[3].anchor);
  EXPECT_EQ(b.ratings[3].elo, 0);
  EXPECT_EQ(b.ratings[3].error, 0);
}

TEST(RatingTest, WhoWinsEverythingIsFiniteAndSaid) {
  // 0 < 1 = 2 < 3, each step without a point.
  const std::vector<OrderedResults> results = {
      {1, 0, 20, 0, 0}, {0, 2, 0, 0, 20}, {1, 2, 10, 0, 10}, {3, 1, 500, 0, 0}, {2, 3, 0, 0, 500}};
  const RatingTable table = Rate(4, results, 0);
  ExpectAllFinite(table);
  EXPECT_GT(table.ratings[1].elo, 400);
  EXPECT_GT(table.ratings[3].elo, table.ratings[1].elo + 800);
  EXPECT_GT(table.ratings[3].elo_high - table.ratings[3].elo, 300);
  ASSERT_EQ(table.tiers.size(), 1U);
  EXPECT_THAT(table.tiers[0], ElementsAre(ElementsAre(3U), ElementsAre(1U, 2U), ElementsAre(0U)));
  const std::vector<std::string> names = {"zero", "one", "two", "three"};
  EXPECT_THAT(Caveats(table, names),
              ElementsAre(HasSubstr("further left in {three} > {one, two} > {zero}")));
}

TEST(RatingTest, ADrawJoinsTiers) {
  const std::vector<OrderedResults> results = {{0, 1, 9, 1, 0}, {1, 0, 0, 0, 10}};
  EXPECT_THAT(Rate(2, results, 0).tiers[0], ElementsAre(ElementsAre(0U, 1U)));
}

TEST(RatingTest, DisconnectedGroupsAreFiniteAndSaid) {
  const std::vector<OrderedResults> results = {
      {0, 3, 12, 0, 8}, {3, 0, 12, 0, 8}, {1, 2, 15, 0, 5}, {2, 1, 5, 0, 15}, {0, 1, 0, 0, 0}};
  const RatingTable table = Rate(5, results, 3);
  ExpectAllFinite(table);
  EXPECT_THAT(table.groups, ElementsAre(ElementsAre(0U, 3U), ElementsAre(1U, 2U), ElementsAre(4U)));
  EXPECT_TRUE(table.ratings[3].anchor);
  EXPECT_TRUE(table.ratings[1].anchor);
  EXPECT_TRUE(table.ratings[4].anchor);
  EXPECT_EQ(table.ratings[1].elo, 0);
  EXPECT_LT(table.ratings[2].elo, -100);
  EXPECT_EQ(table.ratings[2].group, 1U);
  EXPECT_EQ(table.ratings[4].games(), 0);
  const std::vector<std::string> names = {"a", "b", "c", "d", "e"};
  EXPECT_THAT(Caveats(table, names),
              ElementsAre(HasSubstr("not connected by any game: {a, d} and {b, c} and {e};")));
}

TEST(RatingTest, OneDrawOrNoGamesOrNobody) {
  EXPECT_THAT(Rate(0, {}, 0).ratings, IsEmpty());
  const RatingTable alone = Rate(1, {}, 0);
  ExpectAllFinite(alone);
  EXPECT_EQ(alone.ratings[0].elo, 0);
  EXPECT_THAT(Caveats(alone, std::vector<std::string>{"a"}), IsEmpty());
  const std::vector<OrderedResults> drawn = {{0, 1, 0, 1000, 0}, {1, 0, 0, 1000, 0}};
  const RatingTable equal = Rate(2, drawn, 0);
  ExpectAllFinite(equal);
  EXPECT_NEAR(equal.ratings[1].elo, 0, 1e-6);
  EXPECT_GT(equal.draw_share, 0.95);
  // Whoever moves first wins: the advantage is large, the players are equal.
  const std::vector<OrderedResults> first = {{0, 1, 100, 0, 0}, {1, 0, 100, 0, 0}};
  const RatingTable white = Rate(2, first, 0);
  ExpectAllFinite(white);
  EXPECT_NEAR(white.ratings[1].elo, 0, 1e-6);
  EXPECT_GT(white.first_move_elo, 400);
}

TEST(RatingTest, LongLaddersOfWinsStayFinite) {
  std::vector<OrderedResults> results;
  for (std::size_t i = 0; i + 1 < 60; ++i) {
    results.push_back({i + 1, i, 1000, 0, 0});
    results.push_back({i, i + 1, 0, 0, 1000});
  }
  const RatingTable table = Rate(60, results, 0);
  ExpectAllFinite(table);
  for (std::size_t i = 0; i + 1 < 60; ++i)
    EXPECT_GT(table.ratings[i + 1].elo, table.ratings[i].elo + 1000);
  EXPECT_EQ(table.tiers[0].size(), 60U);
  EXPECT_THAT(Caveats(table, std::vector<std::string>(60, "p")), ElementsAre(HasSubstr("> {p}")));
}

}  // namespace
}  // namespace apiary::play
