// A search that has seen a few games allocates nothing.
#include <gtest/gtest.h>

#include "base/allocation_count.h"
#include "mcts/search.h"
#include "nn/fake_evaluator.h"

namespace apiary::mcts {
namespace {

// What the searches of one game allocate, the evaluator's and the game's own memory apart.
std::int64_t AllocationsOfAGame(const SearchOptions& options, std::uint64_t seed, Search& search,
                                env::Block& block, nn::Evaluation& evaluation) {
  nn::FakeEvaluator evaluator;
  env::Rules rules;
  rules.max_plies = 100;
  env::Game game(rules);
  std::int64_t allocations = 0;
  while (!game.outcome().over()) {
    const auto stream = base::RandomStream(seed, {static_cast<std::uint64_t>(game.ply())});
    const auto counted = [&](const auto& part) {
      const std::int64_t before = base::AllocationsOfThread().count;
      part();
      allocations += base::AllocationsOfThread().count - before;
    };
    counted([&] { search.Start(game, options, stream); });
    while (!search.done()) {
      block.Clear();
      counted([&] { search.SelectWave(block); });
      evaluator.Evaluate(block, evaluation);
      counted([&] { search.BackupWave(evaluation, 0); });
    }
    game.Apply(search.result().best);
  }
  return allocations;
}

TEST(SearchAllocation, NoneOnceItHasSeenGames) {
  for (const RootRule root : {RootRule::kGumbel, RootRule::kPuct}) {
    SearchOptions options;
    options.root = root;
    options.simulations = 16;
    Search search;
    env::Block block;
    block.Reserve(64);
    nn::Evaluation evaluation;
    std::int64_t warm_up = 0, later = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed)
      warm_up += AllocationsOfAGame(options, seed, search, block, evaluation);
    for (std::uint64_t seed = 10; seed < 15; ++seed)
      later += AllocationsOfAGame(options, seed, search, block, evaluation);
    EXPECT_GT(warm_up, 0);
    EXPECT_EQ(later, 0);
  }
}

}  // namespace
}  // namespace apiary::mcts
