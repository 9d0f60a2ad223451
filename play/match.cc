#include "play/match.h"

#include <algorithm>
#include <chrono>

#include "play/match_record.h"
#include "play/match_round.h"
#include "play/match_tally.h"

namespace apiary::play {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMaxAttempts = 10;  // openings tried for a pair before it is given up as a repetition

base::Result<void> Validate(const MatchOptions& options) {
  if (options.games < 2 || options.games % 2 != 0)
    return base::Fail(
        "a match needs an even number of games (each opening is played with both colours), not {}",
        options.games);
  if (options.sprt && !(options.sprt->elo0 < options.sprt->elo1))
    return base::Fail("the test needs ELO0 < ELO1, not {} and {}", options.sprt->elo0,
                      options.sprt->elo1);
  const std::size_t needed = static_cast<std::size_t>(options.games) / 2;
  if (!options.openings.empty()) {
    if (options.openings.size() >= needed) return {};
    return base::Fail(
        "{} games need {} openings (each is played with both colours), but there are only {}",
        options.games, needed, options.openings.size());
  }
  if (options.opening_plies < 0)
    return base::Fail("the number of opening plies must not be negative, it is {}",
                      options.opening_plies);
  if (options.rules.max_plies > 0 && options.opening_plies >= options.rules.max_plies)
    return base::Fail("openings of {} plies do not fit into games of at most {} plies",
                      options.opening_plies, options.rules.max_plies);
  return {};
}

// A match as it is played, on the calling thread; its rounds have threads of their own.
class MatchRun {
 public:
  MatchRun(const PlayerSpec& a, const PlayerSpec& b, const nn::EvaluatorFactory& factory,
           const MatchOptions& options, const std::function<void(const MatchProgress&)>& progress,
           const base::StopToken& stop)
      : a_(a),
        b_(b),
        factory_(factory),
        options_(options),
        progress_(progress),
        stop_(stop),
        tally_(options_, result_) {
    result_.first_player = options.rules.first_player;
    so_far_.first_player = options.rules.first_player;
  }

  base::Result<MatchResult> Play() {
    if (auto kept = KeepUndecidedOpenings(); !kept) return kept.failure();
    const int pairs =
        options_.openings.empty()
            ? options_.games / 2
            : std::min(options_.games / 2, static_cast<int>(options_.openings.size()));
    std::vector<PairTask> tasks;
    for (int pair = 0; pair < pairs; ++pair) tasks.push_back({pair, 0, pair});
    next_opening_ = pairs;
    for (int attempt = 0; attempt < kMaxAttempts && !tasks.empty(); ++attempt) {
      const int counted_before = result_.games;
      auto again = PlayRound(std::move(tasks));
      if (!again) return again.failure();
      if (tally_.decided() || stop_.requested()) break;
      if (result_.games == counted_before) break;  // nothing new: the players repeat themselves
      tasks = *std::move(again);
      TakeNewOpenings(tasks);
    }
    return std::move(result_);
  }

 private:
  // Drops given openings that are won or lost already.
  base::Result<void> KeepUndecidedOpenings() {
    if (options_.openings.empty()) return {};
    auto judge = OpeningJudge::Make(a_, b_, factory_);
    if (!judge) return judge.failure();
    result_.skipped_openings = static_cast<int>(std::erase_if(
        options_.openings, [&](const env::Game& game) { return (*judge)->Decided(game); }));
    if (options_.openings.empty())
      return base::Fail("all {} openings are won or lost already", result_.skipped_openings);
    return {};
  }

  // Gives pairs that are to be replayed the next given openings; drops those that none is left for.
  void TakeNewOpenings(std::vector<PairTask>& tasks) {
    if (options_.openings.empty()) return;
    const auto left = options_.openings.size() - static_cast<std::size_t>(next_opening_);
    tasks.resize(std::min(tasks.size(), left));
    for (PairTask& task : tasks) task.opening = next_opening_++;
  }

