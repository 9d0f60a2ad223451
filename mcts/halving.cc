#include "mcts/halving.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "mcts/softmax.h"

namespace apiary::mcts {

// mctx seq_halving.get_sequence_of_considered_visits: a phase gives every survivor the same number
// of visits, phases share the simulations evenly, and the number of survivors halves from phase to
// phase but stays at two or more.
void HalvingSchedule(int considered, int simulations, std::vector<HalvingRound>& rounds) {
  APIARY_CHECK(considered >= 1, "considered = {}", considered);
  APIARY_CHECK(simulations >= 0, "simulations = {}", simulations);
  int phases = 0;  // ceil(log2(considered))
  while ((1 << phases) < considered) ++phases;
  rounds.clear();
  int survivors = considered;
  int visit = 0;
  int left = simulations;
  while (left > 0) {
    const int rounds_of_phase =
        phases == 0 ? left : std::max(1, simulations / (phases * survivors));
    for (int i = 0; i < rounds_of_phase && left > 0; ++i) {
      const int visited = std::min(survivors, left);
      rounds.push_back({.survivors = visited, .visit = visit++});
      left -= visited;
    }
    if (phases > 0) survivors = std::max(2, survivors / 2);
  }
}

float MixedValue(float raw_value, std::span<const float> priors,
                 std::span<const std::uint32_t> visits, std::span<const float> q) {
  float visit_sum = 0;
  float prior_sum = 0;
  float weighted_q = 0;
  for (std::size_t i = 0; i < visits.size(); ++i) {
    if (visits[i] == 0) continue;
    visit_sum += static_cast<float>(visits[i]);
    prior_sum += priors[i];
    weighted_q += priors[i] * q[i];
  }
  if (prior_sum <= 0) return raw_value;
  return (raw_value + visit_sum * (weighted_q / prior_sum)) / (1 + visit_sum);
}

float TransformQ(float q, std::uint32_t max_visits, double visit_offset, double value_scale) {
  return static_cast<float>((visit_offset + max_visits) * value_scale) * ((q + 1) / 2);
}

void ImprovedPolicy(std::span<const float> logits, std::span<const float> completed_q,
                    std::uint32_t max_visits, double visit_offset, double value_scale,
                    std::span<float> improved) {
  for (std::size_t i = 0; i < logits.size(); ++i)
    improved[i] = logits[i] + TransformQ(completed_q[i], max_visits, visit_offset, value_scale);
  SoftmaxInPlace(improved);
}

}  // namespace apiary::mcts
