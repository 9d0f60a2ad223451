#include "env/batch_env.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "env/notation.h"
#include "tests/env/random_positions.h"

namespace apiary::env {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

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

std::vector<std::string> GameStrings(const BatchEnv& batch) {
  std::vector<std::string> games;
  for (int i = 0; i < batch.size(); ++i) games.push_back(ToGameString(batch.game(i)));
  return games;
}

Move RandomMove(const MoveList& legal, base::RandomStream& random) {
  return legal[static_cast<int>(random.Below(static_cast<std::uint32_t>(legal.size())))];
}

TEST(BatchEnv, IllegalMoveChangesNothingAndIsNamed) {
  BatchEnv batch(Rules{}, 3);
  base::RandomStream random(4);
  std::vector<Move> legal(3);
  for (int ply = 0; ply < 12; ++ply) {
    for (int i = 0; i < 3; ++i)
      legal[static_cast<std::size_t>(i)] = RandomMove(batch.legal_moves(i), random);
    ASSERT_TRUE(batch.Step(legal).ok());
  }
  const std::vector<std::string> before = GameStrings(batch);
  // Packed moves of all kinds: a copy takes the legal ones; each other one fails, names its
  // environment and leaves all as it was.
  const auto play = [](const BatchEnv& from, std::size_t i, Move move) {
    BatchEnv copy = from;
    std::vector<Move> moves;
    for (int k = 0; k < from.size(); ++k) moves.push_back(from.legal_moves(k)[0]);
    moves[i] = move;
    const auto step = copy.Step(moves);
    EXPECT_EQ(GameStrings(copy) == GameStrings(from), !step.ok());
    return step;
  };
  for (std::uint32_t bits = 0; bits <= 0xFFFF; bits += 61) {
    const Move move = Move::FromBits(static_cast<std::uint16_t>(bits));
    const bool is_legal = batch.legal_moves(2).Contains(move);
    const auto step = play(batch, 2, move);
    ASSERT_EQ(step.ok(), is_legal) << bits;
    if (is_legal) continue;
    ASSERT_THAT(step.error(), HasSubstr("environment 2: "));
    ASSERT_THAT(step.error(), HasSubstr("is not legal in " + before[2]));
  }
  EXPECT_EQ(GameStrings(batch), before);
}

TEST(BatchEnv, IllegalMoveIsNamedInNotation) {
  BatchEnv batch(Rules{}, 3);
  const PieceId spider = PieceId::Of(Color::kWhite, PieceType::kSpider, 1);
  const PieceId queen = PieceId::Of(Color::kWhite, PieceType::kQueen, 1);
  const Move first(spider, kOrigin);
  const auto error = [&](Move move) {
    const auto step = batch.Step(std::vector<Move>{first, move, first});
    EXPECT_FALSE(step.ok());
    return step.ok() ? "" : step.error();
  };
  EXPECT_EQ(error(Move(queen, kOrigin)),
            "environment 1: wQ is not legal in Base;NotStarted;White[1]");
  ASSERT_TRUE(batch.Step(std::vector<Move>(3, first)).ok());
  const Cell east = Neighbor(kOrigin, Direction::kE);
  for (const Move move : {first, Move(queen, east)}) {
    std::vector<Move> moves = {batch.legal_moves(0)[0], move, batch.legal_moves(2)[0]};
    const auto step = batch.Step(moves);
    ASSERT_FALSE(step.ok());
    EXPECT_THAT(step.error(), StartsWith("environment 1: w"));
    EXPECT_THAT(step.error(), HasSubstr(move == first ? "wS1 to cell 0" : "wQ wS1-"));
  }
  std::vector<Move> moves = {batch.legal_moves(0)[0], Move::Pass(), batch.legal_moves(2)[0]};
  EXPECT_THAT(batch.Step(moves).error(), StartsWith("environment 1: pass is not legal in "));
  moves[1] = Move::FromBits(0x7FFF);
  EXPECT_THAT(batch.Step(moves).error(), StartsWith("environment 1: 0x7fff, which is no move, "));
  moves[1] = Move::FromBits(0x8000);
  EXPECT_THAT(batch.Step(moves).error(), StartsWith("environment 1: 0x8000, which is no move, "));
  moves[1] = Move(queen, Cell::FromIndex(500));
  EXPECT_THAT(batch.Step(moves).error(), HasSubstr("wQ to cell 500, away from the hive, "));
}

TEST(BatchEnv, WrongSizesAndRulesThrow) {
  EXPECT_THROW(BatchEnv(Rules{}, 0), Error);
  EXPECT_THROW(BatchEnv(Rules{}, -1), Error);
  Rules rules;
  rules.repetition = 1;
  EXPECT_THROW(BatchEnv(rules, 1), Error);
  rules.repetition = 3;
  rules.max_plies = -1;
  EXPECT_THROW(BatchEnv(rules, 1), Error);
}

TEST(BatchEnvDeathTest, IndexOutOfRangeIsNamed) {
  BatchEnv batch(Rules{}, 3);
  EXPECT_DEATH(batch.Reset(3), "environment 3 of a batch of 3");
  EXPECT_DEATH(batch.legal_moves(-1), "environment -1 of a batch of 3");
}

TEST(BatchEnv, WrongBatchSizeIsNamed) {
  BatchEnv batch(Rules{}, 3);
  const std::vector<Move> moves(2, batch.legal_moves(0)[0]);
  const auto step = batch.Step(moves);
  ASSERT_FALSE(step.ok());
  EXPECT_THAT(step.error(), HasSubstr("2 moves for a batch of 3"));
  EXPECT_FALSE(batch.Step({}).ok());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(batch.game(i).ply(), 0);
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