  // Plays the pairs that are not on record; returns those to be replayed.
  base::Result<std::vector<PairTask>> PlayRound(std::vector<PairTask> tasks) {
    tally_.BeginRound(tasks);
    std::vector<PlayedGame> recorded;
    if (options_.record != nullptr) {
      std::erase_if(tasks, [&](const PairTask& task) {
        return options_.record->Find(task.pair, task.attempt, recorded);
      });
    }
    shown_ = 0;
    recorded_ = recorded.size();
    auto finished =
        MatchRound(a_, b_, factory_, options_, stop_, std::move(tasks), std::move(recorded))
            .Play([this](const std::vector<PlayedGame>& games) { return Report(games); });
    if (!finished) return finished.failure();
    return tally_.EndRound();
  }

  bool Report(const std::vector<PlayedGame>& finished) {
    tally_.Take(finished);
    for (; shown_ < finished.size(); ++shown_) {
      const PlayedGame& game = finished[shown_];
      CountGame(game, so_far_);
      TakeOtherOfPair(game);
      const bool is_new = shown_ >= recorded_;
      if (is_new && options_.on_game) options_.on_game(game);
    }
    if (progress_) ShowProgress();
    return !tally_.decided();
  }

  // Whole pairs are counted for the running result, and kept.
  void TakeOtherOfPair(const PlayedGame& game) {
    const auto other = std::find_if(halves_.begin(), halves_.end(), [&](const PlayedGame& half) {
      return half.opening == game.opening && half.attempt == game.attempt;
    });
    if (other == halves_.end()) {
      halves_.push_back(game);
      return;
    }
    const std::vector<PlayedGame> pair = {*other, game};
    halves_.erase(other);
    const PairCounts counts = Pentanomial(pair, so_far_.first_player);
    for (std::size_t i = 0; i < counts.size(); ++i) pairs_so_far_[i] += counts[i];
    if (options_.record != nullptr && shown_ >= recorded_) options_.record->Keep(pair);
  }

  void ShowProgress() const {
    MatchProgress progress{so_far_.games,
                           options_.games,
                           so_far_.wins,
                           so_far_.draws,
                           so_far_.losses,
                           so_far_.capped,
                           so_far_.score(),
                           {},
                           {}};
    if (pairs_so_far_ != PairCounts{}) progress.estimate = EstimatePairs(pairs_so_far_);
    if (result_.sprt) progress.llr = result_.sprt->llr;
    progress_(progress);
  }

  const PlayerSpec& a_;
  const PlayerSpec& b_;
  const nn::EvaluatorFactory& factory_;
  MatchOptions options_;
  const std::function<void(const MatchProgress&)>& progress_;
  const base::StopToken& stop_;
  MatchResult result_;
  MatchTally tally_;
  int next_opening_ = 0;
  // Of the round: games shown, and how many of them come from the record.
  std::size_t shown_ = 0;
  std::size_t recorded_ = 0;
  // All finished games, duplicates too, for the progress line.
  MatchResult so_far_;
  PairCounts pairs_so_far_{};
  std::vector<PlayedGame> halves_;  // the other game of the pair is not finished
};

}  // namespace

base::Result<MatchResult> PlayMatch(const PlayerSpec& a, const PlayerSpec& b,
                                    const nn::EvaluatorFactory& factory,
                                    const MatchOptions& options,
                                    const std::function<void(const MatchProgress&)>& progress,
                                    const base::StopToken& stop) {
  if (auto valid = Validate(options); !valid) return valid.failure();
  const Clock::time_point start = Clock::now();
  auto result = MatchRun(a, b, factory, options, progress, stop).Play();
  if (!result) return result;
  std::sort(result->played.begin(), result->played.end(),
            [](const PlayedGame& x, const PlayedGame& y) {
              return std::pair(x.opening, !x.a_is_first) < std::pair(y.opening, !y.a_is_first);
            });
  double plies = 0;
  for (const PlayedGame& game : result->played) plies += game.plies;
  result->mean_plies = result->games == 0 ? 0 : plies / result->games;
  result->seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace apiary::play
