// CanonicalizeEncoding: one key, one encoding.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "env/canonical_key.h"
#include "env/encoder.h"
#include "env/notation.h"
#include "env/unwrapped_hive.h"
#include "tests/env/random_positions.h"

namespace apiary::env {
namespace {

// An encoding through the position's canonical symmetry, with rows in the order of where they lie
// in the canonical orientation and moves in the order of those rows.
struct CanonicalEncoding {
  std::vector<int> position;
  std::vector<std::vector<int>> rows;  // features, then neighbours as places in this list
  std::vector<std::pair<int, int>> moves;
  friend bool operator==(const CanonicalEncoding&, const CanonicalEncoding&) = default;
};

CanonicalEncoding EncodeCanonically(const Game& game) {
  const Symmetry symmetry = CanonicalizeEncoding(game).symmetry;
  MoveList moves;
  game.LegalMoves(moves);
  Block block;
  Append(game, moves, symmetry, block);
  const UnwrappedHive hive(game.board());
  std::vector<std::pair<std::pair<int, int>, int>> places;
  for (int row = 0; row < hive.size(); ++row) {
    const Axial at = symmetry.Map(hive[row].at);
    places.push_back({{at.r, at.q}, row});
  }
  std::sort(places.begin(), places.end());
  std::vector<int> rank(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    rank[static_cast<std::size_t>(places[i].second)] = static_cast<int>(i);
  const auto ranked = [&](std::int32_t row) {
    return row < 0 ? row : rank[static_cast<std::size_t>(row)];
  };
  CanonicalEncoding encoding;
  encoding.position.assign(block.position_features.begin(), block.position_features.end());
  for (const std::int32_t row : block.queen_rows[0]) encoding.position.push_back(ranked(row));
  for (const auto& [place, row] : places) {
    const auto features = block.row_features.begin() + row * kNumRowFeatures;
    encoding.rows.emplace_back(features, features + kNumRowFeatures);
    for (const std::int32_t next : block.neighbors[static_cast<std::size_t>(row)])
      encoding.rows.back().push_back(ranked(next));
  }
  for (const EncodedMove move : block.moves)
    encoding.moves.emplace_back(ranked(move.source),
                                move.source == kPassSource ? 0 : ranked(move.destination));
  std::sort(encoding.moves.begin(), encoding.moves.end());
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
