#include "nn/hive_net.h"

#include <fmt/ranges.h>

#include <cmath>
#include <cstring>

#include "nn/hex_kernels.h"

namespace apiary::nn {
namespace {

template <std::size_t kCount>
int TotalRange(const std::array<env::FeatureInfo, kCount>& features) {
  int total = 0;
  for (const env::FeatureInfo& feature : features) total += feature.range;
  return total;
}
// Where each feature's values begin in the embedding table.
template <std::size_t kCount>
torch::Tensor Offsets(const std::array<env::FeatureInfo, kCount>& features) {
  std::vector<std::int32_t> offsets;
  int total = 0;
  for (const env::FeatureInfo& feature : features) {
    offsets.push_back(total);
    total += feature.range;
  }
  return torch::tensor(offsets, torch::kInt);
}

// He et al. 2015: keeps the scale through a linear layer behind a relu.
torch::Tensor He(std::int64_t inputs, std::int64_t outputs) {
  return torch::randn({inputs, outputs}) * std::sqrt(2.0 / static_cast<double>(inputs));
}

float RootMeanSquare(const torch::Tensor& x) { return std::sqrt(x.square().mean().item<float>()); }

}  // namespace

HiveNetImpl::HiveNetImpl(int channels, int blocks) : channels_(channels) {
  APIARY_CHECK(channels > 0 && channels % kChannelStep == 0 && blocks > 0, "{} channels, {} blocks",
               channels, blocks);
  RegisterTrunk(blocks);
  RegisterHeads();
}

void HiveNetImpl::RegisterTrunk(int blocks) {
  const std::int64_t c = channels_;
  // A sum of F embeddings of variance 1 / F has variance 1.
  row_table_ =
      register_parameter("rows_table", torch::randn({TotalRange(env::kRowFeatures), c}) /
                                           std::sqrt(static_cast<double>(env::kNumRowFeatures)));
  position_table_ = register_parameter(
      "position_table", torch::randn({TotalRange(env::kPositionFeatures), c}) /
                            std::sqrt(static_cast<double>(env::kNumPositionFeatures)));
  position_weight_ = register_parameter("position_weight", He(c, c));
  position_bias_ = register_parameter("position_bias", torch::zeros({c}));
  row_offsets_ = register_buffer("rows_offsets", Offsets(env::kRowFeatures));
  position_offsets_ = register_buffer("position_offsets", Offsets(env::kPositionFeatures));
  for (int b = 0; b < blocks; ++b) {
    const std::string prefix = fmt::format("block{}_", b);
    ResidualBlock block;
    block.weight1 = register_parameter(prefix + "weight1", He(kTaps * c, c));
    block.bias1 = register_parameter(prefix + "bias1", torch::zeros({c}));
    block.weight2 = register_parameter(prefix + "weight2", torch::zeros({kTaps * c, c}));
    block.bias2 = register_parameter(prefix + "bias2", torch::zeros({c}));
    if (b % 2 == 1) {
      block.pool_weight = register_parameter(prefix + "pool_weight", torch::zeros({2 * c, c}));
      block.pool_bias = register_parameter(prefix + "pool_bias", torch::zeros({c}));
    }
    blocks_.push_back(block);
  }
}

void HiveNetImpl::RegisterHeads() {
  const std::int64_t c = channels_;
  policy_rows_ = register_parameter("policy_rows", He(c, 2 * c));
  policy_rows_bias_ = register_parameter("policy_rows_bias", torch::zeros({2 * c}));
  policy_position_ = register_parameter("policy_position", He(2 * c, 2 * c));
  policy_hand_ = register_parameter("policy_hand", torch::randn({env::kNumPieceTypes, c}));
  policy_out_ = register_parameter("policy_out", torch::zeros({c}));
  queen_in_hand_ = register_parameter("value_queen_in_hand", torch::randn({2, c}));
  value_weight_ = register_parameter("value_weight", He(4 * c, 2 * c));
  value_bias_ = register_parameter("value_bias", torch::zeros({2 * c}));
  wdl_weight_ = register_parameter("value_wdl_weight", torch::zeros({2 * c, 3}));
  wdl_bias_ = register_parameter("value_wdl_bias", torch::zeros({3}));
  length_weight_ = register_parameter("value_length_weight", torch::zeros({2 * c, 1}));
  length_bias_ = register_parameter("value_length_bias", torch::zeros({1}));
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
  const torch::Tensor pooled = SegmentPool(torch::relu(y), block);
  return SegmentAdd(y, torch::addmm(weights.pool_bias, pooled, weights.pool_weight), block);
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
  for (const ResidualBlock& weights : blocks_) x = RunBlock(weights, x, block);
  const torch::Tensor trunk = torch::relu(x);
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
  torch::manual_seed(seed);
  return HiveNet(spec.channels, spec.blocks);
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
  auto spec = ReadSpec(file, name);
  if (!spec) return spec.failure();
  HiveNet net(spec->channels, spec->blocks);
  const torch::NoGradGuard no_grad;
  const auto parameters = net->named_parameters();
  for (const auto& item : parameters) {
    const auto found = file.tensors.find(item.key());
    if (found == file.tensors.end())
      return base::Fail("{}: tensor \"{}\" is missing", name, item.key());
    const nn::Tensor& tensor = found->second;
    if (tensor.type != TensorType::kF32)
      return base::Fail("{}: tensor \"{}\" is not F32", name, item.key());
    if (tensor.shape != item.value().sizes().vec())
      return base::Fail("{}: tensor \"{}\" has shape [{}], expected [{}]", name, item.key(),
                        fmt::join(tensor.shape, ", "), fmt::join(item.value().sizes().vec(), ", "));
    torch::Tensor value = item.value();
    std::memcpy(value.mutable_data_ptr<float>(), tensor.bytes.data(), tensor.bytes.size());
  }
  for (const auto& [key, tensor] : file.tensors)
    if (!parameters.contains(key)) return base::Fail("{}: unknown tensor \"{}\"", name, key);
  return LoadedNet{*spec, net};
}

}  // namespace apiary::nn
