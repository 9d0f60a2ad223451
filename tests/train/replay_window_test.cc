#include "train/replay_window.h"

#include <gtest/gtest.h>

#include <map>

namespace apiary::train {
namespace {

// Told apart by its number of plies.
GameRecord GameOf(int plies) {
  GameRecord game;
  game.moves.resize(static_cast<std::size_t>(plies));
  game.positions.resize(static_cast<std::size_t>(plies));
  game.outcome = {env::Result::kWhiteWins, env::Reason::kSurround};
  return game;
}

WindowOptions Small() {
  WindowOptions options;
  options.min_positions = 100;
  options.power = 0.5;
  options.max_positions = 300;
  options.max_uses = 3;
  return options;
}

TEST(ReplayWindow, SizeFollowsThePowerLaw) {
  EXPECT_EQ(WindowSize(Small(), 0), 100);
  EXPECT_EQ(WindowSize(Small(), 100), 100);
  EXPECT_EQ(WindowSize(Small(), 400), 200);
  EXPECT_EQ(WindowSize(Small(), 90000), 300);
}

TEST(ReplayWindow, NoPositionIsUsedMoreOftenThanTheCap) {
  ReplayWindow window(Small());
  window.Add("a", {GameOf(10), GameOf(11)}, {});
  base::RandomStream random(7);
  std::map<std::pair<std::size_t, int>, int> uses;
  int draws = 0;
  while (window.available() > 0) {
    const Sample sample = window.Draw(random);
    ++uses[{sample.game->moves.size(), sample.ply}];
    ++draws;
  }
  EXPECT_EQ(draws, 21 * 3);
  EXPECT_EQ(uses.size(), 21U);
  for (const auto& [position, count] : uses) EXPECT_EQ(count, 3);
}

TEST(ReplayWindow, OldestFilesLeaveWhileTheRestFillsTheWindow) {
  ReplayWindow window(Small());
  for (int i = 0; i < 8; ++i) window.Add(std::to_string(i), {GameOf(50)}, {});
  // 400 seen -> window of 200: exactly four files of 50.
  EXPECT_EQ(window.seen(), 400);
  EXPECT_EQ(window.positions(), 200);
  EXPECT_EQ(window.Uses().front().key, "4");
  EXPECT_EQ(window.available(), 200);
}

TEST(ReplayWindow, DrawsAreUniformOverTheWindow) {
  WindowOptions options = Small();
  options.max_uses = 255;
  ReplayWindow window(options);
  window.Add("a", {GameOf(30)}, {});
  window.Add("b", {GameOf(10)}, {});
  base::RandomStream random(3);
  int from_short = 0;
  for (int i = 0; i < 4000; ++i) from_short += window.Draw(random).game->moves.size() == 10;
  // Binomial(4000, 1/4): mean 1000, standard deviation 27.4.
  EXPECT_NEAR(from_short, 1000, 5 * 27.4);
}

TEST(ReplayWindow, UsesSurviveARestore) {
  ReplayWindow window(Small());
  window.Add("a", {GameOf(20)}, {});
  base::RandomStream random(1);
  for (int i = 0; i < 25; ++i) window.Draw(random);
  const auto saved = window.Uses();
  ReplayWindow restored(Small());
  restored.Add(saved[0].key, {GameOf(20)}, saved[0].uses);
  EXPECT_EQ(restored.Uses()[0].uses, saved[0].uses);
  EXPECT_EQ(restored.available(), window.available());
  int draws = 0;
  while (restored.available() > 0) {
    restored.Draw(random);
    ++draws;
  }
  EXPECT_EQ(draws, 20 * 3 - 25);
}

TEST(ReplayWindow, OpeningPliesAreNotTrainable) {
  GameRecord game = GameOf(10);
  game.opening_plies = 4;
  EXPECT_EQ(TrainablePositions(game), 6);
  ReplayWindow window(Small());
  window.Add("a", {game}, {});
  EXPECT_EQ(window.positions(), 6);
  base::RandomStream random(2);
  while (window.available() > 0) EXPECT_GE(window.Draw(random).ply, 4);
}

TEST(ReplayWindow, CappedGameOfGenerationZeroTeachesNothing) {
  GameRecord game = GameOf(10);
  game.outcome = {env::Result::kUnfinished, env::Reason::kCap};
  EXPECT_EQ(TrainablePositions(game), 0);
  ReplayWindow window(Small());
  window.Add("a", {game, GameOf(5)}, {});
  EXPECT_EQ(window.positions(), 5);
  game.cap_wdl = nn::Wdl{0.5F, 0.25F, 0.25F};
  EXPECT_EQ(TrainablePositions(game), 10);
}

TEST(ReplayWindow, MemoryBoundDropsTheOldest) {
  WindowOptions options = Small();
  options.max_bytes = 10000;
  ReplayWindow window(options);
  for (int i = 0; i < 20; ++i) {
    window.Add(std::to_string(i), {GameOf(10)}, {});
    EXPECT_LE(window.bytes(), 10000);
  }
  EXPECT_LT(window.positions(), 141);  // what the power law alone would keep
  EXPECT_EQ(window.Uses().back().key, "19");
}

}  // namespace
}  // namespace apiary::train
