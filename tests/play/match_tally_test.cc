#include "play/match_tally.h"

#include <gtest/gtest.h>

namespace apiary::play {
namespace {

// A game that its first player wins; games of different pairs differ.
PlayedGame Won(int pair, bool a_is_first, const std::string& moves) {
  return {pair, a_is_first, moves, 30, {env::Result::kWhiteWins, env::Reason::kSurround}};
}

std::vector<PairTask> Tasks(int pairs) {
  std::vector<PairTask> tasks;
  for (int pair = 0; pair < pairs; ++pair) tasks.push_back({pair, 0, pair});
  return tasks;
}

TEST(MatchTally, CountsWholePairsInOrder) {
  MatchResult result;
  MatchTally tally({}, result);
  tally.BeginRound(Tasks(3));
  std::vector<PlayedGame> finished = {Won(2, true, "c"), Won(2, false, "d"), Won(0, false, "b")};
  tally.Take(finished);
  EXPECT_EQ(result.games, 0);
  finished.push_back(Won(0, true, "a"));
  tally.Take(finished);
  ASSERT_EQ(result.games, 2);
  EXPECT_EQ(result.played[0].opening, 0);
  finished.push_back(Won(1, true, "e"));
  tally.Take(finished);
  EXPECT_EQ(result.games, 2);
  EXPECT_TRUE(tally.EndRound().empty());
  EXPECT_EQ(result.games, 4);  // pair 2 too; pair 1 is not whole
  EXPECT_FALSE(result.sprt);
}

MatchOptions TestOfElo(double elo1) {
  MatchOptions options;
  options.sprt = SprtHypotheses{0, elo1};
  return options;
}

TEST(MatchTally, ATestSeesNoPairBehindAMissingOne) {
  const MatchOptions options = TestOfElo(100);
  MatchResult result;
  MatchTally tally(options, result);
  tally.BeginRound(Tasks(2));
  tally.Take({Won(1, true, "c"), Won(1, false, "d")});
  (void)tally.EndRound();
  EXPECT_EQ(result.games, 0);
  EXPECT_EQ(result.sprt->llr, 0);
}

TEST(MatchTally, CountsNothingAfterTheDecision) {
  const MatchOptions options = TestOfElo(400);
  MatchResult result;
  MatchTally tally(options, result);
  tally.BeginRound(Tasks(9));
  std::vector<PlayedGame> finished;
  for (int pair = 0; pair < 9; ++pair) {  // A wins all
    finished.push_back(Won(pair, true, std::to_string(pair)));
    finished.push_back(
        {pair, false, std::to_string(pair), 30, {env::Result::kBlackWins, env::Reason::kSurround}});
  }
  tally.Take(finished);
  // 4 log(20/11) = 2.39, 5 log(20/11) = 2.99.
  EXPECT_TRUE(tally.decided());
  EXPECT_EQ(result.games, 10);
  EXPECT_EQ(result.sprt->decision, SprtDecision::kH1);
}

TEST(MatchTally, ReturnsRepeatedPairs) {
  MatchResult result;
  MatchTally tally({}, result);
  tally.BeginRound(Tasks(2));
  tally.Take({Won(0, true, "a"), Won(0, false, "b"), Won(1, true, "a"), Won(1, false, "c")});
  const std::vector<PairTask> again = tally.EndRound();
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].pair, 1);
  EXPECT_EQ(again[0].attempt, 1);
  EXPECT_EQ(result.games, 2);
  EXPECT_EQ(result.duplicates, 1);
}

}  // namespace
}  // namespace apiary::play
