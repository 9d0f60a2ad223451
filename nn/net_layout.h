// The hive-only net's parameters: names, shapes and how they begin. The one list that the
// torch-free net, the LibTorch net and the check of weights files share. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "nn/safetensors.h"
#include "nn/weights.h"

namespace apiary::nn {

inline constexpr float kMovesLeftScale = 30;  // plies; the unit of the moves-left head

struct ParameterLayout {
  std::string name;
  std::vector<std::int64_t> shape;
  double stddev;  // of the normal distribution it is drawn from at first; 0: zeros
};
// In the order of the net's layers. Weights are [inputs, outputs], those of hex convolutions
// [7 inputs, outputs]. Embedding tables have variance 1 / features, so that their sums have 1;
// layers behind a relu sqrt(2 / inputs) (He et al. 2015). The second convolution of a block, its
// pooling layer and the outputs are zero: at first a block is the identity, the policy uniform.
std::vector<ParameterLayout> NetLayout(int channels, int blocks);
// Blocks with a pooling layer: every second one.
constexpr bool HasPooling(int block) { return block % 2 == 1; }

// First index of each feature's values in an embedding table.
std::vector<std::int32_t> RowFeatureOffsets();
std::vector<std::int32_t> PositionFeatureOffsets();

// A net at its initialisation; the same seed gives the same weights.
TensorFile MakeUntrainedNet(const NetSpec& spec, std::uint64_t seed);
// The spec of a weights file of which all tensors are there, float, of the layout's shapes, and no
// others. The error names the tensor. `name`: the path for messages.
base::Result<NetSpec> CheckNet(const TensorFile& file, const std::string& name);

}  // namespace apiary::nn
