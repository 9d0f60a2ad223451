// Encoding commutes with the symmetries: the encoding of the transformed game is the encoding
// through the symmetry, up to the order of rows. The rows' graph is connected and its edges are
// named by slots, so the image of one row determines the whole permutation: all candidates are
// tried.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

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

bool SameFeatures(const Block& a, int row_a, const Block& b, int row_b) {
  return std::equal(a.row_features.begin() + row_a * kNumRowFeatures,
                    a.row_features.begin() + (row_a + 1) * kNumRowFeatures,
                    b.row_features.begin() + row_b * kNumRowFeatures);
}

// The permutation that takes row 0 of a to `image` and respects slots and features, if there is
// one.
std::optional<std::vector<int>> Permutation(const Block& a, const Block& b, int image) {
  std::vector<int> to(static_cast<std::size_t>(a.rows()), -1), queue{0};
  to[0] = image;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const int row = queue[i], there = to[static_cast<std::size_t>(row)];
    if (!SameFeatures(a, row, b, there)) return std::nullopt;
    for (std::size_t s = 0; s < 6; ++s) {
      const int next = a.neighbors[static_cast<std::size_t>(row)][s];
      const int next_there = b.neighbors[static_cast<std::size_t>(there)][s];
      if ((next < 0) != (next_there < 0)) return std::nullopt;
      if (next < 0) continue;
      int& known = to[static_cast<std::size_t>(next)];
      if (known < 0) {
        known = next_there;
        queue.push_back(next);
      } else if (known != next_there) {
        return std::nullopt;
      }
    }
  }
  return to;
}

using Pair = std::pair<int, int>;
std::vector<Pair> SortedMoves(const Block& block, const std::vector<int>* to) {
  std::vector<Pair> moves;
  for (const EncodedMove move : block.moves) {
    const auto map = [&](int row) {
      return to == nullptr || row < 0 ? row : (*to)[static_cast<std::size_t>(row)];
    };
    // A pass names the first row, whichever that is.
    moves.emplace_back(map(move.source), move.source == kPassSource ? 0 : map(move.destination));
  }
  std::sort(moves.begin(), moves.end());
  return moves;
}

bool SamePosition(const Block& a, const Block& b) {
  if (a.rows() != b.rows() || a.position_features != b.position_features) return false;
  for (int image = 0; image < b.rows(); ++image) {
    const auto to = Permutation(a, b, image);
    if (!to || SortedMoves(a, &*to) != SortedMoves(b, nullptr)) continue;
    bool same = true;
    for (std::size_t side = 0; side < 2; ++side) {
      const int queen = a.queen_rows[0][side];
      same &= b.queen_rows[0][side] == (queen < 0 ? queen : (*to)[static_cast<std::size_t>(queen)]);
    }
    if (same) return true;
  }
  return false;
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
