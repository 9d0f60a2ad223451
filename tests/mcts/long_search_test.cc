// Long searches: threads on one tree, the tree kept as the game goes on, its bytes, limits of
// simulations and time, cancelling, failing evaluators.
#include "mcts/long_search.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "mcts/tree.h"
#include "tests/mcts/check_proofs.h"
#include "tests/mcts/positions.h"

namespace apiary::mcts {
namespace {

using testing::Dump;
using Evaluators = std::vector<std::unique_ptr<nn::Evaluator>>;

// Gives its core away in the middle, so that threads meet at awaited leaves.
class YieldingEvaluator : public nn::FakeEvaluator {
 public:
  void Wait(nn::Evaluation&) override { std::this_thread::yield(); }
};

// Fails at the n-th of all evaluations that share `left`.
class FailingEvaluator : public nn::FakeEvaluator {
 public:
  explicit FailingEvaluator(std::atomic<int>& left) : left_(left) {}
  void Wait(nn::Evaluation&) override {
    if (left_.fetch_sub(1) == 1) throw Error("the device is lost");
  }

 private:
  std::atomic<int>& left_;
};

template <typename E, typename... Arguments>
Evaluators Make(int threads, Arguments&... arguments) {
  Evaluators evaluators;
  for (int i = 0; i < threads; ++i) evaluators.push_back(std::make_unique<E>(arguments...));
  return evaluators;
}

LongSearchOptions Small() { return {.tree_bytes = 16 << 20, .cache_bytes = 1 << 20}; }
LongSearchOptions WithoutCache() { return {.tree_bytes = 16 << 20, .cache_bytes = 0}; }

env::Game Opening() {
  return testing::Replay("Base+MLP;InProgress;White[4];wP;bM wP-;wQ -wP;bQ bM-;wA1 \\wQ;bA1 bQ\\");
}

SearchOptions Puct(int simulations) {
  SearchOptions options;
  options.root = RootRule::kPuct;
  options.interior = InteriorRule::kPuct;
  options.simulations = simulations;
  options.root_noise = false;
  return options;
}

env::Game After(env::Game game, std::initializer_list<env::Move> moves) {
  for (const env::Move move : moves) game.Apply(move);
  return game;
}

// What no thread may break: nothing is on its way, and a node that is not proven has as many visits
// as its moves together and the one that made it.
void CheckCounts(const Tree& tree, NodeId id, std::uint32_t visits) {
  std::uint32_t sum = 1;
  for (const Edge& edge : tree.edges(id)) {
    ASSERT_EQ(edge.pending, 0);
    sum += edge.visits;
    if (!edge.child.valid()) continue;
    ASSERT_FALSE(tree.node(edge.child).awaited());
    if (edge.proven == Proven::kUnknown && tree.node(edge.child).edge_count > 0)
      CheckCounts(tree, edge.child, edge.visits);
  }
  ASSERT_EQ(sum, visits);
}

TEST(LongSearch, OneThreadGrowsTheTreeOfAPlainSearch) {
  nn::FakeEvaluator evaluator;
  Search plain;
  plain.Start(Opening(), Puct(2000), base::RandomStream(0));
  const SearchResult expected = testing::Finish(plain, evaluator, 1);
  for (const LongSearchOptions& options : {Small(), WithoutCache()}) {
    LongSearch search(Make<nn::FakeEvaluator>(1), options);
    const SearchResult& result = search.Run(Opening(), {.simulations = 2000});
    EXPECT_EQ(Dump(search.tree()), Dump(plain.tree()));
    EXPECT_EQ(result.best, expected.best);
    EXPECT_EQ(result.root_wdl, expected.root_wdl);
    EXPECT_EQ(result.moves_left, expected.moves_left);
  }
}

TEST(LongSearch, ThreadsMakeEverySimulationOnce) {
  for (const int threads : {2, 4}) {
    LongSearch search(Make<YieldingEvaluator>(threads), Small());
    for (const char* game_string : {"Base+MLP;InProgress;White[4];wP;bM wP-;wQ -wP;bQ bM-;wA1 "
                                    "\\wQ;bA1 bQ\\",
                                    "Base;NotStarted;White[1]"}) {
      const SearchResult& result = search.Run(testing::Replay(game_string), {.simulations = 5000});
      EXPECT_EQ(result.simulations, 5000);
      CheckCounts(search.tree(), kRoot, 5001);
      std::uint32_t visits = 0;
      for (const RootMove& move : result.moves) visits += move.visits;
      EXPECT_EQ(visits, 5000U);
    }
  }
}

TEST(LongSearch, ThreadsProveNothingFalse) {
  for (const char* kind : {"win3", "loss2", "defence"}) {
    for (env::Game game : testing::StoredPositions(kind)) {
      LongSearch search(Make<YieldingEvaluator>(3), Small());
      const SearchResult& result = search.Run(game, {.simulations = 20'000});
      if (kind == std::string("win3")) {
        EXPECT_EQ(result.proven, Proven::kWin);
      } else if (kind == std::string("loss2")) {
        EXPECT_EQ(result.proven, Proven::kLoss);
      }
      testing::ProofCounts counts;
      testing::CheckProofs(search.tree(), kRoot, game, counts);
      EXPECT_GT(counts.proofs, 0);
    }
  }
}

// The subtree of `id` as text that does not depend on where it lies.
std::string Shape(const Tree& tree, NodeId id) {
  const Node& node = tree.node(id);
  std::string text = fmt::format("({} {} {}", node.raw_value_q15, node.win_sum, node.draw_sum);
  for (const Edge& edge : tree.edges(id)) {
    text += fmt::format(" {}:{}:{}:{}", edge.move.bits(), static_cast<int>(edge.proven),
                        edge.log_prior, edge.visits);
    if (edge.child.valid()) text += Shape(tree, edge.child);
  }
  return text + ")";
}

const Edge* FindEdge(const Tree& tree, NodeId id, env::Move move) {
  for (const Edge& edge : tree.edges(id))
    if (edge.move == move) return &edge;
  return nullptr;
}

env::Move MostVisited(const Tree& tree, NodeId id) {
  return std::max_element(tree.edges(id).begin(), tree.edges(id).end(),
                          [](const Edge& a, const Edge& b) { return a.visits < b.visits; })
      ->move;
}

TEST(LongSearch, KeepsWhatItKnowsAfterBothMoves) {
  LongSearch search(Make<nn::FakeEvaluator>(1), Small());
  const env::Game game = Opening();
  const env::Move best = search.Run(game, {.simulations = 3000}).best;
  const NodeId after_one = FindEdge(search.tree(), kRoot, best)->child;
  const env::Move reply = MostVisited(search.tree(), after_one);
  const Edge& edge = *FindEdge(search.tree(), after_one, reply);
  const int visits = static_cast<int>(edge.visits);
  ASSERT_GT(visits, 10);
  const std::string shape = Shape(search.tree(), edge.child);

  const env::Game later = After(game, {best, reply});
  // Nothing is left to do: the answer is that of the tree.
  const SearchResult kept = search.Run(later, {.simulations = visits - 1});
  EXPECT_EQ(Shape(search.tree(), kRoot), shape);
  EXPECT_EQ(kept.simulations, visits - 1);
  EXPECT_EQ(kept.evaluations + kept.remembered, 1);
  EXPECT_EQ(kept.moves.size(), search.tree().edges(kRoot).size());
  nn::FakeEvaluator evaluator;
  EXPECT_EQ(kept.moves_left,
            RunSearch(later, Puct(0), base::RandomStream(0), evaluator).moves_left);

  EXPECT_EQ(search.Run(later, {.simulations = 4000}).simulations, 4000);
  CheckCounts(search.tree(), kRoot, 4001);
  // The same position again goes on, another game does not.
  EXPECT_EQ(search.Run(later, {.simulations = 4100}).evaluations +
                search.Run(later, {.simulations = 4100}).remembered,
            101 + 1);
  const SearchResult& anew = search.Run(game, {.simulations = 50});
  EXPECT_EQ(anew.simulations, 50);
  EXPECT_EQ(anew.evaluations + anew.remembered, 51);
}

// A kept tree is searched like one that was never cut: the game goes on along its best moves.
TEST(LongSearch, KeepsItsCountsThroughAGame) {
  LongSearch search(Make<YieldingEvaluator>(2), Small());
  env::Game game = Opening();
  int kept = 0;
  while (game.ply() < 30 && !game.outcome().over()) {
    const SearchResult& result = search.Run(game, {.simulations = 600});
    kept += result.evaluations + result.remembered < 601;
    if (result.proven == Proven::kUnknown) CheckCounts(search.tree(), kRoot, 601);
    env::MoveList legal;
    game.LegalMoves(legal);
    ASSERT_TRUE(legal.Contains(result.best));
    game.Apply(result.best);
  }
  EXPECT_GT(kept, 10);
}

TEST(LongSearch, AProvenMoveIsKeptAsProven) {
  for (const env::Game& game : testing::StoredPositions("win3")) {
    LongSearch search(Make<nn::FakeEvaluator>(1), Small());
    const SearchResult first = search.Run(game, {.simulations = 20'000});
    ASSERT_EQ(first.proven, Proven::kWin);
    const SearchResult& second = search.Run(After(game, {first.best}), {.simulations = 20'000});
    EXPECT_EQ(second.proven, Proven::kLoss);
  }
}

TEST(LongSearch, GoesOnInAFullTree) {
  const LongSearchOptions options{.tree_bytes = 1 << 20, .cache_bytes = 0};
  LongSearch search(Make<nn::FakeEvaluator>(1), options);
  const SearchResult& result = search.Run(Opening(), {.simulations = 100'000});
  EXPECT_EQ(result.simulations, 100'000);
  EXPECT_LE(search.tree().bytes(), options.tree_bytes);
  EXPECT_GT(search.tree().used_bytes(), options.tree_bytes / 2);
  float visited = 0;
  for (const RootMove& move : result.moves) visited += static_cast<float>(move.visits);
  EXPECT_EQ(visited, 100'000);
}

TEST(LongSearch, ThinksToTheEndOfItsTime) {
  for (const int threads : {1, 2}) {
    LongSearch search(Make<nn::FakeEvaluator>(threads), Small());
    const auto start = std::chrono::steady_clock::now();
    const SearchResult& result = search.Run(Opening(), {.seconds = 0.2});
    EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(200));
    EXPECT_GT(result.simulations, 100);
    EXPECT_EQ(result.proven, Proven::kUnknown);
  }
}

TEST(LongSearch, AlwaysKnowsAMove) {
  LongSearch search(Make<nn::FakeEvaluator>(2), Small());
  for (const SearchLimits& limits :
       {SearchLimits{.simulations = 0}, SearchLimits{.seconds = 0}, SearchLimits{.seconds = -1}}) {
    const env::Game game = Opening();
    env::MoveList legal;
    game.LegalMoves(legal);
    EXPECT_TRUE(legal.Contains(search.Run(game, limits).best));
    search.Clear();
  }
}

TEST(LongSearch, EndsWhenCancelled) {
  for (const int threads : {1, 3}) {
    LongSearch search(Make<YieldingEvaluator>(threads), Small());
    int asked = 0;
    const SearchResult& result = search.Run(Opening(), {}, [&asked] { return ++asked == 3; });
    EXPECT_EQ(asked, 3);
    CheckCounts(search.tree(), kRoot, static_cast<std::uint32_t>(result.simulations) + 1);
  }
}

TEST(LongSearch, AFailingEvaluatorIsAnErrorAndNotTheEnd) {
  for (const int threads : {1, 3}) {
    for (const int failing : {1, 200}) {
      std::atomic<int> left{failing};
      LongSearch search(Make<FailingEvaluator>(threads, left), WithoutCache());
      EXPECT_THROW(search.Run(Opening(), {.simulations = 1000}), Error);
      const SearchResult& result = search.Run(Opening(), {.simulations = 1000});
      EXPECT_EQ(result.simulations, 1000);
      CheckCounts(search.tree(), kRoot, 1001);
    }
  }
}

}  // namespace
}  // namespace apiary::mcts
