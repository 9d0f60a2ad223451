// The likelihood behind ratings: paired comparisons with draws (Davidson, "On extending the
// Bradley-Terry model to accommodate ties in paired comparison experiments", JASA 65, 1970) and an
// advantage of the first mover (Davidson and Beaver, Biometrics 33, 1977). Pure functions.
//
// With d = strength[first] - strength[second] + h in nats and the draw parameter v > 0:
//   P(first wins) = e^(d/2) / Z,  P(draw) = v / Z,  P(second wins) = e^(-d/2) / Z,
//   Z = e^(d/2) + v + e^(-d/2).
// In (strengths, h, log v) this is an exponential family, so the log likelihood is concave and
// Newton's method finds its one maximum.
#pragma once

#include <Eigen/Core>
#include <span>

#include "play/rating.h"

namespace apiary::play {

// Shares of the three results of a game, from the first mover's view; they sum to 1.
struct ResultShares {
  double win = 0, draw = 0, loss = 0;
};
ResultShares DavidsonShares(double difference, double log_draw);

// The weight of each pair that met in the prior, in games: half of it a win and half a loss of
// either side. Each player brings `prior.games` games, spread evenly over those it met.
struct PriorPair {
  std::size_t a = 0, b = 0;
  double games = 0;
};
std::vector<PriorPair> PriorPairs(std::size_t players, std::span<const OrderedResults> results,
                                  const RatingPrior& prior);

// Parameters: [players] strengths in nats, then h, then log v.
struct LogPosterior {
  double value = 0;
  Eigen::VectorXd gradient;  // [players + 2]
  Eigen::MatrixXd hessian;   // [players + 2, players + 2], negative semidefinite
};
LogPosterior EvaluateDavidson(std::span<const OrderedResults> results,
                              std::span<const PriorPair> pairs, const RatingPrior& prior,
                              const Eigen::VectorXd& parameters);

}  // namespace apiary::play
