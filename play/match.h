// Matches of paired games from random or given openings, both colours, batched and on several
// threads.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "play/player.h"
#include "play/sprt.h"

namespace apiary::play {

class MatchRecord;

struct PlayedGame {
  int opening = 0;         // number of its pair
  bool a_is_first = true;  // A plays the side that moves first in the game
  std::string game_string;
  int plies = 0;
  env::Outcome outcome;  // by our rules; in progress where a fault ended the game
  // What ended the game where it was not our rules, and who is to blame for it.
  struct FaultOfPlayer {
    FaultKind kind = FaultKind::kCrash;
    bool of_a = false;
    std::string what;
  };
  std::optional<FaultOfPlayer> fault = std::nullopt;
  int attempt = 0;           // how often its pair was replayed before
  int skipped_openings = 0;  // decided ones that were drawn for its pair before this one
  // Wall time of each player's moves and their number; in a batch each game has an equal share.
  double seconds_a = 0, seconds_b = 0;
  int moves_a = 0, moves_b = 0;
};

struct MatchOptions {
  env::Rules rules;       // repetition 3, max_plies 400 by default for matches: set by the caller
  int games = 200;        // even: games / 2 openings x 2 colours
  int opening_plies = 4;  // random plies before the players take over; decided openings are redrawn
  // Pair i begins from openings[i] (play/openings.h) if there are any, decided ones left out: at
  // least games / 2 with those, of these rules; more serve pairs that must be replayed.
  std::vector<env::Game> openings;
  // Ends the match as soon as the test is decided.
  std::optional<SprtHypotheses> sprt;
  int threads = 1;
  std::uint64_t seed = 1;
  std::chrono::milliseconds engine_timeout{30'000};  // of foreign engines (EngineLimits)
  // Games of pairs that were finished before are taken from here, new ones are kept there; null:
  // none. Must outlive the match.
  MatchRecord* record = nullptr;
  // Told each newly finished game, from the calling thread; may be empty.
  std::function<void(const PlayedGame&)> on_game;
};

struct SprtState {
  double llr = 0;
  SprtDecision decision = SprtDecision::kRunning;
};

struct MatchResult {
  env::Color first_player = env::Color::kWhite;  // of the match's rules
  // draws: by both queens, repetition, and foreign_ends among them. wins and losses: also by the
  // other's crash, time-out, illegal move or breach of protocol.
  int games = 0, wins = 0, draws = 0, losses = 0, capped = 0, duplicates = 0;
  int foreign_ends = 0;
  int skipped_openings = 0;        // decided before the players took over
  std::vector<PlayedGame> played;  // the counted games
  double mean_plies = 0;
  double seconds = 0;             // of this run; games from a record took none
  std::optional<SprtState> sprt;  // of a match with a test
  // (wins + (draws + capped) / 2) / games and its 95 % interval, from the spread of the pairs'
  // scores.
  double score() const;
};

// Score, and the 95 % interval of it and of the Elo difference; infinite Elo is +-infinity.
struct Estimate {
  double score = 0, score_low = 0, score_high = 1;
  double elo = 0, elo_low = 0, elo_high = 0;
  double superiority = 0.5;  // likelihood that A is the stronger one
};
// With no spread (all pairs equal) the interval is Wilson's on games, and the likelihood of
// superiority that of as many games won and lost.
Estimate EstimatePairs(const PairCounts& pairs);
// pair_scores: A's points of each opening pair in {0, 0.5, 1, 1.5, 2}.
Estimate EstimateScore(const std::vector<double>& pair_scores);

// Plays games / 2 pairs: both games of a pair start from the same opening with colours swapped. An
// opening that is won or lost already (play/opening_judge.h) is not played. A pair with a game that
// was played before (same moves, same colours) is replayed from a new opening, a few times;
// openings that run out leave fewer games. The same seed gives the same games whatever the number
// of threads, but for players with a time a move and foreign engines. `progress` is called now and
// then from the calling thread. A stop request ends the match early with the finished pairs
// counted. A sequential test sees the pairs in the order of their numbers; pairs after the one that
// decides it are not counted.
struct MatchProgress {
  int finished_games = 0;
  int games = 0;
  int wins = 0, draws = 0, losses = 0, capped = 0;  // of A, of the finished games
  double score = 0;
  std::optional<Estimate> estimate;  // of the whole pairs, where there are any
  std::optional<double> llr;         // of the counted pairs, in a match with a test
};
base::Result<MatchResult> PlayMatch(const PlayerSpec& a, const PlayerSpec& b,
                                    const nn::EvaluatorFactory& factory,
                                    const MatchOptions& options,
                                    const std::function<void(const MatchProgress&)>& progress,
                                    const base::StopToken& stop);

// 0, 0.5 (draws, capped games and foreign ends) or 1.
double PointsOfA(const PlayedGame& game, env::Color first_player);
// Why it ended: env::Reason's or FaultKind's name.
std::string_view ReasonOf(const PlayedGame& game);

// Adds a game to the counters (not to `played`).
void CountGame(const PlayedGame& game, MatchResult& result);
// The whole pairs of some games, by A's points.
PairCounts Pentanomial(const std::vector<PlayedGame>& games, env::Color first_player);
// Counted games by reason.
std::map<std::string, int> Reasons(const MatchResult& result);
// Time that the players took in the counted games.
struct TimeUsed {
  double seconds_a = 0, seconds_b = 0;
  std::int64_t moves_a = 0, moves_b = 0;
};
TimeUsed SumTimes(const MatchResult& result);

// The match's estimate from its pairs.
Estimate EstimateMatch(const MatchResult& result);
// One JSON object as in the design's "match" section.
std::string MatchToJson(const PlayerSpec& a, const PlayerSpec& b, const MatchResult& result);

}  // namespace apiary::play
