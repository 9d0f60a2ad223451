#include "env/encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "env/notation.h"
#include "tests/env/random_positions.h"

namespace apiary::env {
namespace {

using testing::ElementsAre;

Block Encode(const Game& game, Symmetry symmetry = {}) {
  MoveList moves;
  game.LegalMoves(moves);
  Block block;
  Append(game, moves, symmetry, block);
  return block;
}

std::vector<int> Row(const Block& block, int row) {
  const auto begin = block.row_features.begin() + row * kNumRowFeatures;
  return {begin, begin + kNumRowFeatures};
}

std::map<std::string, int> PositionFeatures(const Block& block, int position = 0) {
  std::map<std::string, int> features;
  for (int f = 0; f < kNumPositionFeatures; ++f)
    features[std::string(kPositionFeatures[static_cast<std::size_t>(f)].name)] =
        block.position_features[static_cast<std::size_t>(position * kNumPositionFeatures + f)];
  return features;
}

TEST(Encoder, EmptyBoardHasOneRowTheOrigin) {
  const Block block = Encode(Game());
  EXPECT_EQ(block.positions(), 1);
  EXPECT_EQ(block.rows(), 1);
  EXPECT_THAT(Row(block, 0), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0));
  EXPECT_THAT(block.neighbors[0], ElementsAre(-1, -1, -1, -1, -1, -1));
  EXPECT_THAT(block.queen_rows[0], ElementsAre(-1, -1));
  // Spider, beetle, grasshopper, ant; the queen may not open.
  ASSERT_EQ(block.move_count(), 4);
  for (int m = 0; m < 4; ++m) {
    EXPECT_EQ(block.moves[static_cast<std::size_t>(m)].source, -2 - m);
    EXPECT_EQ(block.moves[static_cast<std::size_t>(m)].destination, 0);
  }
  auto features = PositionFeatures(block);
  EXPECT_EQ(features["own_hand_Q"], 1);
  EXPECT_EQ(features["own_hand_A"], 3);
  EXPECT_EQ(features["enemy_hand_S"], 2);
  EXPECT_EQ(features["own_hand_M"], 0);
  EXPECT_EQ(features["own_turns"], 0);
  EXPECT_EQ(features["ply_octave"], 0);
  EXPECT_EQ(features["repetition_rule"], 1);
}

// White S at (0,0), black G east of it. Empty rows in (r, q) order:
//   2 (0,-1)  3 (1,-1)  4 (2,-1)  5 (-1,0)  6 (2,0)  7 (-1,1)  8 (0,1)  9 (1,1)
TEST(Encoder, TwoPieces) {
  const Block block = Encode(PositionOf("Base", "wS1;bG1 wS1-"));
  ASSERT_EQ(block.rows(), 10);
  EXPECT_THAT(Row(block, 0), ElementsAre(2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0));   // own spider
  EXPECT_THAT(Row(block, 1), ElementsAre(12, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0));  // enemy grasshopper
  EXPECT_THAT(Row(block, 2), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0));   // beside White only
  EXPECT_THAT(Row(block, 3), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0));   // beside both
  EXPECT_THAT(Row(block, 4), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0));   // beside Black only
  EXPECT_THAT(block.neighbors[0], ElementsAre(1, 3, 2, 5, 7, 8));
  EXPECT_THAT(block.neighbors[1], ElementsAre(6, 4, 3, 0, 8, 9));
  EXPECT_THAT(block.neighbors[2], ElementsAre(3, -1, -1, -1, 5, 0));
  auto features = PositionFeatures(block);
  EXPECT_EQ(features["own_hand_S"], 1);
  EXPECT_EQ(features["own_hand_G"], 3);
  EXPECT_EQ(features["enemy_hand_S"], 2);
  EXPECT_EQ(features["enemy_hand_G"], 2);
  EXPECT_EQ(features["own_turns"], 1);
  EXPECT_EQ(features["ply_octave"], 1);
  // Five types (the queen too, on the second turn) times the three cells 2, 5, 7.
  EXPECT_EQ(block.move_count(), 15);
}

