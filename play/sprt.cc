#include "play/sprt.h"

#include <charconv>
#include <cmath>

namespace apiary::play {
namespace {

// Scores of a pair as shares of its two points.
constexpr std::array<double, 5> kScores = {0, 0.25, 0.5, 0.75, 1};
constexpr double kUnseen = 1e-3;

using Shares = std::array<double, 5>;  // sum 1, all > 0

// The likeliest distribution with mean `score` given the shares seen is share[i] / (1 + theta
// (kScores[i] - score)) with this theta (Owen 1988, empirical likelihood): the root of a strictly
// falling function, between the two poles that keep all denominators positive.
double SolveTheta(const Shares& shares, double score) {
  double low = -1 / (1 - score);
  double high = 1 / score;
  for (int step = 0; step < 100; ++step) {
    const double theta = (low + high) / 2;
    double sum = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const double distance = kScores[i] - score;
      sum += shares[i] * distance / (1 + theta * distance);
    }
    (sum > 0 ? low : high) = theta;
  }
  return (low + high) / 2;
}

bool ParseElo(std::string_view text, double& elo) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, elo);
  return error == std::errc() && stop == end && std::abs(elo) <= kMaxSprtElo;
}

}  // namespace

base::Result<SprtHypotheses> ParseSprt(std::string_view text) {
  SprtHypotheses hypotheses;
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || !ParseElo(text.substr(0, comma), hypotheses.elo0) ||
      !ParseElo(text.substr(comma + 1), hypotheses.elo1))
    return base::Fail("'{}': expected ELO0,ELO1, two numbers from {} to {}, for instance 0,10",
                      text, -kMaxSprtElo, kMaxSprtElo);
  if (hypotheses.elo0 >= hypotheses.elo1)
    return base::Fail("'{}': ELO0 must be less than ELO1", text);
  return hypotheses;
}

double ScoreOfElo(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

double LogLikelihoodRatio(const PairCounts& pairs, const SprtHypotheses& hypotheses) {
  Shares shares{};
  double total = 0;
  bool any = false;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    any = any || pairs[i] > 0;
    shares[i] = pairs[i] > 0 ? pairs[i] : kUnseen;
    total += shares[i];
  }
  if (!any) return 0;
  for (double& share : shares) share /= total;
  const double score0 = ScoreOfElo(hypotheses.elo0);
  const double score1 = ScoreOfElo(hypotheses.elo1);
  const double theta0 = SolveTheta(shares, score0);
  const double theta1 = SolveTheta(shares, score1);
  double mean = 0;
  for (std::size_t i = 0; i < shares.size(); ++i)
    mean += shares[i] * (std::log1p(theta0 * (kScores[i] - score0)) -
                         std::log1p(theta1 * (kScores[i] - score1)));
  return total * mean;
}

SprtDecision Decide(double llr) {
  if (llr >= kSprtBound) return SprtDecision::kH1;
  if (llr <= -kSprtBound) return SprtDecision::kH0;
  return SprtDecision::kRunning;
}

std::string_view ToString(SprtDecision decision) {
  switch (decision) {
    case SprtDecision::kH0:
      return "H0";
    case SprtDecision::kH1:
      return "H1";
    case SprtDecision::kRunning:
      break;
  }
  return "running";
}

}  // namespace apiary::play
