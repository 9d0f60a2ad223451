#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "play/match.h"
#include "play/normal.h"

namespace apiary::play {
namespace {

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

// A's points in one pair of a column of PairCounts.
double PointsOfColumn(std::size_t column) { return static_cast<double>(column) / 2; }

}  // namespace

Estimate EstimatePairs(const PairCounts& counts) {
  Estimate estimate;
  estimate.elo_low = -std::numeric_limits<double>::infinity();
  estimate.elo_high = std::numeric_limits<double>::infinity();
  double pairs = 0, sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    pairs += counts[i];
    sum += counts[i] * PointsOfColumn(i) / 2;
  }
  if (pairs == 0) {
    estimate.score = 0.5;
    return estimate;
  }
  estimate.score = sum / pairs;
  double squares = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    squares += counts[i] * std::pow(PointsOfColumn(i) / 2 - estimate.score, 2);
  if (squares < 1e-12) {
    WilsonInterval(estimate.score, 2 * pairs, estimate);
    // As many games won as the points say, the others lost: their difference has mean 0 and
    // variance 2 pairs between equals.
    estimate.superiority = NormalBelow((2 * estimate.score - 1) * 2 * pairs / std::sqrt(2 * pairs));
  } else {
    const double error = std::sqrt(squares / (pairs - 1) / pairs);
    estimate.score_low = estimate.score - kZ95 * error;
    estimate.score_high = estimate.score + kZ95 * error;
    estimate.superiority = NormalBelow((estimate.score - 0.5) / error);
  }
  estimate.score_low = std::clamp(estimate.score_low, 0.0, 1.0);
  estimate.score_high = std::clamp(estimate.score_high, 0.0, 1.0);
  estimate.elo = EloOf(estimate.score);
  estimate.elo_low = EloOf(estimate.score_low);
  estimate.elo_high = EloOf(estimate.score_high);
  return estimate;
}

Estimate EstimateScore(const std::vector<double>& pair_scores) {
  PairCounts counts{};
  for (const double points : pair_scores)
    ++counts[static_cast<std::size_t>(std::lround(2 * points))];
  return EstimatePairs(counts);
}

Estimate EstimateMatch(const MatchResult& result) {
  return EstimatePairs(Pentanomial(result.played, result.first_player));
}

}  // namespace apiary::play