TEST(Encoder, FirstPieceOfBlackMayTouchTheEnemy) {
  const Block block = Encode(PositionOf("Base", "wS1"));
  ASSERT_EQ(block.rows(), 7);
  EXPECT_THAT(Row(block, 0), ElementsAre(10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  for (int r = 1; r < 7; ++r)
    EXPECT_THAT(Row(block, r), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0));
}

// A black beetle on its own queen: wA1 (-1,-1) row 0, wQ (-1,0) row 1, wS1 (0,0) row 2, bS1 (1,0)
// row 3, stack (2,0) row 4.
TEST(Encoder, BeetleOnQueen) {
  const Game game =
      PositionOf("Base", "wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 -wQ;bB1 bQ-;wA1 \\wQ;bB1 bQ");
  const Block block = Encode(game);
  EXPECT_THAT(Row(block, 0), ElementsAre(5, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1));
  EXPECT_THAT(Row(block, 1), ElementsAre(1, 1, 0, 0, 0, 0, 0, 1, 0, 2, 0));
  EXPECT_THAT(Row(block, 2), ElementsAre(2, 1, 0, 0, 0, 0, 0, 1, 0, 2, 1));
  EXPECT_THAT(Row(block, 3), ElementsAre(10, 1, 0, 0, 0, 0, 0, 1, 0, 2, 2));
  EXPECT_THAT(Row(block, 4), ElementsAre(11, 2, 9, 2, 0, 1, 1, 0, 0, 1, 0));
  EXPECT_THAT(block.queen_rows[0], ElementsAre(1, 4));
  auto features = PositionFeatures(block);
  EXPECT_EQ(features["own_queen_neighbors"], 2);
  EXPECT_EQ(features["enemy_queen_neighbors"], 1);
  EXPECT_EQ(features["own_turns"], 4);
  EXPECT_EQ(features["ply_octave"], 3);
  EXPECT_EQ(features["own_hand_Q"], 0);
}

TEST(Encoder, RulesOptions) {
  Rules rules;
  rules.variant = Variant{.mosquito = true, .ladybug = false, .pillbug = true};
  rules.repetition = 0;
  rules.queen_first_turn = true;
  auto features = PositionFeatures(Encode(Game(rules)));
  EXPECT_EQ(features["mosquito"], 1);
  EXPECT_EQ(features["ladybug"], 0);
  EXPECT_EQ(features["pillbug"], 1);
  EXPECT_EQ(features["own_hand_P"], 1);
  EXPECT_EQ(features["repetition_rule"], 0);
  EXPECT_EQ(features["queen_first_turn"], 1);
}

TEST(Encoder, OccurrencesCountEarlierOnes) {
  // Both queens go round and back: the position after ply 4 returns four plies later.
  std::string moves = "wS1;bS1 wS1-;wQ -wS1;bQ bS1-";
  EXPECT_EQ(PositionFeatures(Encode(PositionOf("Base", moves)))["occurrences"], 0);
  moves += ";wQ \\wS1;bQ bS1/;wQ -wS1;bQ bS1-";
  // The mark of the queen moved last changes what may be done next: not yet the same position.
  const int after_one = PositionFeatures(Encode(PositionOf("Base", moves)))["occurrences"];
  moves += ";wQ \\wS1;bQ bS1/;wQ -wS1;bQ bS1-";
  const Game game = PositionOf("Base", moves);
  EXPECT_EQ(PositionFeatures(Encode(game))["occurrences"], std::min(game.occurrences() - 1, 2));
  EXPECT_GT(PositionFeatures(Encode(game))["occurrences"], after_one);
}

TEST(Encoder, PassNamesTheFirstRow) {
  Block block;
  MoveList pass;
  pass.push_back(Move::Pass());
  Append(Game(), pass, {}, block);
  Append(PositionOf("Base", "wS1"), pass, {}, block);
  EXPECT_EQ(block.moves[0].source, kPassSource);
  EXPECT_EQ(block.moves[0].destination, 0);
  EXPECT_EQ(block.moves[1].source, kPassSource);
  EXPECT_EQ(block.moves[1].destination, 1);
}

TEST(Encoder, JoinedBlocksAreTheBlockOfAllPositions) {
  const std::vector<Game> games = RandomPositions(24, 3);
  Block whole, joined, part;
  MoveList moves;
  for (std::size_t i = 0; i < games.size(); ++i) {
    games[i].LegalMoves(moves);
    Append(games[i], moves, {}, whole);
    Append(games[i], moves, {}, part);
    if (i % 5 != 3 && i + 1 != games.size()) continue;
    AppendBlock(part, joined);
    part.Clear();
  }
  AppendBlock(part, joined);  // empty
  EXPECT_EQ(joined.row_features, whole.row_features);
  EXPECT_EQ(joined.neighbors, whole.neighbors);
  EXPECT_EQ(joined.position_features, whole.position_features);
  EXPECT_EQ(joined.queen_rows, whole.queen_rows);
  EXPECT_EQ(joined.row_begin, whole.row_begin);
  EXPECT_EQ(joined.move_begin, whole.move_begin);
  ASSERT_EQ(joined.moves.size(), whole.moves.size());
  for (std::size_t m = 0; m < whole.moves.size(); ++m) {
    EXPECT_EQ(joined.moves[m].source, whole.moves[m].source);
    EXPECT_EQ(joined.moves[m].destination, whole.moves[m].destination);
  }
}

}  // namespace
}  // namespace apiary::env
