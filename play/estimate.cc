#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "play/match.h"

namespace apiary::play {
namespace {

constexpr double kZ95 = 1.959963984540054;  // two-sided 95 % of the normal distribution

double EloOf(double score) {
  constexpr double kTiny = 1e-12;
  if (score <= kTiny) return -std::numeric_limits<double>::infinity();
  if (score >= 1 - kTiny) return std::numeric_limits<double>::infinity();
  return 400 * std::log10(score / (1 - score));
}

// Wilson 1927: the interval of a share `p` seen in `n` games; not empty at p = 0 and 1.
void WilsonInterval(double p, double n, Estimate& estimate) {
  const double z2 = kZ95 * kZ95;
  const double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double half = kZ95 * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n);
  estimate.score_low = centre - half;
  estimate.score_high = centre + half;
}

}  // namespace

double PointsOfA(const PlayedGame& game, env::Color first_player) {
  if (!game.outcome.decisive()) return 0.5;
  const env::Color a = game.a_is_first ? first_player : env::Opponent(first_player);
  return (game.outcome.result == env::Result::kWhiteWins) == (a == env::Color::kWhite) ? 1 : 0;
}

double MatchResult::score() const {
  return games == 0 ? 0 : (wins + 0.5 * (draws + capped)) / games;
}

Estimate EstimateScore(const std::vector<double>& pair_scores) {
  Estimate estimate;
  estimate.elo_low = -std::numeric_limits<double>::infinity();
  estimate.elo_high = std::numeric_limits<double>::infinity();
  if (pair_scores.empty()) {
    estimate.score = 0.5;
    return estimate;
  }
  const auto pairs = static_cast<double>(pair_scores.size());
  double sum = 0;
  for (const double points : pair_scores) sum += points / 2;
  estimate.score = sum / pairs;
  double squares = 0;
  for (const double points : pair_scores) squares += std::pow(points / 2 - estimate.score, 2);
  if (squares < 1e-12) {
    WilsonInterval(estimate.score, 2 * pairs, estimate);
  } else {
    const double error = std::sqrt(squares / (pairs - 1) / pairs);
    estimate.score_low = estimate.score - kZ95 * error;
    estimate.score_high = estimate.score + kZ95 * error;
  }
  estimate.score_low = std::clamp(estimate.score_low, 0.0, 1.0);
  estimate.score_high = std::clamp(estimate.score_high, 0.0, 1.0);
  estimate.elo = EloOf(estimate.score);
  estimate.elo_low = EloOf(estimate.score_low);
  estimate.elo_high = EloOf(estimate.score_high);
  return estimate;
}

Estimate EstimateMatch(const MatchResult& result) {
  std::map<int, double> points;
  for (const PlayedGame& game : result.played)
    points[game.opening] += PointsOfA(game, result.first_player);
  std::vector<double> pair_scores;
  for (const auto& [opening, pair] : points) pair_scores.push_back(pair);
  return EstimateScore(pair_scores);
}

void CountGame(const PlayedGame& game, MatchResult& result) {
  ++result.games;
  if (game.outcome.result == env::Result::kUnfinished) {
    ++result.capped;
  } else if (game.outcome.result == env::Result::kDraw) {
    ++result.draws;
  } else if (PointsOfA(game, result.first_player) == 1) {
    ++result.wins;
  } else {
    ++result.losses;
  }
}

}  // namespace apiary::play
