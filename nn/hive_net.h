// The hive-only net (docs/encoding.md, "The net"): residual hex convolutions over the rows of each
// position, global pooling, one logit a legal move, win/draw/loss and the plies left. Shapes: R
// rows, n positions, M moves, C channels.
//   x      = sum of the row features' embeddings + relu(sum of the position features' embeddings) W
//   + b of the row's position block  : x += conv2(relu(conv1(relu(x)))); in every second one also x
//   += [mean, max of relu(x) over the position] G trunk  = relu(x), pooled = [mean, max of trunk]
//   policy : w . relu(source + destination + pooled), a pass has 0
//   value  : relu([pooled, trunk at own queen, at enemy queen] V + b) -> WDL logits, and softplus
//   -> plies left
// conv2, G, w and the value's last layer start at zero: at initialisation a block is the identity,
// the policy uniform. One thread at a time.
#pragma once

#include <torch/torch.h>

#include <optional>
#include <vector>

#include "nn/hex_ops.h"
#include "nn/net_layout.h"
#include "nn/weights.h"

namespace apiary::nn {

struct NetOutput {
  torch::Tensor logits;      // [M]
  torch::Tensor wdl_logits;  // [n, 3], side to move's view
  torch::Tensor moves_left;  // [n], plies, >= 0
};

class HiveNetImpl : public torch::nn::Module {
 public:
  HiveNetImpl(int channels, int blocks);

  NetOutput forward(const BlockTensors& block);
  // From now on the residual blocks compute in `type` (kFloat or kBFloat16), on copies of their
  // weights: for evaluation on the device where the net is. Pooling and heads stay in float.
  void SetTrunkType(torch::ScalarType type);
  // Root mean square of x before the first block and after every block, for tests and logs.
  std::vector<float> ActivationScales(const BlockTensors& block);

  int channels() const { return channels_; }
  int blocks() const { return static_cast<int>(blocks_.size()); }

 private:
  struct ResidualBlock {
    torch::Tensor weight1, bias1, weight2, bias2;  // [7 C, C], [C]
    torch::Tensor pool_weight, pool_bias;  // [2 C, C], [C]; undefined in blocks without pooling
  };
  torch::Tensor Embed(const BlockTensors& block);
  torch::Tensor RunBlock(const ResidualBlock& weights, const torch::Tensor& x,
                         const BlockTensors& block);
  torch::Tensor QueenRows(const torch::Tensor& trunk, const BlockTensors& block);
  // Name the parameters that were registered from the layout.
  void TakeTrunk(int blocks);
  void TakeHeads();

  int channels_;
  std::optional<torch::ScalarType> trunk_type_;  // none: the weights' own
  std::vector<ResidualBlock> blocks_;
  torch::Tensor row_table_, position_table_, position_weight_, position_bias_;
  torch::Tensor row_offsets_, position_offsets_;  // int32, not trained
  torch::Tensor policy_rows_, policy_rows_bias_, policy_position_, policy_hand_, policy_out_;
  torch::Tensor queen_in_hand_, value_weight_, value_bias_, wdl_weight_, wdl_bias_, length_weight_,
      length_bias_;
};
TORCH_MODULE(HiveNet);

// A net at its initialisation; the same seed gives the same weights.
HiveNet MakeNet(const NetSpec& spec, std::uint64_t seed);

// The net's tensors with the spec in the metadata.
TensorFile SaveNet(HiveNet& net, const NetSpec& spec);
struct LoadedNet {
  NetSpec spec;
  HiveNet net;
};
// `name`: the path for messages. Names a tensor that is missing, unknown, or has another shape or
// type than the net's.
base::Result<LoadedNet> LoadNet(const TensorFile& file, const std::string& name);

}  // namespace apiary::nn
