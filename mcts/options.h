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

// The value that PUCT gives to an unvisited move.
enum class FirstPlay : std::uint8_t {
  kMixed,    // the node's mixed value (Danihelka et al. 2022, eq. 33)
  kReduced,  // the node's average - first_play_reduction * sqrt(prior of the visited moves)
};

struct SearchOptions {
  RootRule root = RootRule::kGumbel;
  InteriorRule interior = InteriorRule::kImprovedPolicy;
  int simulations = 16;      // beside the evaluation of the root
  int considered = 8;        // root moves that enter sequential halving
  double visit_offset = 50;  // c_visit of the Q transform
  double value_scale =
      1.0;  // c_scale of the Q transform; Q in [-1, 1] is mapped to [0, 1] first, as in mctx
  // What a draw is worth to either side in the search, in [-1, 1]; 0: half a win. Below 0 both
  // sides choose lines that are won or lost. Targets and root_wdl stay probabilities.
  double draw_value = 0;
  double c_puct = 1.5;
  double c_puct_base =
      0;  // c_puct grows by log(1 + visits / base) (Silver et al. 2018); 0: it stays
  FirstPlay first_play = FirstPlay::kMixed;
  double first_play_reduction = 0.25;  // in values from -1 to 1
  // Off only to measure what it is worth: ends of the game are values of a leaf, nothing is proven.
  bool proofs = true;
  bool root_noise = true;  // Gumbel noise at the root; off in evaluation and play
  std::uint64_t max_tree_bytes = std::uint64_t{64}
                                 << 20;  // when full, leaves are evaluated but get no edges
  bool reserve_tree = false;             // take the address space of the whole budget at once

  friend bool operator==(const SearchOptions&, const SearchOptions&) = default;
};

}  // namespace apiary::mcts
