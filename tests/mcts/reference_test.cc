// A second opinion: the search written again from the paper, slowly, one leaf at a time, in double
// precision, with a tree of maps and without proofs; and golden trees, fixed as text.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>

#include "env/notation.h"
#include "env/symmetry.h"
#include "mcts/search.h"
#include "tests/mcts/positions.h"

namespace apiary::mcts {
namespace {

// Danihelka et al. 2022 with mctx's schedule; noise off.
class ReferenceSearch {
 public:
  struct Node {
    std::vector<env::Move> moves;
    std::vector<double> prior;
    double raw_value = 0;
    std::map<std::size_t, std::unique_ptr<Node>> children;
    std::map<std::size_t, int> visits;
    std::map<std::size_t, double> value_sum;  // for this node's side to move
  };

  ReferenceSearch(const env::Game& game, const SearchOptions& options)
      : game_(game), options_(options) {
    root_ = Expand();
  }

  void Run() {
    std::vector<std::size_t> set(root_->moves.size());
    std::iota(set.begin(), set.end(), 0U);
    const int considered = std::min<int>(options_.considered, static_cast<int>(set.size()));
    const int phases = static_cast<int>(std::ceil(std::log2(considered)));
    int made = 0;
    for (int count = considered; made < options_.simulations; count = std::max(2, count / 2)) {
      SortByScore(set);
      set.resize(std::min(set.size(), static_cast<std::size_t>(count)));
      const int rounds = std::max(1, options_.simulations / (phases * count));
      for (int round = 0; round < rounds; ++round) {
        SortByScore(set);
        for (const std::size_t move : set)
          if (made < options_.simulations) {
            Simulate(*root_, move);
            ++made;
          }
      }
    }
    best_ = *std::max_element(set.begin(), set.end(), [&](std::size_t a, std::size_t b) {
      const int visits_a = root_->visits[a];
      const int visits_b = root_->visits[b];
      return visits_a != visits_b ? visits_a < visits_b : Score(*root_, a) < Score(*root_, b);
    });
  }

  env::Move best() const { return root_->moves[best_]; }
  Node& root() { return *root_; }

  std::vector<double> Improved(Node& node) const {
    std::vector<double> weights;
    for (std::size_t i = 0; i < node.moves.size(); ++i)
      weights.push_back(std::exp(Score(node, i) - Score(node, 0)));
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight /= sum;
    return weights;
  }

 private:
  static double VisitSum(const Node& node) {
    double sum = 0;
    for (const auto& [move, visits] : node.visits) sum += visits;
    return sum;
  }
  double Score(Node& node, std::size_t move) const {
    double prior_sum = 0;
    double weighted = 0;
    double most = 0;
    for (const auto& [i, visits] : node.visits) {
      prior_sum += node.prior[i];
      weighted += node.prior[i] * node.value_sum[i] / visits;
      most = std::max(most, static_cast<double>(visits));
    }
    double q = node.raw_value;
    if (node.visits.contains(move)) {
      q = node.value_sum[move] / node.visits[move];
    } else if (!node.visits.empty()) {
      q = (node.raw_value + VisitSum(node) * weighted / prior_sum) / (1 + VisitSum(node));
    }
    return std::log(node.prior[move]) +
           (options_.visit_offset + most) * options_.value_scale * (q + 1) / 2;
  }
  void SortByScore(std::vector<std::size_t>& set) {
    std::stable_sort(set.begin(), set.end(), [&](std::size_t a, std::size_t b) {
      return Score(*root_, a) > Score(*root_, b);
    });
  }
  std::unique_ptr<Node> Expand() {
    auto node = std::make_unique<Node>();
    env::MoveList moves;
    game_.LegalMoves(moves);
    env::Block block;
    env::Append(game_, moves, env::Symmetry(), block);
    nn::Evaluation evaluation;
    nn::FakeEvaluator().Evaluate(block, evaluation);
    node->moves.assign(moves.begin(), moves.end());
    double sum = 0;
    for (const float logit : evaluation.logits) sum += std::exp(static_cast<double>(logit));
    for (const float logit : evaluation.logits)
      node->prior.push_back(std::exp(static_cast<double>(logit)) / sum);
    node->raw_value =
        static_cast<double>(evaluation.wdl[0].win) - static_cast<double>(evaluation.wdl[0].loss);
    return node;
  }
  // Returns the new leaf's value for node's side to move.
  double Simulate(Node& node, std::size_t move) {
    game_.Apply(node.moves[move]);
    double value = 0;
    if (!node.children.contains(move)) {
      node.children[move] = Expand();
      value = -node.children[move]->raw_value;
    } else {
      Node& child = *node.children[move];
      const std::vector<double> improved = Improved(child);
      std::size_t best = 0;
      double best_gap = -2;
      for (std::size_t i = 0; i < improved.size(); ++i) {
        const double visits = child.visits.contains(i) ? child.visits[i] : 0;
        const double gap = improved[i] - visits / (1 + VisitSum(child));
        if (gap > best_gap) {
          best_gap = gap;
          best = i;
        }
      }
      value = -Simulate(child, best);
    }
    game_.Undo();
    node.visits[move] += 1;
    node.value_sum[move] += value;
    return value;
  }

