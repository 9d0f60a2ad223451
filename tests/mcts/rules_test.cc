// The pure rules of selection, proof and choice, on tables written by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "mcts/edge_table.h"
#include "mcts/interior.h"
#include "mcts/proven.h"
#include "mcts/root_rules.h"

namespace apiary::mcts {
namespace {

constexpr Proven kU = Proven::kUnknown, kW = Proven::kWin, kD = Proven::kDraw, kL = Proven::kLoss;

TEST(Proven, BestOfEdgesIsExact) {
  const auto best = [](std::vector<Proven> moves) {
    return BestOf(std::span<const Proven>(moves));
  };
  EXPECT_EQ(best({kU, kL, kW}), kW);
  EXPECT_EQ(best({kU, kL, kD}), kU);
  EXPECT_EQ(best({kL, kD, kL}), kD);
  EXPECT_EQ(best({kL, kL}), kL);
  EXPECT_EQ(best({kL, kU}), kU);
  EXPECT_EQ(Flip(kW), kL);
  EXPECT_EQ(Flip(kL), kW);
  EXPECT_EQ(Flip(kD), kD);
  EXPECT_EQ(Flip(kU), kU);
  EXPECT_EQ(ExactWdl(kL).value_stm(), -1.0F);
  EXPECT_EQ(ExactWdl(kD), (nn::Wdl{0, 1, 0}));
  EXPECT_EQ(FromResult(env::Result::kBlackWins, env::Color::kBlack), kW);
  EXPECT_EQ(FromResult(env::Result::kBlackWins, env::Color::kWhite), kL);
  EXPECT_EQ(FromResult(env::Result::kUnfinished, env::Color::kWhite), kU);
}

EdgeTable Table(std::vector<float> priors, std::vector<std::uint32_t> visits, std::vector<float> q,
                std::vector<Proven> proven) {
  EdgeTable table;
  for (const float prior : priors) table.log_prior.push_back(std::log(prior));
  table.prior = std::move(priors);
  table.visits = std::move(visits);
  table.completed_q = std::move(q);
  table.proven = std::move(proven);
  for (const std::uint32_t v : table.visits) {
    table.visit_sum += v;
    table.visit_max = std::max(table.visit_max, v);
  }
  return table;
}

TEST(EdgeTable, CompletesQFromTheTree) {
  Tree tree;
  tree.Reset(1 << 20);
  const std::vector<env::Move> moves(4, env::Move::Pass());
  tree.AddNode(moves);
  const NodeId child = tree.AddNode({});
  tree.node(kRoot).set_raw_value_stm(0.2F);
  tree.node(child).win_sum =
      0.5F;  // of the opponent, over two visits: win 0.25, draw 0.5, loss 0.25
  tree.node(child).draw_sum = 1.0F;
  const std::span<Edge> edges = tree.edges(kRoot);
  for (Edge& edge : edges) edge.log_prior = std::log(0.25F);
  edges[1].child = child;
  edges[1].visits = 2;
  edges[2].proven = kW;
  tree.node(child).win_sum = 0.8F;  // win 0.4, draw 0.5, loss 0.1: -0.3 for the mover
  EdgeTable table;
  table.Load(tree, kRoot, 0);
  EXPECT_NEAR(table.completed_q[1], -0.3F, 1e-6F);
  EXPECT_EQ(table.completed_q[2], 1.0F);
  EXPECT_NEAR(table.mixed_value, (0.2F + 2 * -0.3F) / 3, 1e-4F);
  EXPECT_EQ(table.completed_q[0], table.mixed_value);
  EXPECT_EQ(table.completed_q[3], table.mixed_value);
  EXPECT_EQ(table.visit_sum, 2U);
  EXPECT_EQ(table.visit_max, 2U);

  edges[3].proven = kD;
  table.Load(tree, kRoot, -0.5F);  // win 0.1, draw 0.5, loss 0.4
  EXPECT_NEAR(table.completed_q[1], -0.55F, 1e-6F);
  EXPECT_EQ(table.completed_q[2], 1.0F);
  EXPECT_EQ(table.completed_q[3], -0.5F);
}

TEST(Interior, ImprovedPolicyByHand) {
  SearchOptions options;
  options.visit_offset = 1;  // one visit at most: sigma(q) = q + 1
  EdgeTable table = Table({0.5F, 0.25F, 0.25F}, {1, 0, 1}, {0, std::log(2.0F), 0}, {kU, kU, kU});
  std::vector<float> scratch;
  // 0.4 - 1/3, 0.4, 0.2 - 1/3
  EXPECT_EQ(SelectByImprovedPolicy(table, options, scratch), 1U);
  table.proven[1] = kL;
  EXPECT_EQ(SelectByImprovedPolicy(table, options, scratch), 0U);
  table.visits = {4, 0, 1};
  table.visit_sum = 5;
  EXPECT_EQ(SelectByImprovedPolicy(table, options, scratch), 2U);
}

TEST(Interior, PuctByHand) {
  SearchOptions options;
  options.c_puct = 1.5;
  // sqrt(1 + 3) = 2: q + 0.5, q + 0.9, q + 0.3
  EdgeTable table = Table({0.5F, 0.3F, 0.2F}, {2, 0, 1}, {0.3F, -0.2F, 0.45F}, {kU, kU, kU});
  EXPECT_EQ(SelectByPuct(table, options), 0U);
  table.completed_q[1] = 0.0F;
  EXPECT_EQ(SelectByPuct(table, options), 1U);
  table.proven = {kL, kL, kU};
  EXPECT_EQ(SelectByPuct(table, options), 2U);
}

TEST(Interior, PuctWithReducedFirstPlayByHand) {
  SearchOptions options;
  options.c_puct = 0;
  options.first_play = FirstPlay::kReduced;
  options.first_play_reduction = 0.5;
  // Average (0.1 + 3 * 0.3) / 4 = 0.25; a quarter of the prior is visited: 0.25 - 0.5 * 0.5 = 0.
  EdgeTable table = Table({0.25F, 0.5F, 0.25F}, {3, 0, 0}, {0.3F, 0.9F, 0.9F}, {kU, kU, kD});
  table.raw_value = 0.1F;
  table.prior = {0.25F, 0, 0};  // of visited moves only
  table.completed_q[2] = 0;     // proven, and so not unvisited in this sense
  EXPECT_EQ(SelectByPuct(table, options), 0U);
  table.completed_q[0] = -0.1F;  // average -0.05, first play -0.3
  EXPECT_EQ(SelectByPuct(table, options), 2U);
  options.first_play_reduction = 0;
  EXPECT_EQ(SelectByPuct(table, options), 2U);
  table.proven[2] = kL;
  EXPECT_EQ(SelectByPuct(table, options), 1U);
}

TEST(Interior, PuctConstantGrowsWithVisitsByHand) {
  SearchOptions options;
  options.c_puct = 1;
  // q + c * prior * sqrt(4) / (1 + visits): 0.5 + c * 0.25, c * 1.0
  const EdgeTable table = Table({0.5F, 0.5F}, {3, 0}, {1.0F, 0}, {kU, kU});
  EXPECT_EQ(SelectByPuct(table, options), 0U);
  options.c_puct_base = 4 / (std::exp(1.0) - 1);  // log(1 + 4 / base) = 1: c = 2
  EXPECT_EQ(SelectByPuct(table, options), 1U);
  options.c_puct_base = 1e6;
  EXPECT_EQ(SelectByPuct(table, options), 0U);
}

TEST(Tree, RerootKeepsTheSubtree) {
  Tree tree;
  tree.Reset(1 << 20);
  const std::vector<env::Move> two(2, env::Move::Pass());
  // Nodes in order: root, a (of edge 0), b (of edge 1), a0, b1, b10; a0 and b10 have no moves.
  tree.AddNode(two);
  const auto hang = [&](NodeId parent, std::size_t edge, bool grown) {
    const NodeId node = tree.AddNode(grown ? two : std::vector<env::Move>());
    tree.edge(tree.edge_id(parent, edge)).child = node;
    tree.edge(tree.edge_id(parent, edge)).visits = 100 + node.value;
    tree.node(node).set_raw_value_stm(static_cast<float>(node.value) / 10);
    return node;
  };
  const NodeId a = hang(kRoot, 0, true);
  const NodeId b = hang(kRoot, 1, true);
  hang(a, 0, false);
  const NodeId b1 = hang(b, 1, true);
  hang(b1, 0, false);
  tree.Reroot(b);
  ASSERT_EQ(tree.node_count(), 3U);
  ASSERT_EQ(tree.edge_count(), 4U);
  const std::vector<std::int16_t> raw = {6553, 13107, 16384};  // 0.2, 0.4, 0.5 of 32767
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(tree.node(NodeId{i}).raw_value_q15, raw[i]) << i;
  EXPECT_FALSE(tree.edges(kRoot)[0].child.valid());
  EXPECT_EQ(tree.edges(kRoot)[1].child, NodeId{1});
  EXPECT_EQ(tree.edges(kRoot)[1].visits, 104U);
  EXPECT_EQ(tree.edges(NodeId{1})[0].child, NodeId{2});
  EXPECT_EQ(tree.edges(NodeId{1})[0].visits, 105U);
  EXPECT_TRUE(tree.edges(NodeId{2}).empty());
  tree.Reroot(kRoot);
  EXPECT_EQ(tree.node_count(), 3U);
}

TEST(Root, SurvivorsDropLossesAndFillUp) {
  const EdgeTable table =
      Table({0.2F, 0.2F, 0.2F, 0.2F, 0.2F}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {kU, kL, kU, kU, kU});
  const std::vector<float> scores = {1, 9, 3, 2, 3};
  std::vector<std::size_t> survivors;
  KeepSurvivors(table, scores, 3, survivors);
  EXPECT_EQ(survivors, (std::vector<std::size_t>{2, 4, 3}));
  KeepSurvivors(table, scores, 2, survivors);
  EXPECT_EQ(survivors, (std::vector<std::size_t>{2, 4}));
  EdgeTable later = table;
  later.proven[2] = kL;
  KeepSurvivors(later, scores, 2, survivors);
  EXPECT_EQ(survivors, (std::vector<std::size_t>{4, 3}));
  KeepSurvivors(later, scores, 8, survivors);
  EXPECT_EQ(survivors, (std::vector<std::size_t>{4, 3, 0}));
}

TEST(Root, ChoiceByHand) {
  const EdgeTable table = Table({0.1F, 0.5F, 0.4F}, {3, 2, 3}, {0.1F, 0.9F, 0.2F}, {kU, kU, kU});
  const std::vector<std::size_t> survivors = {0, 1, 2};
  EXPECT_EQ(BestSurvivor(table, std::vector<float>{1, 5, 2}, survivors),
            2U);  // the score decides among the most visited
  EXPECT_EQ(MostVisited(table), 2U);
  EdgeTable lost = table;
  lost.proven = {kU, kU, kL};
  EXPECT_EQ(MostVisited(lost), 0U);
}

TEST(Root, TargetOfASolvedRootIsUniformOverTheBest) {
  const SearchOptions options;
  const EdgeTable table =
      Table({0.1F, 0.5F, 0.2F, 0.2F}, {1, 1, 1, 1}, {1, -1, 1, 0}, {kW, kL, kW, kD});
  std::vector<float> improved(4);
  RootTarget(table, kW, options, improved);
  EXPECT_EQ(improved, (std::vector<float>{0.5F, 0, 0.5F, 0}));
  EXPECT_EQ(BestProven(table, kW), 2U);
  const EdgeTable drawn = Table({0.1F, 0.5F, 0.4F}, {1, 1, 1}, {0, -1, 0}, {kD, kL, kD});
  improved.resize(3);
  RootTarget(drawn, kD, options, improved);
  EXPECT_EQ(improved, (std::vector<float>{0.5F, 0, 0.5F}));
  EXPECT_EQ(BestProven(drawn, kD), 2U);
  const EdgeTable lost = Table({0.5F, 0.5F}, {1, 1}, {-1, -1}, {kL, kL});
  improved.resize(2);
  RootTarget(lost, kL, options, improved);
  EXPECT_EQ(improved, (std::vector<float>{0.5F, 0.5F}));
}

}  // namespace
}  // namespace apiary::mcts
