// What holds for the encoding of every position.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "base/random.h"
#include "env/encoder.h"
#include "env/notation.h"
#include "tests/env/random_positions.h"

namespace apiary::env {
namespace {

void AppendWithMoves(const Game& game, Block& block) {
  MoveList moves;
  game.LegalMoves(moves);
  Append(game, moves, {}, block);
}

template <std::size_t kCount>
void ExpectRanges(std::span<const std::uint8_t> values,
                  const std::array<FeatureInfo, kCount>& features) {
  ASSERT_EQ(values.size() % kCount, 0U);
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_LT(values[i], features[i % kCount].range) << features[i % kCount].name;
}

TEST(EncoderShapes, ValuesAreInRangeAndGraphIsMutual) {
  for (const Game& game : RandomPositions(400, 1)) {
    Block block;
    AppendWithMoves(game, block);
    ExpectRanges(block.row_features, kRowFeatures);
    ExpectRanges(block.position_features, kPositionFeatures);
    int occupied = 0;
    for (int r = 0; r < block.rows(); ++r) {
      const auto& slots = block.neighbors[static_cast<std::size_t>(r)];
      const bool has_piece = block.row_features[static_cast<std::size_t>(r * kNumRowFeatures)] > 0;
      if (has_piece) {
        EXPECT_EQ(occupied++, r) << "occupied rows come first";
      }
      for (std::size_t s = 0; s < 6; ++s) {
        ASSERT_TRUE(!has_piece || slots[s] >= 0);
        if (slots[s] < 0) continue;
        ASSERT_EQ(block.neighbors[static_cast<std::size_t>(slots[s])][(s + 3) % 6], r);
      }
    }
    for (const EncodedMove move : block.moves) {
      ASSERT_LT(move.source, block.rows());
      ASSERT_GE(move.source, kPassSource);
      ASSERT_GE(move.destination, 0);
      ASSERT_LT(move.destination, block.rows());
    }
  }
}

TEST(EncoderShapes, BlockIsItsPositionsShifted) {
  const std::vector<Game> games = RandomPositions(60, 2);
  Block all;
  for (const Game& game : games) AppendWithMoves(game, all);
  ASSERT_EQ(all.positions(), 60);
  for (std::size_t p = 0; p < games.size(); ++p) {
    Block one;
    AppendWithMoves(games[p], one);
    const std::int32_t row = all.row_begin[p], move = all.move_begin[p];
    ASSERT_EQ(all.row_begin[p + 1] - row, one.rows());
    ASSERT_EQ(all.move_begin[p + 1] - move, one.move_count());
    const auto shifted = [&](std::int32_t r) { return r < 0 ? r : r + row; };
    EXPECT_TRUE(std::equal(one.row_features.begin(), one.row_features.end(),
                           all.row_features.begin() + row * kNumRowFeatures));
    EXPECT_TRUE(std::equal(
        one.position_features.begin(), one.position_features.end(),
        all.position_features.begin() + static_cast<std::ptrdiff_t>(p) * kNumPositionFeatures));
    for (std::size_t side = 0; side < 2; ++side)
      EXPECT_EQ(all.queen_rows[p][side], shifted(one.queen_rows[0][side]));
    for (int r = 0; r < one.rows(); ++r)
      for (std::size_t s = 0; s < 6; ++s)
        ASSERT_EQ(all.neighbors[static_cast<std::size_t>(row + r)][s],
                  shifted(one.neighbors[static_cast<std::size_t>(r)][s]));
    for (int m = 0; m < one.move_count(); ++m) {
      const EncodedMove in_all = all.moves[static_cast<std::size_t>(move + m)];
      const EncodedMove alone = one.moves[static_cast<std::size_t>(m)];
      ASSERT_EQ(in_all.source, shifted(alone.source));
      ASSERT_EQ(in_all.destination, shifted(alone.destination));
    }
  }
}

TEST(EncoderShapes, ClearKeepsTheMemory) {
  Block block;
  block.Reserve(8);
  const auto* features = block.row_features.data();
  const auto* moves = block.moves.data();
  for (int round = 0; round < 3; ++round) {
    block.Clear();
    EXPECT_EQ(block.positions(), 0);
    EXPECT_EQ(block.rows(), 0);
    for (const Game& game : RandomPositions(4, 3)) AppendWithMoves(game, block);
    EXPECT_EQ(block.positions(), 4);
    EXPECT_EQ(block.row_features.data(), features);
    EXPECT_EQ(block.moves.data(), moves);
  }
}

// n connected cells in a line have 2 n + 4 empty neighbours.
TEST(EncoderShapes, TwentyEightInALineOnEachAxis) {
  for (const Direction direction : {Direction::kE, Direction::kNE, Direction::kNW}) {
    const std::size_t forward = static_cast<std::size_t>(direction);
    Block block;
    AppendWithMoves(LineOf28(direction), block);
    ASSERT_EQ(block.rows(), 28 + 60);
    // The end of the line: an occupied row whose neighbour behind it is empty.
    int row = -1;
    for (int r = 0; r < 28; ++r)
      if (block.neighbors[static_cast<std::size_t>(r)][(forward + 3) % 6] >= 28) row = r;
    ASSERT_GE(row, 0);
    int length = 0;
    for (; row >= 0 && row < 28; row = block.neighbors[static_cast<std::size_t>(row)][forward]) {
      // White is to move and lies at the near end, 14 pieces of each side.
      const int code = block.row_features[static_cast<std::size_t>(row * kNumRowFeatures)];
      EXPECT_EQ(code <= kNumPieceTypes, length < 14) << length;
      ++length;
    }
    EXPECT_EQ(length, 28);
  }
}

// The two queens, alone and Black's east of White's, roll one step around each other: two plies
// leave them side by side as before. Returns how far they came, in cell indices.
int RollQueens(Game& game) {
  const PieceId white = PieceId::Of(Color::kWhite, PieceType::kQueen, 1);
  const PieceId black = PieceId::Of(Color::kBlack, PieceType::kQueen, 1);
  const Cell start = game.board().cell(white);
  game.Apply(Move(white, Neighbor(start, Direction::kSE)));
  game.Apply(Move(black, Neighbor(game.board().cell(white), Direction::kE)));
  return game.board().cell(white).index() - start.index();
}

Move Shifted(Move move, int step) {
  if (move.is_pass()) return move;
  return Move(move.piece(), Cell::FromIndex(move.destination().index() + step));
}

// Queens open, one of two copies of the hive walks to another place, then both play on alike.
TEST(EncoderShapes, ShiftedHiveIsEncodedEqually) {
  Rules rules;
  rules.queen_first_turn = true;
  rules.variant = Variant::FromIndex(7);
  for (const int rolls : {1, 7, 29}) {
    Game game(rules), shifted(rules);
    const Move opening[] = {
        Move(PieceId::Of(Color::kWhite, PieceType::kQueen, 1), kOrigin),
        Move(PieceId::Of(Color::kBlack, PieceType::kQueen, 1), Neighbor(kOrigin, Direction::kE))};
    for (const Move move : opening) game.Apply(move), shifted.Apply(move);
    int step = 0;
    for (int i = 0; i < rolls; ++i) step += RollQueens(shifted);
    base::RandomStream random(5);
    MoveList moves, moved;
    for (int ply = 2; ply < 68; ++ply) {
      game.LegalMoves(moves);
      const Move move =
          moves[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves.size())))];
      game.Apply(move);
      shifted.Apply(Shifted(move, step));
      ASSERT_FALSE(game.outcome().over());
      game.LegalMoves(moves);
      MoveList canonical;
      shifted.LegalMoves(canonical);
      ASSERT_EQ(moves.size(), canonical.size());
      moved.clear();
      for (const Move m : moves) {
        moved.push_back(Shifted(m, step));
        ASSERT_TRUE(canonical.Contains(Shifted(m, step)));
      }
      Block a, b;
      Append(game, moves, {}, a);
      Append(shifted, moved, {}, b);
      ASSERT_EQ(a.row_features, b.row_features);
      ASSERT_EQ(a.neighbors, b.neighbors);
      ASSERT_EQ(a.queen_rows, b.queen_rows);
      for (std::size_t f = 0; f < kNumPositionFeatures; ++f) {
        const std::string_view name = kPositionFeatures[f].name;
        if (name == "own_turns" || name == "ply_octave") continue;
        ASSERT_EQ(a.position_features[f], b.position_features[f]) << name;
      }
      for (std::size_t m = 0; m < a.moves.size(); ++m) {
        ASSERT_EQ(a.moves[m].source, b.moves[m].source);
        ASSERT_EQ(a.moves[m].destination, b.moves[m].destination);
      }
    }
  }
}

}  // namespace
}  // namespace apiary::env