  env::Game game_;
  SearchOptions options_;
  std::unique_ptr<Node> root_;
  std::size_t best_ = 0;
};

// Openings without a mirror axis (mirrored moves would tie), quiet enough for searches of a few
// dozen simulations to prove nothing.
constexpr std::array kOpenings = {
    "Base;InProgress;White[3];wS1;bS1 wS1-;wQ /wS1;bQ bS1-",
    "Base;InProgress;White[4];wG1;bG1 wG1-;wQ -wG1;bQ bG1-;wA1 \\wQ;bA1 bQ\\",
    "Base+MLP;InProgress;White[3];wL;bL wL\\;wQ \\wL;bQ bL-",
    "Base+MLP;InProgress;White[4];wP;bM wP-;wQ -wP;bQ bM-;wA1 \\wQ;bA1 bQ\\",
};

TEST(Reference, SameVisitsValuesAndTarget) {
  nn::FakeEvaluator evaluator;
  for (const char* opening : kOpenings) {
    const env::Game game = testing::Replay(opening);
    for (const int simulations : {8, 16, 24, 32}) {
      SearchOptions options;
      options.root_noise = false;
      options.simulations = simulations;
      options.value_scale = simulations == 24 ? 0.1 : 1.0;
      ReferenceSearch reference(game, options);
      reference.Run();
      const SearchResult result = RunSearch(game, options, base::RandomStream(1), evaluator);
      ASSERT_EQ(result.evaluations, simulations + 1);
      const std::vector<double> improved = reference.Improved(reference.root());
      for (std::size_t i = 0; i < result.moves.size(); ++i) {
        const int visits = reference.root().visits.contains(i) ? reference.root().visits[i] : 0;
        ASSERT_EQ(result.moves[i].visits, static_cast<std::uint32_t>(visits))
            << opening << " " << simulations;
        if (visits > 0) {
          ASSERT_NEAR(result.moves[i].q, reference.root().value_sum[i] / visits, 1e-5);
        }
        ASSERT_NEAR(result.moves[i].improved, improved[i], 1e-3);
        ASSERT_NEAR(result.moves[i].prior, reference.root().prior[i], 1e-6);
      }
      EXPECT_EQ(result.best, reference.best());
    }
  }
}

// tests/data/mcts/golden.txt: blocks of a line "GameString | root rule | simulations" and the
// summary that the search gave when it was checked against the reference above. A change here is a
// change of the search, the encoder or the fake evaluator.
std::string Golden() {
  std::string text;
  nn::FakeEvaluator evaluator;
  for (const char* opening : kOpenings) {
    for (const RootRule root : {RootRule::kGumbel, RootRule::kPuct}) {
      const env::Game game = testing::Replay(opening);
      SearchOptions options;
      options.root = root;
      options.interior =
          root == RootRule::kPuct ? InteriorRule::kPuct : InteriorRule::kImprovedPolicy;
      options.simulations = root == RootRule::kPuct ? 60 : 24;
      options.root_noise = false;
      text += fmt::format(
          "{} | {} | {}\n{}\n", opening, root == RootRule::kPuct ? "puct" : "gumbel",
          options.simulations,
          testing::Summary(game, RunSearch(game, options, base::RandomStream(1), evaluator)));
    }
  }
  return text;
}

TEST(Golden, Trees) {
  std::ifstream file(APIARY_TEST_DATA "/mcts/golden.txt");
  std::stringstream expected;
  expected << file.rdbuf();
  const std::string actual = Golden();
  if (actual != expected.str()) std::ofstream(::testing::TempDir() + "golden-now.txt") << actual;
  EXPECT_EQ(actual, expected.str())
      << "what the search gives now: " << ::testing::TempDir() << "golden-now.txt";
}

}  // namespace
}  // namespace apiary::mcts
