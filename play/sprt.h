// The sequential probability ratio test of a match: is the Elo difference rather elo0 or elo1?
// Pure functions; any thread.
//
// A generalised SPRT (Li, Liu, Ying 2014, as in Stockfish's fishtest) on pairs of games: the two
// games of an opening depend on each other, so the five possible scores of a pair are what is
// counted. The log likelihood ratio compares the likeliest distributions of pair scores that have
// the means of elo0 and elo1.
#pragma once

#include <array>
#include <string_view>

#include "base/result.h"

namespace apiary::play {

// Logistic Elo differences of the two hypotheses, H0 and H1; elo0 < elo1.
struct SprtHypotheses {
  double elo0 = 0;
  double elo1 = 0;
};
// "ELO0,ELO1", each within +-kMaxSprtElo.
inline constexpr double kMaxSprtElo = 1000;
base::Result<SprtHypotheses> ParseSprt(std::string_view text);

// Expected score in (0, 1) of a player who is so many Elo better.
double ScoreOfElo(double elo);

// Pairs by A's points: [0, 0.5, 1, 1.5, 2].
using PairCounts = std::array<int, 5>;

// log(likelihood under H1 / likelihood under H0); 0 without pairs. Scores never seen count as a
// thousandth of a pair, so that the ratio is finite.
double LogLikelihoodRatio(const PairCounts& pairs, const SprtHypotheses& hypotheses);

enum class SprtDecision { kRunning, kH0, kH1 };
// Wald's bounds for error rates alpha = beta = 0.05: +-log(0.95 / 0.05).
inline constexpr double kSprtBound = 2.9444389791664403;
SprtDecision Decide(double llr);
std::string_view ToString(SprtDecision decision);  // "running", "H0", "H1"

}  // namespace apiary::play
