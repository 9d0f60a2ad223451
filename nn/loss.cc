#include "nn/loss.h"

namespace apiary::nn {
namespace {

torch::Tensor ToTensor(const std::vector<float>& values, torch::Device device) {
  return torch::tensor(values, torch::kFloat).to(device);
}

torch::Tensor WeightedMean(const torch::Tensor& values, const torch::Tensor& weights) {
  // Selected rather than multiplied by 0: a masked position may hold anything.
  const torch::Tensor used = torch::where(weights > 0, values * weights, torch::zeros_like(values));
  return used.sum() / weights.sum().clamp_min(1e-12f);
}

// Mean entropy of the policy targets, weighted like the loss.
float TargetEntropy(const Targets& targets, const std::vector<std::int32_t>& move_begin) {
  double sum = 0, weight = 0;
  for (std::size_t p = 0; p < targets.policy_weight.size(); ++p) {
    if (!(targets.policy_weight[p] > 0)) continue;
    double entropy = 0;
    for (std::int32_t m = move_begin[p]; m < move_begin[p + 1]; ++m) {
      const double t = targets.policy[static_cast<std::size_t>(m)];
      if (t > 0) entropy -= t * std::log(t);
    }
    sum += targets.policy_weight[p] * entropy;
    weight += targets.policy_weight[p];
  }
  return static_cast<float>(weight > 0 ? sum / weight : 0);
}

}  // namespace

Loss ComputeLoss(const NetOutput& output, const BlockTensors& block, const Targets& targets,
                 const LossWeights& weights) {
  const std::size_t n = static_cast<std::size_t>(block.positions());
  APIARY_CHECK(targets.policy.size() == static_cast<std::size_t>(block.move_count()) &&
                   targets.policy_weight.size() == n && targets.wdl.size() == n &&
                   targets.value_weight.size() == n && targets.moves_left.size() == n &&
                   targets.moves_left_weight.size() == n,
               "targets do not fit a block of {} positions and {} moves", n, block.move_count());
  const torch::Device device = output.logits.device();
  const torch::Tensor begin = block.move_begin.cpu();
  const std::vector<std::int32_t> move_begin(begin.const_data_ptr<std::int32_t>(),
                                             begin.const_data_ptr<std::int32_t>() + n + 1);
  std::vector<float> wdl;
  wdl.reserve(3 * n);
  for (const Wdl& w : targets.wdl) wdl.insert(wdl.end(), {w.win, w.draw, w.loss});

  const torch::Tensor policy =
      WeightedMean(SegmentCrossEntropy(output.logits, ToTensor(targets.policy, device), block),
                   ToTensor(targets.policy_weight, device));
  const torch::Tensor value_each =
      -(ToTensor(wdl, device).view({-1, 3}) * torch::log_softmax(output.wdl_logits, 1)).sum(1);
  const torch::Tensor value = WeightedMean(value_each, ToTensor(targets.value_weight, device));
  const torch::Tensor length_each = torch::huber_loss(
      output.moves_left / kMovesLeftScale, ToTensor(targets.moves_left, device) / kMovesLeftScale,
      at::Reduction::None, 1.0);
  const torch::Tensor length =
      WeightedMean(length_each, ToTensor(targets.moves_left_weight, device));

  Loss loss;
  loss.total = weights.policy * policy + weights.value * value + weights.moves_left * length;
  loss.policy = policy.detach();
  loss.target_entropy = torch::tensor(TargetEntropy(targets, move_begin));
  loss.value = value.detach();
  loss.moves_left = length.detach();
  return loss;
}

}  // namespace apiary::nn
