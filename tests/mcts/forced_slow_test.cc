// Forced wins and losses within three plies, found by full-width search: a search with a uniform
// evaluator proves each of them, plays it, and proves nothing else.
#include <gtest/gtest.h>

#include <algorithm>

#include "env/notation.h"
#include "mcts/search.h"
#include "tests/env/rules_data.h"
#include "tests/mcts/check_proofs.h"
#include "tests/mcts/positions.h"

namespace apiary::mcts {
namespace {

using testing::Solve;
using testing::SolveQuickly;

constexpr int kDepth = 3;

// Where something forced is likely, so that few positions are searched in vain.
bool MayWin(const env::Game& game) {
  return game.board().QueenNeighbors(env::Opponent(game.side_to_move())) >= 4;
}
bool MayLose(const env::Game& game) {
  return game.board().QueenNeighbors(game.side_to_move()) >= 5;
}

struct Tally {
  int seen = 0;
  int wins = 0;
  int losses = 0;
  int others = 0;
  testing::ProofCounts proofs;
};

void Check(env::Game game, Tally& tally) {
  SCOPED_TRACE(env::ToGameString(game));
  const Proven truth = SolveQuickly(game, kDepth);
  if (++tally.seen % 50 == 0) {
    ASSERT_EQ(truth, Solve(game, kDepth));
  }
  const bool forced = truth == Proven::kWin || truth == Proven::kLoss;
  // Of the others a few, for what is proven there.
  if (!forced && ++tally.others % 20 != 0) return;
  nn::FakeEvaluator uniform(nn::FakeEvaluator::Mode::kUniform);
  SearchOptions options;
  options.simulations = forced ? 200'000 : 2'000;
  options.considered = env::kMaxMoves;
  options.interior = InteriorRule::kPuct;
  Search search;
  search.Start(game, options, base::RandomStream(1));
  const SearchResult result = testing::Finish(search, uniform, env::kMaxMoves);
  testing::CheckProofs(search.tree(), kRoot, game, tally.proofs);
  if (!forced) return;
  ASSERT_EQ(result.proven, truth);
  EXPECT_EQ(result.root_wdl, truth == Proven::kWin ? (nn::Wdl{1, 0, 0}) : (nn::Wdl{0, 0, 1}));
  (truth == Proven::kWin ? tally.wins : tally.losses) += 1;
  if (truth == Proven::kLoss) return;
  // Perhaps by a longer way than the shortest; every proof of the tree was checked.
  const auto played = std::ranges::find(result.moves, result.best, &RootMove::move);
  ASSERT_EQ(played->proven, Proven::kWin);
}

void ExpectBothKinds(const Tally& tally, int forced) {
  EXPECT_GE(tally.wins + tally.losses, forced);
  EXPECT_GE(tally.losses, forced / 20);
  EXPECT_GT(tally.proofs.proofs, 10 * forced);
}

class ForcedByVariant : public ::testing::TestWithParam<int> {};

TEST_P(ForcedByVariant, InRandomGames) {
  constexpr int kForced = 500;
  env::Rules rules;
  rules.variant = env::Variant::FromIndex(GetParam());
  Tally tally;
  for (std::uint64_t seed = 100; tally.wins + tally.losses < kForced; ++seed) {
    ASSERT_LT(seed, 2000U);
    for (const env::Game& game :
         testing::RandomPositions(rules, 20, seed, 12, seed % 2 == 0 ? MayWin : MayLose)) {
      Check(game, tally);
      if (HasFatalFailure()) return;
    }
  }
  ExpectBothKinds(tally, kForced);
}

INSTANTIATE_TEST_SUITE_P(Variants, ForcedByVariant, ::testing::Values(0, 1, 4, 7));

TEST(Forced, InHumanGames) {
  Tally tally;
  for (const env::testing::Row& row : env::testing::ReadTable("human-games.tsv")) {
    const env::Game whole = env::testing::Replay(row[1]);
    env::Game game(whole.rules());
    for (const env::Move move : whole.moves()) {
      if (MayWin(game) || MayLose(game)) Check(game, tally);
      if (HasFatalFailure()) return;
      game.Apply(move);
    }
  }
  ExpectBothKinds(tally, 80);
}

}  // namespace
}  // namespace apiary::mcts
