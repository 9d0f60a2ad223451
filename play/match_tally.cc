#include "play/match_tally.h"

#include <algorithm>
#include <cmath>

namespace apiary::play {

MatchTally::MatchTally(const MatchOptions& options, MatchResult& result)
    : hypotheses_(options.sprt), result_(result) {
  if (hypotheses_) result_.sprt = SprtState{};
}

void MatchTally::BeginRound(const std::vector<PairTask>& tasks) {
  tasks_ = tasks;
  next_task_ = 0;
  games_taken_ = 0;
  open_.clear();
  again_.clear();
}

void MatchTally::Take(const std::vector<PlayedGame>& finished) {
  for (; games_taken_ < finished.size(); ++games_taken_) {
    const PlayedGame& game = finished[games_taken_];
    Pair& pair = open_[game.opening];
    pair.games[game.a_is_first ? 0 : 1] = game;
    ++pair.finished;
  }
  for (; next_task_ < tasks_.size() && !decided(); ++next_task_) {
    const auto found = open_.find(tasks_[next_task_].pair);
    if (found == open_.end() || found->second.finished < 2) break;
    Count(tasks_[next_task_], found->second);
    open_.erase(found);
  }
}

std::vector<PairTask> MatchTally::EndRound() {
  for (; next_task_ < tasks_.size() && !hypotheses_; ++next_task_) {
    const auto found = open_.find(tasks_[next_task_].pair);
    if (found != open_.end() && found->second.finished == 2)
      Count(tasks_[next_task_], found->second);
  }
  return again_;
}

void MatchTally::Count(PairTask task, const Pair& pair) {
  const auto repeated =
      std::count_if(pair.games.begin(), pair.games.end(), [this](const PlayedGame& game) {
        return seen_.contains({game.a_is_first, game.game_string});
      });
  if (repeated > 0) {
    result_.duplicates += static_cast<int>(repeated);
    again_.push_back({task.pair, task.attempt + 1, task.opening});
    return;
  }
  double points = 0;
  result_.skipped_openings += pair.games[0].skipped_openings;
  for (const PlayedGame& game : pair.games) {
    seen_.insert({game.a_is_first, game.game_string});
    CountGame(game, result_);
    points += PointsOfA(game, result_.first_player);
    result_.played.push_back(game);
  }
  if (hypotheses_) Test(points);
}

void MatchTally::Test(double points) {
  ++pair_counts_[static_cast<std::size_t>(std::lround(2 * points))];
  result_.sprt->llr = LogLikelihoodRatio(pair_counts_, *hypotheses_);
  result_.sprt->decision = Decide(result_.sprt->llr);
}

}  // namespace apiary::play
