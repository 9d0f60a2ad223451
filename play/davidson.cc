#include "play/davidson.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace apiary::play {
namespace {

// log(1 + e^x) without overflow.
double SoftPlus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

// log Z, without overflow.
double LogNormaliser(double difference, double log_draw) {
  const double half = std::abs(difference) / 2;
  const double top = std::max(half, log_draw);
  return top + std::log(std::exp(half - top) + std::exp(-half - top) + std::exp(log_draw - top));
}

struct Indices {
  Eigen::Index first, second, advantage, draw;
};

// One ordered pair: the statistics are (wins - losses) / 2 for the difference and draws for log v;
// the Hessian is minus their covariance.
void AddResults(const OrderedResults& results, const Indices& at, const Eigen::VectorXd& parameters,
                LogPosterior& sum) {
  const double difference = parameters[at.first] - parameters[at.second] + parameters[at.advantage];
  const double log_draw = parameters[at.draw];
  const double games = results.games();
  const ResultShares p = DavidsonShares(difference, log_draw);
  const double mean = (p.win - p.loss) / 2;
  sum.value += difference * (results.wins - results.losses) / 2 + log_draw * results.draws -
               games * LogNormaliser(difference, log_draw);

  const double slope = (results.wins - results.losses) / 2 - games * mean;
  const double curvature = games * ((p.win + p.loss) / 4 - mean * mean);
  const double mixed = -games * p.draw * mean;
  const std::pair<Eigen::Index, double> signs[] = {
      {at.first, 1}, {at.second, -1}, {at.advantage, 1}};
  for (const auto& [i, sign_i] : signs) {
    sum.gradient[i] += sign_i * slope;
    for (const auto& [j, sign_j] : signs) sum.hessian(i, j) -= sign_i * sign_j * curvature;
    sum.hessian(i, at.draw) -= sign_i * mixed;
    sum.hessian(at.draw, i) -= sign_i * mixed;
  }
  sum.gradient[at.draw] += results.draws - games * p.draw;
  sum.hessian(at.draw, at.draw) -= games * p.draw * (1 - p.draw);
}

// Half a win and half a loss a game, without draws and first mover.
void AddPriorPair(const PriorPair& pair, const Eigen::VectorXd& parameters, LogPosterior& sum) {
  const auto a = static_cast<Eigen::Index>(pair.a);
  const auto b = static_cast<Eigen::Index>(pair.b);
  const double difference = parameters[a] - parameters[b];
  sum.value -= pair.games / 2 * (SoftPlus(difference) + SoftPlus(-difference));
  const double slope = -pair.games / 2 * std::tanh(difference / 2);
  const double cosh = std::cosh(difference / 2);
  const double curvature = pair.games / 4 / (cosh * cosh);
  sum.gradient[a] += slope;
  sum.gradient[b] -= slope;
  sum.hessian(a, a) -= curvature;
  sum.hessian(b, b) -= curvature;
  sum.hessian(a, b) += curvature;
  sum.hessian(b, a) += curvature;
}

void AddNormal(Eigen::Index at, double mean, double sd, const Eigen::VectorXd& parameters,
               LogPosterior& sum) {
  const double z = (parameters[at] - mean) / sd;
  sum.value -= z * z / 2;
  sum.gradient[at] -= z / sd;
  sum.hessian(at, at) -= 1 / (sd * sd);
}

}  // namespace

ResultShares DavidsonShares(double difference, double log_draw) {
  const double log_z = LogNormaliser(difference, log_draw);
  return {std::exp(difference / 2 - log_z), std::exp(log_draw - log_z),
          std::exp(-difference / 2 - log_z)};
}

std::vector<PriorPair> PriorPairs(std::size_t players, std::span<const OrderedResults> results,
                                  const RatingPrior& prior) {
  std::map<std::pair<std::size_t, std::size_t>, double> met;
  for (const OrderedResults& result : results) {
    if (result.games() > 0) met[std::minmax(result.first, result.second)] += result.games();
  }
  std::vector<double> opponents(players, 0);
  for (const auto& [pair, games] : met) {
    ++opponents[pair.first];
    ++opponents[pair.second];
  }
  std::vector<PriorPair> pairs;
  // Two players bring their shares to the pair, so each game of the prior is halved.
  for (const auto& [pair, games] : met)
    pairs.push_back({pair.first, pair.second,
                     prior.games / 2 * (1 / opponents[pair.first] + 1 / opponents[pair.second])});
  return pairs;
}

LogPosterior EvaluateDavidson(std::span<const OrderedResults> results,
                              std::span<const PriorPair> pairs, const RatingPrior& prior,
                              const Eigen::VectorXd& parameters) {
  const Eigen::Index size = parameters.size();
  LogPosterior sum;
  sum.gradient = Eigen::VectorXd::Zero(size);
  sum.hessian = Eigen::MatrixXd::Zero(size, size);
  for (const OrderedResults& result : results) {
    if (result.games() <= 0) continue;
    const Indices at = {static_cast<Eigen::Index>(result.first),
                        static_cast<Eigen::Index>(result.second), size - 2, size - 1};
    AddResults(result, at, parameters, sum);
  }
  for (const PriorPair& pair : pairs) AddPriorPair(pair, parameters, sum);
  AddNormal(size - 2, 0, prior.first_move_sd, parameters, sum);
  AddNormal(size - 1, prior.log_draw_mean, prior.log_draw_sd, parameters, sum);
  return sum;
}

}  // namespace apiary::play
