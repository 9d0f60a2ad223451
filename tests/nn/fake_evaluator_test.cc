#include "nn/fake_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tests/env/random_positions.h"

namespace apiary::nn {
namespace {

using testing::HasSubstr;

void AppendWithMoves(const env::Game& game, env::Symmetry symmetry, env::Block& block) {
  env::MoveList moves;
  game.LegalMoves(moves);
  env::Append(game, moves, symmetry, block);
}

Evaluation EvaluateOne(FakeEvaluator& evaluator, const env::Game& game,
                       env::Symmetry symmetry = {}) {
  env::Block block;
  AppendWithMoves(game, symmetry, block);
  Evaluation evaluation;
  evaluator.Evaluate(block, evaluation);
  return evaluation;
}

TEST(FakeEvaluator, BlockEqualsSinglePositionsBitwise) {
  FakeEvaluator evaluator;
  const auto games = env::RandomPositions(50, 1);
  env::Block block;
  for (const env::Game& game : games) AppendWithMoves(game, {}, block);
  Evaluation all;
  evaluator.Evaluate(block, all);
  for (std::size_t p = 0; p < games.size(); ++p) {
    const Evaluation one = EvaluateOne(evaluator, games[p]);
    EXPECT_EQ(one.wdl[0], all.wdl[p]);
    EXPECT_EQ(one.moves_left[0], all.moves_left[p]);
    EXPECT_TRUE(
        std::equal(one.logits.begin(), one.logits.end(), all.logits.begin() + block.move_begin[p]));
  }
}

TEST(FakeEvaluator, OutputsAreInRangeAndDiffer) {
  FakeEvaluator evaluator;
  std::set<float> wins;
  for (const env::Game& game : env::RandomPositions(200, 2)) {
    const Evaluation one = EvaluateOne(evaluator, game);
    const Wdl wdl = one.wdl[0];
    EXPECT_NEAR(wdl.win + wdl.draw + wdl.loss, 1, 1e-6);
    EXPECT_GT(std::min({wdl.win, wdl.draw, wdl.loss}), 0);
    EXPECT_GE(one.moves_left[0], 1);
    for (const float logit : one.logits) EXPECT_LE(std::abs(logit), 2);
    wins.insert(wdl.win);
  }
  EXPECT_GT(wins.size(), 190U);
}

TEST(FakeEvaluator, InvariantUnderTheSymmetries) {
  FakeEvaluator evaluator;
  for (const env::Game& game : env::RandomPositions(100, 3)) {
    const Evaluation plain = EvaluateOne(evaluator, game);
    std::vector<float> sorted = plain.logits;
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < env::kNumSymmetries; ++i) {
      const env::Symmetry symmetry = env::Symmetry::FromIndex(i);
      // Through a symmetry the moves keep their order; in the transformed game they are in another.
      const Evaluation seen = EvaluateOne(evaluator, game, symmetry);
      EXPECT_EQ(seen.wdl, plain.wdl);
      EXPECT_EQ(seen.logits, plain.logits);
      Evaluation turned = EvaluateOne(evaluator, env::Transform(game, symmetry));
      EXPECT_EQ(turned.wdl, plain.wdl);
      EXPECT_EQ(turned.moves_left, plain.moves_left);
      std::sort(turned.logits.begin(), turned.logits.end());
      EXPECT_EQ(turned.logits, sorted);
    }
  }
}

TEST(FakeEvaluator, SeedAndModeMatter) {
  FakeEvaluator a(FakeEvaluator::Mode::kHashed, 0), b(FakeEvaluator::Mode::kHashed, 1);
  FakeEvaluator uniform(FakeEvaluator::Mode::kUniform);
  const env::Game game = env::RandomGame({}, 20, 4);
  EXPECT_NE(EvaluateOne(a, game).wdl, EvaluateOne(b, game).wdl);
  const Evaluation flat = EvaluateOne(uniform, game);
  EXPECT_EQ(flat.wdl[0], (Wdl{1.0f / 3, 1.0f / 3, 1.0f / 3}));
  for (const float logit : flat.logits) EXPECT_EQ(logit, 0);
  EXPECT_EQ(flat.moves_left[0], 30);
}

TEST(Wdl, FlipExchangesSides) {
  const Wdl wdl{0.5f, 0.3f, 0.2f};
  EXPECT_EQ(Flip(wdl), (Wdl{0.2f, 0.3f, 0.5f}));
  EXPECT_FLOAT_EQ(wdl.value_stm(), 0.3f);
  EXPECT_FLOAT_EQ(Flip(wdl).value_stm(), -0.3f);
}

TEST(CheckFinite, NamesTheFirstBadOutput) {
  FakeEvaluator evaluator;
  env::Block block;
  for (const env::Game& game : env::RandomPositions(4, 5)) AppendWithMoves(game, {}, block);
  Evaluation good;
  evaluator.Evaluate(block, good);
  EXPECT_NO_THROW(CheckFinite(block, good));
  const auto message = [&](const Evaluation& evaluation) -> std::string {
    try {
      CheckFinite(block, evaluation);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  Evaluation bad = good;
  bad.logits[static_cast<std::size_t>(block.move_begin[2]) + 1] =
      std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(message(bad), HasSubstr("logit of move 1"));
  EXPECT_THAT(message(bad), HasSubstr("position 2 of a block of 4"));
  bad = good;
  bad.wdl[3].draw = std::numeric_limits<float>::infinity();
  EXPECT_THAT(message(bad), HasSubstr("position 3"));
  bad = good;
  bad.moves_left[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(message(bad), HasSubstr("moves left"));
}

}  // namespace
}  // namespace apiary::nn
