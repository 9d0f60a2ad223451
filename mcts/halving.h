// The schedule of sequential halving and the transforms of Gumbel MuZero (Danihelka et al. 2022;
// mctx), as pure functions. Any thread; allocates only where a vector given must grow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace apiary::mcts {

// One round: each of the `survivors` best root moves gets one visit. The rounds of a search in
// order; the sum of survivors is exactly `simulations` (the last round may be cut). Equal to mctx's
// get_sequence_of_considered_visits flattened.
struct HalvingRound {
  int survivors = 0;
  int visit = 0;  // visits each survivor has before the round
  friend bool operator==(const HalvingRound&, const HalvingRound&) = default;
};
// Overwrites `rounds`.
void HalvingSchedule(int considered, int simulations, std::vector<HalvingRound>& rounds);

// v_mix (Danihelka et al. 2022, eq. 33): the value given to unvisited moves. All values in the
// root's view, [-1, 1].
float MixedValue(float raw_value, std::span<const float> priors,
                 std::span<const std::uint32_t> visits, std::span<const float> q);

// sigma(q) = (visit_offset + max visits) * value_scale * (q + 1) / 2.
float TransformQ(float q, std::uint32_t max_visits, double visit_offset, double value_scale);

// softmax(logits + sigma(completed q)) into `improved`, all spans [moves].
void ImprovedPolicy(std::span<const float> logits, std::span<const float> completed_q,
                    std::uint32_t max_visits, double visit_offset, double value_scale,
                    std::span<float> improved);

}  // namespace apiary::mcts
