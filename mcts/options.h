// Settings of a search. Plain values; any thread.
#pragma once

#include <cstdint>

namespace apiary::mcts {

enum class RootRule : std::uint8_t {
  kGumbel,  // sequential halving over Gumbel-perturbed priors (Danihelka et al. 2022)
  kPuct,    // visit counts with PUCT at the root too (Silver et al. 2018), Dirichlet noise off
};
enum class InteriorRule : std::uint8_t {
  kImprovedPolicy,  // argmax of improved policy - visits / (1 + sum of visits) (Danihelka et al.
                    // 2022, eq. 14)
  kPuct,
};

struct SearchOptions {
  RootRule root = RootRule::kGumbel;
  InteriorRule interior = InteriorRule::kImprovedPolicy;
  int simulations = 16;      // beside the evaluation of the root
  int considered = 8;        // root moves that enter sequential halving
  double visit_offset = 50;  // c_visit of the Q transform
  double value_scale =
      1.0;  // c_scale of the Q transform; Q in [-1, 1] is mapped to [0, 1] first, as in mctx
  double c_puct = 1.5;
  bool root_noise = true;  // Gumbel noise at the root; off in evaluation and play
  std::uint64_t max_tree_bytes = std::uint64_t{64}
                                 << 20;  // when full, leaves are evaluated but get no edges
};

}  // namespace apiary::mcts
