// Encoding commutes with the symmetries: the encoding through the symmetry is that of the
// transformed game, row by row; only the order of moves is each game's own, and their ranks agree.
#include <gtest/gtest.h>

#include <algorithm>

#include "env/encoder.h"
#include "env/notation.h"
#include "tests/env/random_positions.h"

namespace apiary::env {
namespace {

Block Encode(const Game& game, Symmetry symmetry) {
  MoveList moves;
  game.LegalMoves(moves);
  Block block;
  Append(game, moves, symmetry, block);
  return block;
}

using Pair = std::pair<int, int>;
// By rank, which is checked to be the order of the pairs.
std::vector<Pair> RankedMoves(const Block& block) {
  std::vector<std::uint16_t> ranks(block.moves.size());
  RankMoves(block.moves, 0, ranks);
  std::vector<Pair> ranked(block.moves.size()), sorted;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto [source, destination] = block.moves[i];
    ranked.at(ranks[i]) = {source, destination};
    sorted.emplace_back(source >= 0 ? source : kNumPieces - source, destination);
  }
  std::sort(sorted.begin(), sorted.end());
  for (auto& [source, destination] : sorted)
    if (source >= kNumPieces) source = kNumPieces - source;
  EXPECT_EQ(ranked, sorted);
  return ranked;
}

bool SamePosition(const Block& a, const Block& b) {
  return a.row_features == b.row_features && a.neighbors == b.neighbors &&
         a.position_features == b.position_features && a.queen_rows == b.queen_rows &&
         RankedMoves(a) == RankedMoves(b);
}

TEST(EncoderSymmetry, EncodingCommutes) {
  for (const Game& game : RandomPositions(160, 5)) {
    for (int i = 0; i < kNumSymmetries; ++i) {
      const Symmetry symmetry = Symmetry::FromIndex(i);
      ASSERT_TRUE(SamePosition(Encode(Transform(game, symmetry), {}), Encode(game, symmetry)))
          << ToGameString(game) << " symmetry " << i;
    }
  }
}

TEST(EncoderSymmetry, ComparisonTellsDifferentOrientationsApart) {
  const Game game = RandomGame(Rules{}, 25, 9);
  EXPECT_TRUE(SamePosition(Encode(game, {}), Encode(game, {})));
  for (int i = 1; i < kNumSymmetries; ++i)
    EXPECT_FALSE(SamePosition(Encode(game, {}), Encode(game, Symmetry::FromIndex(i)))) << i;
}

TEST(EncoderSymmetry, LineOf28Commutes) {
  const Game game = LineOf28(Direction::kNW);
  for (int i = 0; i < kNumSymmetries; ++i) {
    const Symmetry symmetry = Symmetry::FromIndex(i);
    EXPECT_TRUE(SamePosition(Encode(Transform(game, symmetry), {}), Encode(game, symmetry)));
  }
}

}  // namespace
}  // namespace apiary::env
