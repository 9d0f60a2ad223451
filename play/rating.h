// Ratings of players from the results of their games: strengths of the model in play/davidson.h at
// the maximum of likelihood and a weak prior, with error bars from its curvature there. Pure
// functions; any thread. docs/ratings.md explains the formulas.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace apiary::play {

// Games between two players (numbers from 0) in which `first` moved first, from its view. Capped
// games are draws here: half a point, as in a match's score.
struct OrderedResults {
  std::size_t first = 0, second = 0;
  double wins = 0, draws = 0, losses = 0;
  double games() const { return wins + draws + losses; }
};

// What is believed before any game: it keeps numbers finite where one side wins everything, and is
// worth about one game a player where there are more.
struct RatingPrior {
  double games = 1;             // even games of each player, spread over those that it met
  double first_move_sd = 1.0;   // of h in nats (174 Elo), around 0
  double log_draw_mean = -1.0;  // of log v: 16 % of draws between equals
  double log_draw_sd = 2.0;
};

inline constexpr double kEloOfNat = 173.71779276130073;  // 400 / ln 10

struct Rating {
  double elo = 0;
  double error = 0;  // standard error of elo against the anchor of its group; 0 for the anchor
  double elo_low = 0, elo_high = 0;  // 95 %
  double wins = 0, draws = 0, losses = 0;
  std::size_t group = 0;
  bool anchor = false;
  double games() const { return wins + draws + losses; }
  double score() const { return games() > 0 ? (wins + draws / 2) / games() : 0; }
};

struct RatingTable {
  std::vector<Rating> ratings;  // [players]
  double first_move_elo = 0;    // what moving first is worth
  double first_move_error = 0;
  double draw_share = 0;  // of games between equals
  // Players that met, directly or through others. Strengths compare only inside a group. The
  // anchor's group comes first; the others are anchored at their first player.
  std::vector<std::vector<std::size_t>> groups;
  // For each group: tiers, the strongest first, so that nobody has taken a point from a tier above
  // its own. One tier: the games alone fix all distances. Else those across tiers are kept finite
  // by the prior only and mean "at least".
  std::vector<std::vector<std::vector<std::size_t>>> tiers;
  std::vector<double> covariance;  // [players, players], Elo squared, against the anchors

  // Standard error of the difference of two players of one group.
  double DifferenceError(std::size_t a, std::size_t b) const;
  // Standard error of a player's distance from the mean of some of its group: what the anchor's own
  // uncertainty shifts for all of them is left out. Precondition: `others` is not empty.
  double ErrorAgainstMean(std::size_t player, std::span<const std::size_t> others) const;
  // Probability that a is stronger than b, both of one group.
  double Superiority(std::size_t a, std::size_t b) const;
};

// Preconditions: player numbers below `players`, nobody plays itself, no negative counts, anchor <
// players unless there are none.
RatingTable Rate(std::size_t players, std::span<const OrderedResults> results, std::size_t anchor,
                 const RatingPrior& prior = {});

// One sentence each about what the numbers do not say: groups that never met, tiers without a point
// upwards. `names` has one name a player.
std::vector<std::string> Caveats(const RatingTable& table, std::span<const std::string> names);

}  // namespace apiary::play
