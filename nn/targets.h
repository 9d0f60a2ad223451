// What a net is trained towards, for a block of positions. Torch-free plain value.
#pragma once

#include <vector>

#include "nn/evaluator.h"

namespace apiary::nn {

struct Targets {
  std::vector<float>
      policy;  // [M], each position's moves sum to 1 where policy_weight > 0; else ignored
  std::vector<float> policy_weight;      // [n], >= 0; 0 masks the position out of the policy loss
  std::vector<Wdl> wdl;                  // [n], side to move's view, sums to 1
  std::vector<float> value_weight;       // [n], >= 0
  std::vector<float> moves_left;         // [n], plies until the end
  std::vector<float> moves_left_weight;  // [n], >= 0; 0: unknown (a capped game)
  void Clear();                          // keeps the memory
};

}  // namespace apiary::nn
