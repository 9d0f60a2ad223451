// Training targets of a block of positions and the loss against them: pure functions of the net's
// outputs. One thread.
#pragma once

#include <torch/torch.h>

#include "nn/hive_net.h"
#include "nn/targets.h"

namespace apiary::nn {

struct LossWeights {
  float policy = 1;
  float value = 1;
  float moves_left = 0.1f;
};

// Each part is the weighted mean over the positions whose weight is positive, 0 if there are none.
struct Loss {
  torch::Tensor total;   // scalar with gradient: sum of the parts times LossWeights
  torch::Tensor policy;  // cross entropy, nats; scalars without gradient from here on
  torch::Tensor
      target_entropy;   // of the policy target, nats; policy - target_entropy = KL(target, net)
  torch::Tensor value;  // cross entropy of WDL, nats
  torch::Tensor moves_left;  // Huber of (prediction - target) / kMovesLeftScale, delta 1
};
Loss ComputeLoss(const NetOutput& output, const BlockTensors& block, const Targets& targets,
                 const LossWeights& weights = {});

}  // namespace apiary::nn
