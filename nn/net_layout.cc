#include "nn/net_layout.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/random.h"
#include "env/encoder.h"
#include "nn/matrix_product.h"

namespace apiary::nn {
namespace {

template <std::size_t kCount>
std::vector<std::int32_t> Offsets(const std::array<env::FeatureInfo, kCount>& features) {
  std::vector<std::int32_t> offsets;
  int total = 0;
  for (const env::FeatureInfo& feature : features) {
    offsets.push_back(total);
    total += feature.range;
  }
  return offsets;
}
template <std::size_t kCount>
std::int64_t TotalRange(const std::array<env::FeatureInfo, kCount>& features) {
  return Offsets(features).back() + features.back().range;
}

double He(std::int64_t inputs) { return std::sqrt(2.0 / static_cast<double>(inputs)); }

void AddTrunk(std::int64_t c, int blocks, std::vector<ParameterLayout>& layout) {
  layout.push_back({"rows_table",
                    {TotalRange(env::kRowFeatures), c},
                    1 / std::sqrt(static_cast<double>(env::kNumRowFeatures))});
  layout.push_back({"position_table",
                    {TotalRange(env::kPositionFeatures), c},
                    1 / std::sqrt(static_cast<double>(env::kNumPositionFeatures))});
  layout.push_back({"position_weight", {c, c}, He(c)});
  layout.push_back({"position_bias", {c}, 0});
  for (int b = 0; b < blocks; ++b) {
    const std::string prefix = fmt::format("block{}_", b);
    layout.push_back({prefix + "weight1", {kTaps * c, c}, He(kTaps * c)});
    layout.push_back({prefix + "bias1", {c}, 0});
    layout.push_back({prefix + "weight2", {kTaps * c, c}, 0});
    layout.push_back({prefix + "bias2", {c}, 0});
    if (!HasPooling(b)) continue;
    layout.push_back({prefix + "pool_weight", {2 * c, c}, 0});
    layout.push_back({prefix + "pool_bias", {c}, 0});
  }
}

void AddHeads(std::int64_t c, std::vector<ParameterLayout>& layout) {
  layout.push_back({"policy_rows", {c, 2 * c}, He(c)});
  layout.push_back({"policy_rows_bias", {2 * c}, 0});
  layout.push_back({"policy_position", {2 * c, 2 * c}, He(2 * c)});
  layout.push_back({"policy_hand", {env::kNumPieceTypes, c}, 1});
  layout.push_back({"policy_out", {c}, 0});
  layout.push_back({"value_queen_in_hand", {2, c}, 1});
  layout.push_back({"value_weight", {4 * c, 2 * c}, He(4 * c)});
  layout.push_back({"value_bias", {2 * c}, 0});
  layout.push_back({"value_wdl_weight", {2 * c, 3}, 0});
  layout.push_back({"value_wdl_bias", {3}, 0});
  layout.push_back({"value_length_weight", {2 * c, 1}, 0});
  layout.push_back({"value_length_bias", {1}, 0});
}

std::size_t Count(const ParameterLayout& parameter) {
  std::size_t count = 1;
  for (const std::int64_t size : parameter.shape) count *= static_cast<std::size_t>(size);
  return count;
}

}  // namespace

std::vector<ParameterLayout> NetLayout(int channels, int blocks) {
  APIARY_CHECK(channels > 0 && channels % kChannelStep == 0 && blocks > 0, "{} channels, {} blocks",
               channels, blocks);
  std::vector<ParameterLayout> layout;
  AddTrunk(channels, blocks, layout);
  AddHeads(channels, layout);
  return layout;
}

std::vector<std::int32_t> RowFeatureOffsets() { return Offsets(env::kRowFeatures); }
std::vector<std::int32_t> PositionFeatureOffsets() { return Offsets(env::kPositionFeatures); }

TensorFile MakeUntrainedNet(const NetSpec& spec, std::uint64_t seed) {
  TensorFile file;
  WriteSpec(spec, file);
  std::uint64_t index = 0;
  for (const ParameterLayout& parameter : NetLayout(spec.channels, spec.blocks)) {
    base::RandomStream random(seed, {index++});
    std::vector<float> values(Count(parameter));
    if (parameter.stddev > 0) {
      for (float& value : values) value = static_cast<float>(parameter.stddev * random.Normal());
    }
    Tensor& tensor = file.tensors[parameter.name];
    tensor.shape = parameter.shape;
    tensor.bytes.resize(values.size() * sizeof(float));
    std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  }
  return file;
}

base::Result<NetSpec> CheckNet(const TensorFile& file, const std::string& name) {
  auto spec = ReadSpec(file, name);
  if (!spec) return spec.failure();
  const std::vector<ParameterLayout> layout = NetLayout(spec->channels, spec->blocks);
  for (const ParameterLayout& parameter : layout) {
    const auto found = file.tensors.find(parameter.name);
    if (found == file.tensors.end())
      return base::Fail("{}: tensor \"{}\" is missing", name, parameter.name);
    const Tensor& tensor = found->second;
    if (tensor.type != TensorType::kF32)
      return base::Fail("{}: tensor \"{}\" is not F32", name, parameter.name);
    if (tensor.shape != parameter.shape)
      return base::Fail("{}: tensor \"{}\" has shape [{}], expected [{}]", name, parameter.name,
                        fmt::join(tensor.shape, ", "), fmt::join(parameter.shape, ", "));
  }
  for (const auto& tensor : file.tensors) {
    const std::string& key = tensor.first;  // clang before 16 captures no structured bindings
    if (std::none_of(layout.begin(), layout.end(),
                     [&](const ParameterLayout& parameter) { return parameter.name == key; }))
      return base::Fail("{}: unknown tensor \"{}\"", name, key);
  }
  return spec;
}

}  // namespace apiary::nn
