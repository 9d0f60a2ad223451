// The search as a whole: order of evaluation, schedule, targets, limits, noise, special positions.
#include "mcts/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "mcts/tree.h"
#include "tests/mcts/positions.h"

namespace apiary::mcts {
namespace {

using testing::ConstantEvaluator;
using testing::Dump;
using testing::RandomPositions;

std::vector<env::Game> MixedPositions(std::uint64_t seed) {
  std::vector<env::Game> positions;
  for (const int variant : {0, 7}) {
    env::Rules rules;
    rules.variant = env::Variant::FromIndex(variant);
    for (const int ply : {0, 6, 15, 30}) {
      const auto found = RandomPositions(rules, 3, seed + static_cast<std::uint64_t>(ply), ply,
                                         [](const env::Game&) { return true; });
      positions.insert(positions.end(), found.begin(), found.end());
    }
  }
  return positions;
}

double SumOfImproved(const SearchResult& result) {
  double sum = 0;
  for (const RootMove& move : result.moves) sum += static_cast<double>(move.improved);
  return sum;
}

TEST(Search, WaveEqualsOneByOne) {
  nn::FakeEvaluator evaluator;
  Search together;
  Search single;
  int waves_of_many = 0;
  for (const env::Game& game : MixedPositions(1)) {
    for (const int simulations : {16, 50, 200}) {
      SearchOptions options;
      options.simulations = simulations;
      options.interior = simulations == 50 ? InteriorRule::kPuct : InteriorRule::kImprovedPolicy;
      if (simulations == 200) options.max_tree_bytes = 64 << 10;
      const base::RandomStream random(5, {static_cast<std::uint64_t>(simulations)});
      together.Start(game, options, random);
      single.Start(game, options, random);
      env::Block block;
      nn::Evaluation evaluation;
      while (!together.done()) {
        block.Clear();
        const int leaves = together.SelectWave(block);
        waves_of_many += leaves > 1;
        evaluator.Evaluate(block, evaluation);
        together.BackupWave(evaluation, 0);
      }
      testing::Finish(single, evaluator, 1);
      ASSERT_EQ(Dump(together.tree()), Dump(single.tree()));
      EXPECT_EQ(together.result().best, single.result().best);
      EXPECT_EQ(together.result().root_wdl, single.result().root_wdl);
      EXPECT_EQ(together.result().evaluations, single.result().evaluations);
    }
  }
  EXPECT_GT(waves_of_many, 100);
}

TEST(Search, GamesSharingABlockDoNotDisturbEachOther) {
  const std::vector<env::Game> games = MixedPositions(2);
  nn::FakeEvaluator evaluator;
  const SearchOptions options;
  std::vector<Search> searches(games.size());
  for (std::size_t i = 0; i < games.size(); ++i)
    searches[i].Start(games[i], options, base::RandomStream(9, {i}));
  env::Block block;
  nn::Evaluation evaluation;
  std::vector<int> first(games.size());
  bool all_done = false;
  while (!all_done) {
    block.Clear();
    for (std::size_t i = 0; i < games.size(); ++i) {
      first[i] = block.positions();
      if (!searches[i].done()) searches[i].SelectWave(block);
    }
    if (block.positions() > 0) evaluator.Evaluate(block, evaluation);
    all_done = true;
    for (std::size_t i = 0; i < games.size(); ++i) {
      if (!searches[i].done()) searches[i].BackupWave(evaluation, first[i]);
      all_done &= searches[i].done();
    }
  }
  for (std::size_t i = 0; i < games.size(); ++i) {
    Search alone;
    alone.Start(games[i], options, base::RandomStream(9, {i}));
    testing::Finish(alone, evaluator, 1000);
    EXPECT_EQ(Dump(searches[i].tree()), Dump(alone.tree()));
  }
}

TEST(Search, VisitsFollowTheHalvingTable) {
  ConstantEvaluator evaluator({0.5F, -0.3F, 0.1F, 0.2F, -1.0F}, {0.4F, 0.3F, 0.3F});
  const auto sorted_visits = [&](int considered, int simulations) {
    SearchOptions options;
    options.considered = considered;
    options.simulations = simulations;
    std::vector<std::uint32_t> visits;
    // The second turn: many moves, and nobody can win or lose yet.
    const SearchResult result =
        RunSearch(testing::Replay("Base;InProgress;Black[2];wS1;bS1 wS1-;wQ -wS1"), options,
                  base::RandomStream(3), evaluator);
    EXPECT_EQ(result.simulations, simulations);
    EXPECT_EQ(result.evaluations, simulations + 1);
    for (const RootMove& move : result.moves)
      if (move.visits > 0) visits.push_back(move.visits);
    std::sort(visits.rbegin(), visits.rend());
    return visits;
  };
  using Visits = std::vector<std::uint32_t>;
  EXPECT_EQ(sorted_visits(8, 16), (Visits{4, 4, 2, 2, 1, 1, 1, 1}));
  EXPECT_EQ(sorted_visits(4, 8), (Visits{3, 3, 1, 1}));
  EXPECT_EQ(sorted_visits(8, 50), (Visits{15, 15, 6, 6, 2, 2, 2, 2}));
  EXPECT_EQ(sorted_visits(1, 5), (Visits{5}));
}

TEST(Search, ConsideredShrinksToTheLegalMoves) {
  ConstantEvaluator evaluator({0.0F}, {0.4F, 0.3F, 0.3F});
  SearchOptions options;  // White has 4 first moves: 4, 2 x 4, 2 x 4
  options.considered = 16;
  const SearchResult result = RunSearch(env::Game(), options, base::RandomStream(3), evaluator);
  ASSERT_EQ(result.moves.size(), 4U);
  EXPECT_EQ(result.simulations, 16);
  std::multiset<std::uint32_t> visits;
  for (const RootMove& move : result.moves) visits.insert(move.visits);
  EXPECT_EQ(visits, (std::multiset<std::uint32_t>{2, 2, 6, 6}));
}

TEST(Search, ImprovedPolicyIsADistributionOverTheLegalMoves) {
  nn::FakeEvaluator evaluator;
  for (const env::Game& game : MixedPositions(3)) {
    env::MoveList legal;
    game.LegalMoves(legal);
    for (const RootRule root : {RootRule::kGumbel, RootRule::kPuct}) {
      SearchOptions options;
      options.root = root;
      const SearchResult result = RunSearch(game, options, base::RandomStream(7), evaluator);
      ASSERT_EQ(static_cast<int>(result.moves.size()), legal.size());
      for (int i = 0; i < legal.size(); ++i) {
        EXPECT_EQ(result.moves[static_cast<std::size_t>(i)].move, legal[i]);
        EXPECT_GE(result.moves[static_cast<std::size_t>(i)].improved, 0.0F);
      }
      EXPECT_NEAR(SumOfImproved(result), 1.0, 1e-5);
      EXPECT_TRUE(legal.Contains(result.best));
      EXPECT_NEAR(result.root_wdl.win + result.root_wdl.draw + result.root_wdl.loss, 1.0F, 1e-5F);
    }
  }
}

TEST(Search, ValuesChangeSidesAtEachPly) {
  // Every position is good for its side to move, so a move looks as bad as that for its mover.
  ConstantEvaluator evaluator({0.0F}, {0.7F, 0.2F, 0.1F});
  SearchOptions options;
  options.simulations = 4;
  options.considered = 4;
  const SearchResult result = RunSearch(env::Game(), options, base::RandomStream(1), evaluator);
  for (const RootMove& move : result.moves) {
    if (move.visits == 1) {
      EXPECT_NEAR(move.q, -0.6F, 1e-6F);
    }
  }
  EXPECT_NEAR(result.root_wdl.win, (0.7F + 4 * 0.1F) / 5, 1e-6F);
  EXPECT_NEAR(result.root_wdl.draw, 0.2F, 1e-6F);
  EXPECT_EQ(result.moves_left, 10.0F);
}

TEST(Search, TheGumbelTrickSamplesFromThePriors) {
  // Without simulations the move played is argmax(gumbel + logit), whose law is the softmax of the
  // logits.
  ConstantEvaluator evaluator({1.0F, 0.0F, -1.0F, 0.5F}, {0.4F, 0.3F, 0.3F});
  SearchOptions options;
  options.simulations = 0;
  Search search;
  std::map<std::uint16_t, int> counts;
  constexpr int kDraws = 20000;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    search.Start(env::Game(), options, base::RandomStream(11, {i}));
    ++counts[testing::Finish(search, evaluator, 1).best.bits()];
  }
  double chi_square = 0;
  for (const RootMove& move : search.result().moves) {
    const double expected = static_cast<double>(move.prior) * kDraws;
    chi_square += std::pow(counts[move.move.bits()] - expected, 2) / expected;
  }
  EXPECT_LT(chi_square, 16.27);  // 3 degrees of freedom, p = 0.001
  const double sum = std::exp(1.0) + 1 + std::exp(-1.0) + std::exp(0.5);
  EXPECT_NEAR(search.result().moves[0].prior, std::exp(1.0) / sum, 1e-6);
}

TEST(Search, WithoutNoiseTheStreamDoesNotMatter) {
  nn::FakeEvaluator evaluator;
  SearchOptions options;
  options.root_noise = false;
  const env::Game game = MixedPositions(4)[1];
  Search a;
  Search b;
  a.Start(game, options, base::RandomStream(1));
  b.Start(game, options, base::RandomStream(2));
  testing::Finish(a, evaluator, 100);
  testing::Finish(b, evaluator, 100);
  EXPECT_EQ(Dump(a.tree()), Dump(b.tree()));
  EXPECT_EQ(a.result().best, b.result().best);
}

// Its value is a training target, and it may be decided.
TEST(Search, ASingleLegalMoveIsSearchedLikeOthers) {
  nn::FakeEvaluator evaluator;
  for (const env::Game& game : testing::StoredPositions("pass")) {
    const SearchResult result = RunSearch(game, SearchOptions(), base::RandomStream(1), evaluator);
    EXPECT_TRUE(result.best.is_pass());
    EXPECT_TRUE(result.simulations == 16 || result.proven != Proven::kUnknown);
    ASSERT_EQ(result.moves.size(), 1U);
    EXPECT_EQ(static_cast<int>(result.moves[0].visits), result.simulations);
    EXPECT_FLOAT_EQ(result.moves[0].improved, 1.0F);
    EXPECT_FLOAT_EQ(result.moves[0].prior, 1.0F);
  }
}

TEST(Search, TheTreeKeepsItsByteBudget) {
  nn::FakeEvaluator evaluator;
  SearchOptions options;
  options.simulations = 1000;
  for (const RootRule root : {RootRule::kGumbel, RootRule::kPuct}) {
    options.root = root;
    for (const std::uint64_t bytes : {0, 4 << 10, 40 << 10, 400 << 10}) {
      options.max_tree_bytes = bytes;
      Search search;
      search.Start(MixedPositions(5)[4], options, base::RandomStream(1));
      const SearchResult result = testing::Finish(search, evaluator, 100);
      // The least it needs: the root, its edges and a node for each.
      EXPECT_LE(search.tree_bytes(),
                std::max<std::uint64_t>(bytes, 16 + result.moves.size() * 32 + 512 * 16));
      EXPECT_EQ(result.simulations, 1000);
      EXPECT_NEAR(SumOfImproved(result), 1, 1e-5);
    }
  }
}

TEST(Search, ACapIsAnOpinionAndNoDraw) {
  // One ply before the cap: every move ends the game as unfinished, which the net judges.
  const env::Game game = testing::Replay("Base;InProgress;Black[2];wS1;bS1 wS1-;wQ -wS1", 3, 4);
  ConstantEvaluator evaluator({0.0F}, {0.7F, 0.2F, 0.1F});
  Search search;
  search.Start(game, SearchOptions(), base::RandomStream(1));
  const SearchResult result = testing::Finish(search, evaluator, 100);
  EXPECT_EQ(result.proven, Proven::kUnknown);
  EXPECT_EQ(result.simulations, 16);
  EXPECT_EQ(result.evaluations, 9);  // the root and eight moves; further visits find nothing new
  for (const RootMove& move : result.moves) {
    EXPECT_EQ(move.proven, Proven::kUnknown);
    if (move.visits > 0) {
      EXPECT_NEAR(move.q, -0.6F, 1e-6F);
    }
  }
  for (std::uint32_t n = 1; n < search.tree().node_count(); ++n)
    EXPECT_EQ(search.tree().node(NodeId{n}).edge_count, 0);
}

TEST(Search, PuctAtTheRootVisitsOneLeafAWave) {
  nn::FakeEvaluator evaluator;
  SearchOptions options;
  options.root = RootRule::kPuct;
  options.interior = InteriorRule::kPuct;
  options.simulations = 300;
  const SearchResult result =
      RunSearch(MixedPositions(6)[1], options, base::RandomStream(1), evaluator);
  std::uint32_t visits = 0;
  std::uint32_t most = 0;
  for (const RootMove& move : result.moves) {
    visits += move.visits;
    most = std::max(most, move.visits);
  }
  EXPECT_EQ(visits, 300U);
  for (const RootMove& move : result.moves) {
    if (move.move == result.best) {
      EXPECT_EQ(move.visits, most);
    }
  }
}

TEST(Search, FinishEndsItEarly) {
  nn::FakeEvaluator evaluator;
  SearchOptions options;
  options.simulations = 1000;
  Search search;
  search.Start(env::Game(), options, base::RandomStream(1));
  env::Block block;
  nn::Evaluation evaluation;
  for (int wave = 0; wave < 3; ++wave) {
    block.Clear();
    search.SelectWave(block);
    evaluator.Evaluate(block, evaluation);
    search.BackupWave(evaluation, 0);
  }
  search.Finish();
  ASSERT_TRUE(search.done());
  EXPECT_EQ(search.result().simulations, 8);
  EXPECT_NEAR(SumOfImproved(search.result()), 1, 1e-5);
}

TEST(SearchDeathTest, NonFiniteOutputsAbort) {
  const auto run = [](float logit, nn::Wdl wdl) {
    ConstantEvaluator evaluator({logit, 0}, wdl);
    RunSearch(env::Game(), SearchOptions(), base::RandomStream(1), evaluator);
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_DEATH(run(nan, {0.4F, 0.3F, 0.3F}), "finite");
  EXPECT_DEATH(run(-infinity, {0.4F, 0.3F, 0.3F}), "finite");
  EXPECT_DEATH(run(0, {nan, 0.3F, 0.3F}), "win, draw, loss");
  EXPECT_DEATH(run(0, {0.4F, 0.4F, 0.4F}), "win, draw, loss");
}

}  // namespace
}  // namespace apiary::mcts
