// Counts a match's pairs in the order of their numbers, whatever order they end in: so the counted
// games do not depend on the number of threads, and a sequential test does not see the short games
// first. Internal to the match. Lives on one thread.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "play/match.h"
#include "play/match_games.h"

namespace apiary::play {

class MatchTally {
 public:
  // Counts into `result`, which must outlive the tally.
  MatchTally(const MatchOptions& options, MatchResult& result);

  // `tasks`: the pairs about to be played.
  void BeginRound(const std::vector<PairTask>& tasks);
  // `finished`: all games that ended in this round so far, in any order. Counts the pairs that are
  // whole and that no earlier pair is still missing before, up to the one that decides the test.
  void Take(const std::vector<PlayedGame>& finished);
  // Whole pairs behind missing ones are counted too, unless there is a test; then the pairs of the
  // round that repeated known games are returned, with their next attempt.
  std::vector<PairTask> EndRound();

  bool decided() const { return result_.sprt && result_.sprt->decision != SprtDecision::kRunning; }

 private:
  // A pair's two games, A first and B first.
  struct Pair {
    std::array<PlayedGame, 2> games;
    int finished = 0;
  };
  void Count(PairTask task, const Pair& pair);
  void Test(double points);

  std::optional<SprtHypotheses> hypotheses_;
  MatchResult& result_;
  PairCounts pair_counts_{};
  std::set<std::pair<bool, std::string>> seen_;  // A first?, GameString
  // Of the round.
  std::vector<PairTask> tasks_;
  std::size_t next_task_ = 0;
  std::size_t games_taken_ = 0;
  std::map<int, Pair> open_;  // not counted yet, by number
  std::vector<PairTask> again_;
};

}  // namespace apiary::play
