// Plays the games of many pairs of players for a rating, several pairs at once where there are more
// threads than one pair can use.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "play/match.h"
#include "play/rating.h"
#include "play/results_file.h"

namespace apiary::play {

// A pair that is to be played, by numbers in a list of players.
struct PairToPlay {
  std::size_t a = 0, b = 0;
  int games = 0;                   // still to be played, even
  std::vector<std::string> known;  // "MOVER|GameString" of the games there are: see GameKey
};

// Names a game of a pair, whichever player is A: key of who moved first, and the GameString.
std::string GameKey(const std::string& first_key, const std::string& game);

// What of the wanted pairs the records leave to be played: `games` less those asked for before
// under these conditions.
std::vector<PairToPlay> MissingPairs(std::span<const RatedPlayer> players,
                                     std::span<const std::pair<std::size_t, std::size_t>> wanted,
                                     int games, std::span<const PairRecord> records,
                                     const RatingConditions& conditions);

struct PairsProgress {
  int finished_games = 0;
  int games = 0;             // of all pairs
  std::size_t a = 0, b = 0;  // the pair that moved on
  double score = 0;          // of its A so far
};

// `match`: rules, opening plies, threads and seed; its games are not read. Each pair's seed comes
// from that seed, the two players and the number of their games before, so the same call gives the
// same games in any order. `done` and `progress` are called from several threads, one at a time.
// Openings of which a game is known already are left out. A stop ends all; pairs that are not
// complete by then are dropped, since their long games are those that are missing.
base::Result<void> PlayPairs(std::span<const PlayerSpec> players, std::span<const PairToPlay> pairs,
                             const nn::EvaluatorFactory& factory, const MatchOptions& match,
                             const std::function<void(const PairRecord&)>& done,
                             const std::function<void(const PairsProgress&)>& progress,
                             const base::StopToken& stop);

// Counts of each ordered pair; records of other conditions or players are left out.
std::vector<OrderedResults> CountResults(std::span<const RatedPlayer> players,
                                         std::span<const PairRecord> records,
                                         const RatingConditions& conditions);

}  // namespace apiary::play
