#include "train/game_stats.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace apiary::train {
namespace {

GameRecord Ended(env::Result result, env::Reason reason, int generation = 1) {
  GameRecord game;
  game.outcome = {result, reason};
  game.first_generation = game.last_generation = generation;
  return game;
}

TEST(DecisiveWatch, CountsCappedGamesAndLeavesGenerationZeroOut) {
  DecisiveWatch watch;
  watch.Add(Ended(env::Result::kWhiteWins, env::Reason::kSurround, 0));
  EXPECT_EQ(watch.share(), 0);
  watch.Add(Ended(env::Result::kWhiteWins, env::Reason::kSurround));
  watch.Add(Ended(env::Result::kBlackWins, env::Reason::kSurround));
  watch.Add(Ended(env::Result::kUnfinished, env::Reason::kCap));
  watch.Add(Ended(env::Result::kDraw, env::Reason::kRepetition));
  EXPECT_DOUBLE_EQ(watch.share(), 0.5);
  EXPECT_EQ(watch.outcomes(), "WBCD");
  EXPECT_EQ(watch.Alarm(), "");
}

TEST(DecisiveWatch, RingsBelowFortyPercent) {
  DecisiveWatch watch(std::string(301, 'C') + std::string(199, 'W'), 0.398);
  EXPECT_NE(watch.Alarm().find("only 40 %"), std::string::npos);
  DecisiveWatch calm(std::string(300, 'C') + std::string(200, 'W'), 0.4);
  EXPECT_EQ(calm.Alarm(), "");
}

TEST(DecisiveWatch, RingsWhenTheShareFallsByAThird) {
  DecisiveWatch watch(std::string(500, 'W'), 1.0);
  for (int i = 0; i < 166; ++i) watch.Add(Ended(env::Result::kDraw, env::Reason::kBoth));
  EXPECT_EQ(watch.Alarm(), "");
  watch.Add(Ended(env::Result::kDraw, env::Reason::kBoth));
  EXPECT_NE(watch.Alarm().find("fell from 100 to 67 %"), std::string::npos);
}

TEST(GameStats, SharesAndEntropy) {
  GameStats stats;
  GameRecord won = Ended(env::Result::kWhiteWins, env::Reason::kSurround);
  won.moves.resize(2);
  won.positions.resize(2);
  won.positions[0].has_value = true;
  won.AddPolicy(std::array{0.5F, 0.5F}, won.positions[0]);
  won.positions[1].has_value = true;
  won.positions[1].solved = true;
  stats.Add(won);
  stats.Add(Ended(env::Result::kUnfinished, env::Reason::kCap));
  std::map<std::string, double> metrics;
  stats.Report(metrics);
  EXPECT_DOUBLE_EQ(metrics["share_white"], 0.5);
  EXPECT_DOUBLE_EQ(metrics["share_cap"], 0.5);
  EXPECT_DOUBLE_EQ(metrics["share_draw"], 0);
  EXPECT_DOUBLE_EQ(metrics["plies"], 1);
  EXPECT_DOUBLE_EQ(metrics["solved_share"], 0.5);
  EXPECT_NEAR(metrics["target_entropy"], std::log(2.0), 1e-6);
}

}  // namespace
}  // namespace apiary::train
