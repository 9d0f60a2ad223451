// A cache of evaluations leaves searches as they are.
#include <gtest/gtest.h>

#include "env/notation.h"
#include "mcts/search.h"
#include "nn/cpu_evaluator.h"
#include "nn/fake_evaluator.h"
#include "nn/net_layout.h"
#include "tests/mcts/positions.h"

namespace apiary::mcts {
namespace {

// Wide enough that many waves go on without the evaluator.
SearchOptions Options(int simulations) {
  SearchOptions options;
  options.simulations = simulations;
  return options;
}

SearchResult Searched(const env::Game& game, const SearchOptions& options, nn::Evaluator& evaluator,
                      nn::EvaluationCache* cache) {
  return RunSearch(game, options, base::RandomStream(5), evaluator, cache);
}

void ExpectSame(const SearchResult& a, const SearchResult& b) {
  EXPECT_EQ(a.best, b.best);
  EXPECT_EQ(a.root_wdl, b.root_wdl);
  EXPECT_EQ(a.moves_left, b.moves_left);
  EXPECT_EQ(a.proven, b.proven);
  EXPECT_EQ(a.simulations, b.simulations);
  EXPECT_EQ(a.evaluations + a.remembered, b.evaluations + b.remembered);
  ASSERT_EQ(a.moves.size(), b.moves.size());
  for (std::size_t i = 0; i < a.moves.size(); ++i) {
    EXPECT_EQ(a.moves[i].move, b.moves[i].move);
    EXPECT_EQ(a.moves[i].visits, b.moves[i].visits);
    EXPECT_EQ(a.moves[i].prior, b.moves[i].prior);
    EXPECT_EQ(a.moves[i].q, b.moves[i].q);
    EXPECT_EQ(a.moves[i].improved, b.moves[i].improved);
  }
}

// A game played by searches, so that trees overlap from move to move, and its image under a
// symmetry, which meets the same canonical positions.
std::vector<env::Game> Positions(int variant, nn::Evaluator& evaluator) {
  env::Rules rules;
  rules.variant = env::Variant::FromIndex(variant);
  std::vector<env::Game> positions;
  env::Game game(rules);
  for (int ply = 0; ply < 24 && !game.outcome().over(); ++ply) {
    positions.push_back(game);
    positions.push_back(env::Transform(game, env::Symmetry::FromIndex(ply % env::kNumSymmetries)));
    game.Apply(Searched(game, Options(8), evaluator, nullptr).best);
  }
  return positions;
}

// The fake evaluator's outputs are the same through every symmetry, so here even a search without a
// cache is equal.
TEST(SearchCache, ChangesNothing) {
  nn::FakeEvaluator evaluator;
  for (const int variant : {0, 7}) {
    nn::EvaluationCache cache(4 << 20);
    int remembered = 0;
    for (const env::Game& game : Positions(variant, evaluator)) {
      SCOPED_TRACE(env::ToGameString(game));
      const SearchResult with = Searched(game, Options(100), evaluator, &cache);
      ExpectSame(with, Searched(game, Options(100), evaluator, nullptr));
      if (HasFatalFailure()) return;
      remembered += with.remembered;
    }
    EXPECT_GT(remembered, 1000);
    EXPECT_EQ(cache.hits(), static_cast<std::uint64_t>(remembered));
  }
}

// A real net sees an orientation; and its sums depend on the order of rows, to the last bit. The
// smallest cache holds an entry or two.
TEST(SearchCache, OfAnySizeGivesTheSameWithANet) {
  const nn::NetSpec spec{.channels = 16,
                         .blocks = 2,
                         .variant = "Base",
                         .encoder_version = env::kEncoderVersion,
                         .generation = 1};
  nn::CpuEvaluator evaluator(nn::CpuNet(nn::MakeUntrainedNet(spec, 3), spec));
  nn::EvaluationCache large(16 << 20), small(0);
  int by_large = 0, by_small = 0;
  for (const env::Game& game : Positions(0, evaluator)) {
    SCOPED_TRACE(env::ToGameString(game));
    const SearchResult a = Searched(game, Options(60), evaluator, &large);
    const SearchResult b = Searched(game, Options(60), evaluator, &small);
    ExpectSame(a, b);
    if (HasFatalFailure()) return;
    by_large += a.remembered;
    by_small += b.remembered;
  }
  EXPECT_GT(by_large, 600);
  EXPECT_LT(by_small, by_large / 4);
}

}  // namespace
}  // namespace apiary::mcts
