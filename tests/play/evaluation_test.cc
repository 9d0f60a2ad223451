#include "play/evaluation.h"

#include <gtest/gtest.h>

#include "env/symmetry.h"
#include "play/player.h"
#include "tests/play/positions.h"

namespace apiary::play {
namespace {

using env::Color;

TEST(Evaluation, OfTheStartIsZero) {
  EXPECT_EQ(Evaluate(GameOf("Base").board(), Color::kWhite), 0);
  EXPECT_EQ(Evaluate(GameOf("Base+MLP").board(), Color::kBlack), 0);
}

TEST(Evaluation, ByHand) {
  // wQ wS1 bS1 bQ in a row: the spiders are pinned, both queens may go and have one neighbour.
  EXPECT_EQ(Evaluate(GameOf(kRow).board(), Color::kWhite), 0);
  // wA1 at the end of the row, next to wQ: she is pinned now (12 less) and has a second neighbour
  // (25 less), the ant is free (14) and no longer in hand (8 less).
  const auto ant = GameOf("Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 -wQ");
  EXPECT_EQ(Evaluate(ant.board(), Color::kWhite), -12 - 25 + 14 - 8);
  EXPECT_EQ(Evaluate(ant.board(), Color::kBlack), 12 + 25 - 14 + 8);
  // wB1 covers wS1, bA1 stands at the end of the row.
  const auto beetle =
      GameOf("Base;InProgress;Black[4];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 \\wS1;bA1 bQ-;wB1 wS1");
  // White: queen 12 (one neighbour: -20), beetle 12, one cell on its way to bQ: -3; hand 4 + 7 + 15
  // + 24 = 50.
  // Black: S1 pinned, Q pinned (two neighbours: -45), ant 14; hand 4 + 14 + 15 + 16 = 49.
  EXPECT_EQ(Evaluate(beetle.board(), Color::kWhite), (12 - 20 + 12 - 3 + 50) - (14 - 45 + 49));
}

TEST(Evaluation, ABeetleOnTheQueenCosts) {
  const auto before = GameOf(
      "Base;InProgress;White[5];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 \\wS1;bA1 bQ-;wB1 wS1;bA1 /bQ");
  auto after = before;
  auto bridge = env::ParseMove(after, "wB1 bS1");
  ASSERT_TRUE(bridge.ok()) << bridge.error();
  after.Apply(*bridge);
  for (const char* text : {"bA1 bQ-", "wB1 bQ"}) {
    auto move = env::ParseMove(after, text);
    ASSERT_TRUE(move.ok()) << move.error();
    after.Apply(*move);
  }
  // Row wQ wS1 bS1 bQ(wB1) bA1. White: Q 12 - 20, B1 12, S1 pinned; hand 50. Black: the queen is
  // under the beetle and has two neighbours: -45 - 60, S1 pinned, ant 14; hand 49.
  EXPECT_EQ(Evaluate(after.board(), Color::kWhite), (12 - 20 + 12 + 50) - (14 - 45 - 60 + 49));
}

// The game with all colours swapped: begun by Black.
env::Game SwapColors(const env::Game& game) {
  env::Rules rules = game.rules();
  rules.first_player = env::Opponent(rules.first_player);
  env::Game swapped(rules);
  for (const env::Move move : game.moves()) {
    if (move.is_pass()) {
      swapped.Apply(move);
      continue;
    }
    const env::PieceId piece = move.piece();
    swapped.Apply(
        env::Move(env::PieceId::Of(env::Opponent(piece.color()), piece.type(), piece.number()),
                  move.destination()));
  }
  return swapped;
}

TEST(Evaluation, IsSymmetric) {
  base::RandomStream random(4);
  env::MoveList moves;
  for (const env::Variant variant : env::AllVariants()) {
    env::Rules rules;
    rules.variant = variant;
    env::Game game(rules);
    while (!game.outcome().over() && game.ply() < 80) {
      const int white = Evaluate(game.board(), Color::kWhite);
      EXPECT_EQ(Evaluate(game.board(), Color::kBlack), -white);
      EXPECT_EQ(Evaluate(SwapColors(game).board(), Color::kWhite), -white);
      EXPECT_LT(std::abs(white), kMaxEvaluation);
      const auto symmetry = env::Symmetry::FromIndex(game.ply() % env::kNumSymmetries);
      EXPECT_EQ(Evaluate(env::Transform(game, symmetry).board(), Color::kWhite), white);
      game.LegalMoves(moves);
      game.Apply(ChooseRandom(moves, random));
    }
  }
}

}  // namespace
}  // namespace apiary::play
