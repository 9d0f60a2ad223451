// CanonicalizeEncoding: one key, one encoding.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "env/canonical_key.h"
#include "env/encoder.h"
#include "env/notation.h"
#include "tests/env/random_positions.h"

namespace apiary::env {
namespace {

// An encoding through the position's canonical symmetry, with moves by rank.
struct CanonicalEncoding {
  Block block;
  std::vector<std::pair<int, int>> moves;
  friend bool operator==(const CanonicalEncoding& a, const CanonicalEncoding& b) {
    return a.block.row_features == b.block.row_features && a.block.neighbors == b.block.neighbors &&
           a.block.position_features == b.block.position_features &&
           a.block.queen_rows == b.block.queen_rows && a.moves == b.moves;
  }
};

CanonicalEncoding EncodeCanonically(const Game& game) {
  MoveList moves;
  game.LegalMoves(moves);
  CanonicalEncoding encoding;
  Append(game, moves, CanonicalizeEncoding(game).symmetry, encoding.block);
  std::vector<std::uint16_t> ranks(encoding.block.moves.size());
  RankMoves(encoding.block.moves, 0, ranks);
  encoding.moves.resize(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i)
    encoding.moves.at(ranks[i]) = {encoding.block.moves[i].source,
                                   encoding.block.moves[i].destination};
  return encoding;
}

TEST(EncodingKey, OneKeyOneEncodingInAllOrientations) {
  for (const Game& game : RandomPositions(120, 21)) {
    const CanonicalEncoding encoding = EncodeCanonically(game);
    for (int i = 1; i < kNumSymmetries; ++i) {
      const Game seen = Transform(game, Symmetry::FromIndex(i));
      ASSERT_EQ(CanonicalizeEncoding(seen).key, CanonicalizeEncoding(game).key);
      ASSERT_TRUE(EncodeCanonically(seen) == encoding) << ToGameString(seen);
    }
  }
}

// Openings transpose: many positions after the same number of plies are one.
TEST(EncodingKey, OneKeyOneEncodingOverTranspositions) {
  std::map<PositionKey, CanonicalEncoding> seen;
  int transpositions = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Rules rules;
    rules.variant = Variant::FromIndex(seed % 2 == 0 ? 0 : 7);
    const Game game = RandomGame(rules, 2 + static_cast<int>(seed % 4), seed);
    const auto [entry, fresh] =
        seen.emplace(CanonicalizeEncoding(game).key, EncodeCanonically(game));
    transpositions += !fresh;
    ASSERT_TRUE(fresh || entry->second == EncodeCanonically(game)) << ToGameString(game);
  }
  EXPECT_GT(transpositions, 50);
}

TEST(EncodingKey, TellsWhatOnlyTheNetIsTold) {
  const std::string row = "wS1;bS1 wS1-;wQ -wS1;bQ bS1-";
  const std::string cycle = ";wQ \\wS1;bQ bS1\\;wQ -wS1;bQ bS1-";
  const auto key = [](const Game& game) { return CanonicalizeEncoding(game).key; };
  const Game once = PositionOf("Base", row + cycle),
             twice = PositionOf("Base", row + cycle + cycle);
  ASSERT_EQ(Canonicalize(once.board()).key, Canonicalize(twice.board()).key);
  ASSERT_TRUE(twice.outcome().over());
  EXPECT_NE(key(once), key(twice));                    // occurrences, the end
  EXPECT_NE(key(PositionOf("Base", row)), key(once));  // own_turns, the mark
  // The same pieces in the same places, but another one moved last.
  const std::string wait = ";wA1 -wQ;bA1 bS1\\;wA1 /wQ;{};wA1 -wQ;{}";
  const Game queen_moved =
      PositionOf("Base", row + fmt::format(fmt::runtime(wait), "bQ bS1/", "bQ bS1-"));
  const Game ant_moved =
      PositionOf("Base", row + fmt::format(fmt::runtime(wait), "bA1 bQ-", "bA1 bS1\\"));
  EXPECT_EQ(Canonicalize(queen_moved.board()).key, Canonicalize(ant_moved.board()).key);
  EXPECT_NE(key(queen_moved), key(ant_moved));
  EXPECT_NE(Canonicalize(ant_moved.board()).key, key(ant_moved));  // two kinds of keys
  Rules rules;
  const PositionKey with_repetition = key(Game(rules));
  rules.repetition = 0;
  EXPECT_NE(key(Game(rules)), with_repetition);
  rules.queen_first_turn = true;
  const PositionKey open = key(Game(rules));
  rules.first_player = Color::kBlack;
  EXPECT_NE(key(Game(rules)), open);
}

}  // namespace
}  // namespace apiary::env
