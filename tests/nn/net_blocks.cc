#include "tests/nn/net_blocks.h"

#include <cmath>

namespace apiary::nn {

HiveNet BusyNet(int channels, int blocks, std::uint64_t seed) {
  NetSpec spec;
  spec.channels = channels;
  spec.blocks = blocks;
  HiveNet net = MakeNet(spec, seed);
  torch::manual_seed(seed);
  const torch::NoGradGuard no_grad;
  for (const auto& item : net->named_parameters()) {
    torch::Tensor value = item.value();
    if (value.abs().max().item<float>() > 0) continue;
    const double inputs = value.dim() == 2 ? static_cast<double>(value.size(0)) : 16.0;
    value.copy_(torch::randn(value.sizes()) * std::sqrt(1 / inputs));
  }
  return net;
}

}  // namespace apiary::nn
