#include "train/targets.h"

#include <gtest/gtest.h>

namespace apiary::train {
namespace {

using env::Color;
using env::Result;

GameRecord GameOf(int plies, Result result) {
  GameRecord game;
  game.moves.resize(static_cast<std::size_t>(plies));
  game.positions.resize(static_cast<std::size_t>(plies));
  game.outcome = {result, env::Reason::kSurround};
  return game;
}

void ExpectWdl(const nn::Wdl& actual, double win, double draw, double loss) {
  EXPECT_NEAR(actual.win, win, 1e-6);
  EXPECT_NEAR(actual.draw, draw, 1e-6);
  EXPECT_NEAR(actual.loss, loss, 1e-6);
}

TEST(Targets, OutcomeIsSeenFromTheSideAsked) {
  ExpectWdl(OutcomeWdl(Result::kWhiteWins, Color::kWhite), 1, 0, 0);
  ExpectWdl(OutcomeWdl(Result::kWhiteWins, Color::kBlack), 0, 0, 1);
  ExpectWdl(OutcomeWdl(Result::kBlackWins, Color::kBlack), 1, 0, 0);
  ExpectWdl(OutcomeWdl(Result::kDraw, Color::kBlack), 0, 1, 0);
}

TEST(Targets, PlainResultAlternatesSides) {
  const auto targets = ValueTargets(GameOf(3, Result::kWhiteWins), 1.0);
  ASSERT_EQ(targets.size(), 3U);
  ExpectWdl(targets[0], 1, 0, 0);
  ExpectWdl(targets[1], 0, 0, 1);
  ExpectWdl(targets[2], 1, 0, 0);
}

TEST(Targets, GameBegunByBlack) {
  GameRecord game = GameOf(2, Result::kWhiteWins);
  game.rules.first_player = Color::kBlack;
  const auto targets = ValueTargets(game, 1.0);
  ExpectWdl(targets[0], 0, 0, 1);
  ExpectWdl(targets[1], 1, 0, 0);
}

TEST(Targets, SearchValuesAreMixedBackwards) {
  GameRecord game = GameOf(3, Result::kWhiteWins);  // white, black, white to move
  game.positions[2].has_value = true;
  game.positions[2].root_wdl = {0.5F, 0.2F, 0.3F};
  game.positions[1].has_value = true;
  game.positions[1].root_wdl = {0.6F, 0.0F, 0.4F};
  const auto targets = ValueTargets(game, 0.9);
  ExpectWdl(targets[2], 1, 0, 0);
  // mixed(2) = 0.9 (1, 0, 0) + 0.1 (0.5, 0.2, 0.3) = (0.95, 0.02, 0.03); black sees it flipped.
  ExpectWdl(targets[1], 0.03, 0.02, 0.95);
  // mixed(1) = 0.9 (0.03, 0.02, 0.95) + 0.1 (0.6, 0, 0.4) = (0.087, 0.018, 0.895).
  ExpectWdl(targets[0], 0.895, 0.018, 0.087);
}

TEST(Targets, SolvedRootIsExactAndGoesBackUnmixed) {
  GameRecord game = GameOf(2, Result::kDraw);
  game.positions[1].has_value = true;
  game.positions[1].solved = true;
  game.positions[1].root_wdl = {1, 0, 0};
  const auto targets = ValueTargets(game, 0.5);
  ExpectWdl(targets[1], 1, 0, 0);
  ExpectWdl(targets[0], 0, 0, 1);
}

TEST(Targets, CappedGameStartsFromItsBootstrappedValueAndMasksItsLength) {
  GameRecord game = GameOf(1, Result::kUnfinished);
  game.cap_wdl = nn::Wdl{0.2F, 0.1F, 0.7F};  // of the side to move after the last move
  ExpectWdl(ValueTargets(game, 0.95)[0], 0.7, 0.1, 0.2);
  EXPECT_LT(MovesLeftTarget(game, 0), 0);
}

TEST(Targets, MovesLeftCountsPlies) {
  const GameRecord game = GameOf(7, Result::kBlackWins);
  EXPECT_EQ(MovesLeftTarget(game, 0), 7);
  EXPECT_EQ(MovesLeftTarget(game, 6), 1);
}

TEST(TargetsDeathTest, CappedGameWithoutValueIsABug) {
  EXPECT_DEATH(ValueTargets(GameOf(4, Result::kUnfinished), 1.0), "capped game of 4 plies");
}

}  // namespace
}  // namespace apiary::train
