#include "play/analysis.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "mcts/long_search.h"
#include "nn/fake_evaluator.h"
#include "play/model_player.h"
#include "tests/play/positions.h"

namespace apiary::play {
namespace {

mcts::LongSearch MakeSearch() {
  std::vector<std::unique_ptr<nn::Evaluator>> evaluators;
  evaluators.push_back(std::make_unique<nn::FakeEvaluator>());
  return mcts::LongSearch(std::move(evaluators),
                          {.tree_bytes = 16U << 20, .search = PlaySearchOptions(1000)});
}

TEST(Analysis, LinesAreTheMostVisitedMovesAndCanBePlayed) {
  const env::Game game = GameOf(kRow);
  mcts::LongSearch search = MakeSearch();
  const mcts::SearchResult& result = search.Run(game, {.simulations = 400});
  const std::vector<AnalysisLine> lines = BestLines(search.tree(), result, 4);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].moves[0], result.best);
  double share = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const AnalysisLine& line = lines[i];
    if (i > 1) {
      EXPECT_LE(line.visits, lines[i - 1].visits);
    }
    share += line.share;
    const auto root =
        std::find_if(result.moves.begin(), result.moves.end(),
                     [&](const mcts::RootMove& m) { return m.move == line.moves[0]; });
    ASSERT_NE(root, result.moves.end());
    EXPECT_EQ(line.visits, root->visits);
    EXPECT_EQ(line.prior, root->prior);
    ASSERT_TRUE(line.wdl.has_value());
    // The value of the side to move, not of the one that answers.
    EXPECT_NEAR(line.wdl->value_stm(), root->q, 1e-5);
    EXPECT_NEAR(line.wdl->win + line.wdl->draw + line.wdl->loss, 1, 1e-5);
    EXPECT_LE(line.moves.size(), 12U);
    EXPECT_EQ(LineToStrings(game, line.moves).size(), line.moves.size());
  }
  EXPECT_LE(share, 1 + 1e-9);
  EXPECT_GE(lines[0].moves.size(), 2U);
}

TEST(Analysis, AWinInOneIsFirstAndEndsItsLine) {
  // White to move: the queen of Black has one empty neighbour, which wG3 can jump to.
  const env::Game game = GameOf(
      "Base;InProgress;White[15];wA1;bG1 /wA1;wA2 wA1/;bG2 -bG1;wB1 -wA2;bA1 \\bG2;wQ wA1-;bQ "
      "bG1\\;wG1 wQ-;bA1 wQ\\;wA2 bG2\\;bG2 bG1-;wQ \\wG1;bG1 wB1-;wG1 bQ-;bA1 wA2\\;wG2 -wA2;bA1 "
      "/wA1;wS1 -wB1;bA1 bG2-;wB2 wG2\\;bA1 \\wQ;wB2 wA2\\;bA1 /wA1;wA3 wB2\\;bA1 wA1-;wA1 "
      "-bG2;pass");
  mcts::LongSearch search = MakeSearch();
  const mcts::SearchResult& result = search.Run(game, {.simulations = 50});
  const std::vector<AnalysisLine> lines = BestLines(search.tree(), result, 3);
  ASSERT_GE(lines.size(), 1U);
  EXPECT_EQ(lines[0].proven, mcts::Proven::kWin);
  ASSERT_TRUE(lines[0].wdl.has_value());
  EXPECT_EQ(lines[0].wdl->win, 1);
  EXPECT_EQ(LineToStrings(game, lines[0].moves), std::vector<std::string>{"wA3 wB2-"});
}

TEST(Analysis, MovesThatWereNotVisitedHaveNoValue) {
  const env::Game game = GameOf(kRow);
  mcts::LongSearch search = MakeSearch();
  const mcts::SearchResult& result = search.Run(game, {.simulations = 1});
  const std::vector<AnalysisLine> lines = BestLines(search.tree(), result, 1000);
  EXPECT_EQ(lines.size(), result.moves.size());
  EXPECT_EQ(lines.back().visits, 0U);
  EXPECT_FALSE(lines.back().wdl.has_value());
  EXPECT_EQ(lines.back().moves.size(), 1U);
  EXPECT_TRUE(BestLines(search.tree(), result, 0).empty());
}

}  // namespace
}  // namespace apiary::play
