#include "env/batch_env.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "env/notation.h"
#include "tests/env/random_positions.h"

namespace apiary::env {
namespace {

using testing::HasSubstr;

TEST(BatchEnv, EqualsSingleGames) {
  Rules rules;
  rules.variant = Variant::FromIndex(7);
  rules.max_plies = 60;
  BatchEnv batch(rules, 5);
  std::vector<Game> single(5, Game(rules));
  base::RandomStream random(1);
  Block observed;
  for (int step = 0; step < 150; ++step) {
    std::vector<Move> moves(5);
    Block expected;
    for (int i = 0; i < 5; ++i) {
      Game& game = single[static_cast<std::size_t>(i)];
      if (game.outcome().over() && step % 7 == 0) {
        batch.Reset(i);
        game = Game(rules);
      }
      MoveList legal;
      game.LegalMoves(legal);
      ASSERT_TRUE(std::equal(legal.begin(), legal.end(), batch.legal_moves(i).begin(),
                             batch.legal_moves(i).end()));
      ASSERT_EQ(ToGameString(batch.game(i)), ToGameString(game));
      Append(game, legal, {}, expected);
      if (legal.empty()) continue;
      moves[static_cast<std::size_t>(i)] =
          legal[static_cast<int>(random.Below(static_cast<std::uint32_t>(legal.size())))];
      game.Apply(moves[static_cast<std::size_t>(i)]);
    }
    batch.Observe(observed);
    EXPECT_EQ(observed.row_features, expected.row_features);
    EXPECT_EQ(observed.neighbors, expected.neighbors);
    EXPECT_EQ(observed.position_features, expected.position_features);
    EXPECT_EQ(observed.move_begin, expected.move_begin);
    ASSERT_TRUE(batch.Step(moves).ok());
  }
}

TEST(BatchEnv, IllegalMoveChangesNothingAndIsNamed) {
  BatchEnv batch(Rules{}, 3);
  const Move legal = batch.legal_moves(0)[0];
  const Move illegal(PieceId::Of(Color::kWhite, PieceType::kQueen, 1), kOrigin);
  const std::vector<Move> moves = {legal, illegal, legal};
  const auto step = batch.Step(moves);
  ASSERT_FALSE(step.ok());
  EXPECT_THAT(step.error(), HasSubstr("environment 1"));
  EXPECT_THAT(step.error(), HasSubstr("wQ"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(batch.game(i).ply(), 0);
  const std::vector<Move> nonsense = {legal, Move::FromBits(0x7FFF), legal};
  EXPECT_FALSE(batch.Step(nonsense).ok());
  EXPECT_EQ(batch.game(0).ply(), 0);
}

TEST(BatchEnv, WrongBatchSizeIsNamed) {
  BatchEnv batch(Rules{}, 3);
  const std::vector<Move> moves(2, batch.legal_moves(0)[0]);
  const auto step = batch.Step(moves);
  ASSERT_FALSE(step.ok());
  EXPECT_THAT(step.error(), HasSubstr("2 moves for a batch of 3"));
}

TEST(BatchEnv, FinishedGameIgnoresItsMove) {
  Rules rules;
  rules.max_plies = 1;
  BatchEnv batch(rules, 2);
  ASSERT_TRUE(batch.Step(std::vector<Move>(2, batch.legal_moves(0)[0])).ok());
  EXPECT_EQ(batch.game(0).outcome().reason, Reason::kCap);
  EXPECT_TRUE(batch.legal_moves(0).empty());
  EXPECT_TRUE(batch.Step(std::vector<Move>(2)).ok());
  EXPECT_EQ(batch.game(0).ply(), 1);
  batch.Reset(0);
  EXPECT_EQ(batch.game(0).ply(), 0);
  EXPECT_EQ(batch.legal_moves(0).size(), 4);
  EXPECT_EQ(batch.game(1).ply(), 1);
}

}  // namespace
}  // namespace apiary::env
