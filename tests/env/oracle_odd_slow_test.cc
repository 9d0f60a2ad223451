// The environment against the slow oracle on 100,000 positions with tall stacks, thin chains and
// busy pillbugs and mosquitoes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <iostream>

#include "env/notation.h"
#include "env/unwrapped_hive.h"
#include "tests/env/odd_play.h"
#include "tests/env/oracle_match.h"

namespace apiary::env {
namespace {

constexpr int kShards = 8;  // so that they run in parallel
constexpr int kPositionsPerShard = 12'500;
constexpr int kPlies = 150;
constexpr std::array<int, kShards> kVariants = {7, 7, 7, 7, 5, 5, 6, 4};

struct OddCounts {
  int positions = 0;
  int tall = 0;      // a stack of four or more
  int giant = 0;     // of six or more
  int thin = 0;      // of at least twelve cells two thirds are pinned
  int extended = 0;  // 14 cells or more from end to end
  int throws = 0;    // a piece of the enemy may be moved
  int mosquito = 0;  // a mosquito touches a pillbug
};

int Extent(const UnwrappedHive& hive) {
  int extent = 0;
  for (int i = 0; i < hive.occupied(); ++i) {
    for (int j = 0; j < i; ++j) {
      const int q = hive[i].at.q - hive[j].at.q, r = hive[i].at.r - hive[j].at.r;
      extent = std::max({extent, std::abs(q), std::abs(r), std::abs(q + r)});
    }
  }
  return extent + 1;
}

bool MosquitoTouchesPillbug(const Board& board) {
  for (const Color color : {Color::kWhite, Color::kBlack}) {
    const PieceId mosquito = PieceId::Of(color, PieceType::kMosquito, 1);
    if (board.in_hand(mosquito) || board.height(board.cell(mosquito)) != 1) continue;
    for (int d = 0; d < kNumDirections; ++d) {
      const PieceId top = board.top(Neighbor(board.cell(mosquito), d));
      if (top.valid() && top.type() == PieceType::kPillbug) return true;
    }
  }
  return false;
}

void Count(const Game& game, OddCounts& counts) {
  const Board& board = game.board();
  const UnwrappedHive hive(board);
  int highest = 0;
  for (int i = 0; i < hive.occupied(); ++i) highest = std::max(highest, board.height(hive[i].cell));
  MoveList moves;
  game.LegalMoves(moves);
  const bool throws = std::any_of(moves.begin(), moves.end(), [&](Move move) {
    return !move.is_pass() && move.piece().color() != board.side_to_move();
  });
  ++counts.positions;
  counts.tall += highest >= 4;
  counts.giant += highest >= 6;
  counts.thin +=
      hive.occupied() >= 12 && 3 * std::popcount(PinnedPieces(board)) >= 2 * hive.occupied();
  counts.extended += Extent(hive) >= 14;
  counts.throws += throws;
  counts.mosquito += MosquitoTouchesPillbug(board);
}

class OracleOdd : public ::testing::TestWithParam<int> {};

TEST_P(OracleOdd, SameMovesInPositionsThatGamesSeldomReach) {
  const int shard = GetParam();
  OddCounts counts;
  Rules rules;
  rules.variant = Variant::FromIndex(kVariants[static_cast<std::size_t>(shard)]);
  rules.repetition = 0;
  for (std::uint64_t seed = 0; counts.positions < kPositionsPerShard; ++seed) {
    SCOPED_TRACE(ToString(rules.variant) + " seed " + std::to_string(seed));
    testing::OddPlay play(seed * kShards + static_cast<std::uint64_t>(shard));
    Game game(rules);
    oracle::Oracle oracle(testing::OracleOptions(rules));
    while (game.ply() < kPlies && !game.outcome().over() && counts.positions < kPositionsPerShard) {
      const Move move = play.Choose(game);
      oracle.Play(testing::ToOracle(game.board(), move, oracle));
      game.Apply(move);
      if (game.ply() < 8) continue;  // too few pieces to be odd
      ASSERT_NO_FATAL_FAILURE(testing::ExpectSamePosition(game, oracle));
      Count(game, counts);
    }
  }
  std::cout << counts.positions << " positions: " << counts.tall << " with a stack of 4, "
            << counts.giant << " of 6, " << counts.thin << " thin, " << counts.extended << " long, "
            << counts.throws << " with throws, " << counts.mosquito
            << " with a mosquito at a pillbug\n";
  EXPECT_EQ(counts.positions, kPositionsPerShard);
  EXPECT_GT(counts.tall, kPositionsPerShard / 20);
  EXPECT_GT(counts.giant, rules.variant.mosquito ? 0 : -1);  // beetles alone do not get there
  EXPECT_GT(counts.thin, kPositionsPerShard / 20);
  EXPECT_GT(counts.extended, kPositionsPerShard / 50);
  EXPECT_GT(counts.throws, kPositionsPerShard / 20);
}

INSTANTIATE_TEST_SUITE_P(Shards, OracleOdd, ::testing::Range(0, kShards));

}  // namespace
}  // namespace apiary::env
