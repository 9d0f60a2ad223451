#include "nn/hive_net.h"

#include <cmath>
#include <cstring>

namespace apiary::nn {
namespace {

float RootMeanSquare(const torch::Tensor& x) { return std::sqrt(x.square().mean().item<float>()); }

}  // namespace

HiveNetImpl::HiveNetImpl(int channels, int blocks) : channels_(channels) {
  for (const ParameterLayout& parameter : NetLayout(channels, blocks))
    register_parameter(parameter.name, torch::zeros(parameter.shape));
  const auto offsets = [](const std::vector<std::int32_t>& values) {
    return torch::tensor(values, torch::kInt);
  };
  row_offsets_ = register_buffer("rows_offsets", offsets(RowFeatureOffsets()));
  position_offsets_ = register_buffer("position_offsets", offsets(PositionFeatureOffsets()));
  TakeTrunk(blocks);
  TakeHeads();
}

void HiveNetImpl::TakeTrunk(int blocks) {
  const auto parameters = named_parameters();
  row_table_ = parameters["rows_table"];
  position_table_ = parameters["position_table"];
  position_weight_ = parameters["position_weight"];
  position_bias_ = parameters["position_bias"];
  for (int b = 0; b < blocks; ++b) {
    const std::string prefix = fmt::format("block{}_", b);
    ResidualBlock block{parameters[prefix + "weight1"],
                        parameters[prefix + "bias1"],
                        parameters[prefix + "weight2"],
                        parameters[prefix + "bias2"],
                        {},
                        {}};
    if (HasPooling(b)) {
      block.pool_weight = parameters[prefix + "pool_weight"];
      block.pool_bias = parameters[prefix + "pool_bias"];
    }
    blocks_.push_back(block);
  }
}

void HiveNetImpl::TakeHeads() {
  const auto parameters = named_parameters();
  policy_rows_ = parameters["policy_rows"];
  policy_rows_bias_ = parameters["policy_rows_bias"];
  policy_position_ = parameters["policy_position"];
  policy_hand_ = parameters["policy_hand"];
  policy_out_ = parameters["policy_out"];
  queen_in_hand_ = parameters["value_queen_in_hand"];
  value_weight_ = parameters["value_weight"];
  value_bias_ = parameters["value_bias"];
  wdl_weight_ = parameters["value_wdl_weight"];
  wdl_bias_ = parameters["value_wdl_bias"];
  length_weight_ = parameters["value_length_weight"];
  length_bias_ = parameters["value_length_bias"];
}

torch::Tensor HiveNetImpl::Embed(const BlockTensors& block) {
  const torch::Tensor rows =
      EmbedSum(row_table_, block.row_features, row_offsets_, block.reference);
  const torch::Tensor position =
      EmbedSum(position_table_, block.position_features, position_offsets_, block.reference);
  return SegmentAdd(rows, torch::addmm(position_bias_, torch::relu(position), position_weight_),
                    block);
}

torch::Tensor HiveNetImpl::RunBlock(const ResidualBlock& weights, const torch::Tensor& x,
                                    const BlockTensors& block) {
  const torch::Tensor hidden = HexConv(x, weights.weight1, weights.bias1, torch::Tensor(), block);
  const torch::Tensor y = HexConv(hidden, weights.weight2, weights.bias2, x, block);
  if (!weights.pool_weight.defined()) return y;
  const torch::Tensor pooled =
      SegmentPool(torch::relu(y).to(weights.pool_weight.scalar_type()), block);
  const torch::Tensor added = torch::addmm(weights.pool_bias, pooled, weights.pool_weight);
  return SegmentAdd(y, added.to(y.scalar_type()), block);
}

void HiveNetImpl::SetTrunkType(torch::ScalarType type) {
  const torch::NoGradGuard no_grad;
  trunk_type_ = type;
  for (ResidualBlock& block : blocks_) {
    for (torch::Tensor* weight : {&block.weight1, &block.bias1, &block.weight2, &block.bias2})
      *weight = weight->to(type);
  }
}

// [n, 2 C]: the trunk at the own and the enemy queen's row, a learned vector for a queen in hand.
torch::Tensor HiveNetImpl::QueenRows(const torch::Tensor& trunk, const BlockTensors& block) {
  const torch::Tensor hand =
      torch::arange(trunk.size(0), trunk.size(0) + 2, block.queen_rows.options());
  const torch::Tensor index = torch::where(block.queen_rows >= 0, block.queen_rows, hand);
  return torch::cat({trunk, queen_in_hand_})
      .index_select(0, index.flatten())
      .view({block.positions(), -1});
}

NetOutput HiveNetImpl::forward(const BlockTensors& block) {
  torch::Tensor x = Embed(block);
  if (trunk_type_) x = x.to(*trunk_type_);
  for (const ResidualBlock& weights : blocks_) x = RunBlock(weights, x, block);
  const torch::Tensor trunk = torch::relu(x).to(policy_rows_.scalar_type());
  const torch::Tensor pooled = SegmentPool(trunk, block);
  NetOutput out;
  out.logits = PolicyLogits(torch::addmm(policy_rows_bias_, trunk, policy_rows_),
                            torch::mm(pooled, policy_position_), policy_hand_, policy_out_, block);
  const torch::Tensor value = torch::cat({pooled, QueenRows(trunk, block)}, 1);
  const torch::Tensor hidden = torch::relu(torch::addmm(value_bias_, value, value_weight_));
  out.wdl_logits = torch::addmm(wdl_bias_, hidden, wdl_weight_);
  out.moves_left = kMovesLeftScale *
                   torch::softplus(torch::addmm(length_bias_, hidden, length_weight_)).squeeze(1);
  return out;
}

std::vector<float> HiveNetImpl::ActivationScales(const BlockTensors& block) {
  const torch::NoGradGuard no_grad;
  torch::Tensor x = Embed(block);
  std::vector<float> scales{RootMeanSquare(x)};
  for (const ResidualBlock& weights : blocks_) {
    x = RunBlock(weights, x, block);
    scales.push_back(RootMeanSquare(x));
  }
  return scales;
}

HiveNet MakeNet(const NetSpec& spec, std::uint64_t seed) {
  auto loaded = LoadNet(MakeUntrainedNet(spec, seed), "untrained net");
  APIARY_CHECK(loaded.ok(), "{}", loaded.error());
  return loaded->net;
}

TensorFile SaveNet(HiveNet& net, const NetSpec& spec) {
  APIARY_CHECK(net->channels() == spec.channels && net->blocks() == spec.blocks,
               "net {}x{}, spec {}x{}", net->channels(), net->blocks(), spec.channels, spec.blocks);
  TensorFile file;
  WriteSpec(spec, file);
  for (const auto& item : net->named_parameters()) {
    const torch::Tensor value = item.value().detach().to(torch::kCPU, torch::kFloat).contiguous();
    nn::Tensor& tensor = file.tensors[item.key()];
    tensor.shape = value.sizes().vec();
    tensor.bytes.resize(value.nbytes());
    std::memcpy(tensor.bytes.data(), value.const_data_ptr<float>(), tensor.bytes.size());
  }
  return file;
}

base::Result<LoadedNet> LoadNet(const TensorFile& file, const std::string& name) {
  const auto spec = CheckNet(file, name);
  if (!spec) return spec.failure();
  HiveNet net(spec->channels, spec->blocks);
  const torch::NoGradGuard no_grad;
  for (const auto& item : net->named_parameters()) {
    const nn::Tensor& tensor = file.tensors.at(item.key());
    torch::Tensor value = item.value();
    std::memcpy(value.mutable_data_ptr<float>(), tensor.bytes.data(), tensor.bytes.size());
  }
  return LoadedNet{*spec, net};
}

}  // namespace apiary::nn
