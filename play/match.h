// Matches of paired games from random or given openings, both colours, batched and on several
// threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "play/player.h"
#include "play/sprt.h"

namespace apiary::play {

struct MatchOptions {
  env::Rules rules;       // repetition 3, max_plies 400 by default for matches: set by the caller
  int games = 200;        // even: games / 2 openings x 2 colours
  int opening_plies = 4;  // random plies before the players take over; decided openings are redrawn
  // Pair i begins from openings[i] (play/openings.h) if there are any: at least games / 2, of these
  // rules; more than those serve pairs that must be replayed.
  std::vector<env::Game> openings;
  // Ends the match as soon as the test is decided.
  std::optional<SprtHypotheses> sprt;
  int threads = 1;
  std::uint64_t seed = 1;
};

struct PlayedGame {
  int opening = 0;         // number of its pair
  bool a_is_first = true;  // A plays the side that moves first in the game
  std::string game_string;
  int plies = 0;
  env::Outcome outcome;
};

struct SprtState {
  double llr = 0;
  SprtDecision decision = SprtDecision::kRunning;
};

struct MatchResult {
  env::Color first_player = env::Color::kWhite;  // of the match's rules
  int games = 0, wins = 0, draws = 0, losses = 0, capped = 0, duplicates = 0;
  std::vector<PlayedGame> played;  // the counted games
  double mean_plies = 0;
  double seconds = 0;
  std::optional<SprtState> sprt;  // of a match with a test
  // (wins + (draws + capped) / 2) / games and its 95 % interval, from the spread of the pairs'
  // scores.
  double score() const;
};

// Score, and the 95 % interval of it and of the Elo difference; infinite Elo is +-infinity.
struct Estimate {
  double score = 0, score_low = 0, score_high = 1;
  double elo = 0, elo_low = 0, elo_high = 0;
};
// pair_scores: A's points of each opening pair in {0, 0.5, 1, 1.5, 2}. With no spread (all pairs
// equal) the interval is Wilson's on games.
Estimate EstimateScore(const std::vector<double>& pair_scores);

// Plays games / 2 pairs: both games of a pair start from the same opening with colours swapped. A
// pair with a game that was played before (same moves, same colours) is replayed from a new
// opening, a few times; openings that run out leave fewer games. The same seed gives the same games
// whatever the number of threads, but for players with a time a move. `progress` is called now and
// then from the calling thread. A stop request ends the match early with the finished pairs
// counted. A sequential test sees the pairs in the order of their numbers; pairs after the one that
// decides it are not counted.
struct MatchProgress {
  int finished_games = 0;
  int games = 0;
  double score = 0;
  std::optional<double> llr;  // of the counted pairs, in a match with a test
};
base::Result<MatchResult> PlayMatch(const PlayerSpec& a, const PlayerSpec& b,
                                    const nn::EvaluatorFactory& factory,
                                    const MatchOptions& options,
                                    const std::function<void(const MatchProgress&)>& progress,
                                    const base::StopToken& stop);

// 0, 0.5 (draws and capped games) or 1.
double PointsOfA(const PlayedGame& game, env::Color first_player);

// Adds a game to the counters (not to `played`).
void CountGame(const PlayedGame& game, MatchResult& result);

// The match's estimate from its pairs.
Estimate EstimateMatch(const MatchResult& result);
// One JSON object as in the design's "match" section.
std::string MatchToJson(const PlayerSpec& a, const PlayerSpec& b, const MatchResult& result);

}  // namespace apiary::play
