#include "nn/onnx_evaluator.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/files.h"
#include "nn/onnx_graph.h"

namespace apiary::nn {
namespace {

constexpr std::array<const char*, 7> kInputs = {"row_features", "neighbors", "position_features",
                                                "queen_rows",   "moves",     "row_begin",
                                                "move_begin"};
constexpr std::array<const char*, 3> kOutputs = {"logits", "wdl", "moves_left"};

template <typename Info>
bool HasNames(const Info& infos, std::span<const char* const> names) {
  return std::equal(infos.begin(), infos.end(), names.begin(), names.end(),
                    [](const auto& info, const char* name) { return info.name() == name; });
}

// Elements of a block's array, seen as [count, width].
template <typename Part, typename Values>
OnnxValue Widen(const Values& values, std::int64_t width) {
  static_assert(sizeof(values[0]) % sizeof(Part) == 0);
  const auto* const begin = reinterpret_cast<const Part*>(values.data());
  const std::size_t parts = values.size() * sizeof(values[0]) / sizeof(Part);
  std::vector<std::int64_t> shape = {static_cast<std::int64_t>(parts) / width};
  if (width > 1) shape.push_back(width);
  return OnnxInts(shape, std::vector<std::int64_t>(begin, begin + parts));
}

std::map<std::string, OnnxValue> Inputs(const env::Block& block) {
  return {{"row_features", Widen<std::uint8_t>(block.row_features, env::kNumRowFeatures)},
          {"neighbors", Widen<std::int32_t>(block.neighbors, env::kNumDirections)},
          {"position_features",
           Widen<std::uint8_t>(block.position_features, env::kNumPositionFeatures)},
          {"queen_rows", Widen<std::int32_t>(block.queen_rows, 2)},
          {"moves", Widen<std::int32_t>(block.moves, 2)},
          {"row_begin", Widen<std::int32_t>(block.row_begin, 1)},
          {"move_begin", Widen<std::int32_t>(block.move_begin, 1)}};
}

// Copies an output of exactly this size.
void CopyOut(const OnnxValue& value, const char* name, float* out, std::size_t size) {
  if (!value.is_float() || value.floats.size() != size)
    throw Error(
        fmt::format("output \"{}\" has {} floats, expected {}", name, value.floats.size(), size));
  std::copy(value.floats.begin(), value.floats.end(), out);
}

}  // namespace

OnnxEvaluator::OnnxEvaluator(onnx::ModelProto model) : model_(std::move(model)) {
  for (const onnx::TensorProto& tensor : model_.graph().initializer())
    constants_[tensor.name()] = ReadOnnxTensor(tensor);
  for (int i = 0; i < model_.graph().node_size(); ++i)
    for (const std::string& name : model_.graph().node(i).input()) last_use_[name] = i;
  for (const onnx::ValueInfoProto& output : model_.graph().output()) last_use_.erase(output.name());
}

void OnnxEvaluator::Submit(const env::Block& block, Evaluation& evaluation) {
  std::map<std::string, OnnxValue> values = Inputs(block);
  const auto find = [&](const std::string& name) -> const OnnxValue& {
    if (const auto value = values.find(name); value != values.end()) return value->second;
    const auto constant = constants_.find(name);
    if (constant == constants_.end())
      throw Error(fmt::format("tensor \"{}\" is used before it is there", name));
    return constant->second;
  };
  for (int i = 0; i < model_.graph().node_size(); ++i) {
    const onnx::NodeProto& node = model_.graph().node(i);
    std::vector<const OnnxValue*> inputs;
    for (const std::string& name : node.input()) inputs.push_back(&find(name));
    if (node.output_size() != 1)
      throw Error(fmt::format("node \"{}\" has {} outputs", node.name(), node.output_size()));
    values[node.output(0)] = RunOnnxNode(node, inputs);
    for (const std::string& name : node.input())
      if (const auto last = last_use_.find(name); last != last_use_.end() && last->second == i)
        values.erase(name);
  }
  Resize(block, evaluation);
  CopyOut(find("logits"), "logits", evaluation.logits.data(), evaluation.logits.size());
  static_assert(sizeof(Wdl) == 3 * sizeof(float));
  CopyOut(find("wdl"), "wdl", reinterpret_cast<float*>(evaluation.wdl.data()),
          3 * evaluation.wdl.size());
  CopyOut(find("moves_left"), "moves_left", evaluation.moves_left.data(),
          evaluation.moves_left.size());
  CheckFinite(block, evaluation);
}

std::string OnnxEvaluator::Describe() const {
  return fmt::format("{} generation {} from ONNX, by its definition", model_.graph().name(),
                     model_.model_version());
}

base::Result<std::unique_ptr<Evaluator>> MakeOnnxEvaluator(const std::string& path) {
  const auto bytes = base::ReadFile(path);
  if (!bytes) return bytes.failure();
  onnx::ModelProto model;
  if (!model.ParseFromString(*bytes) || !model.has_graph())
    return base::Fail("{}: not an ONNX model", path);
  if (model.opset_import_size() != 1 || model.opset_import(0).version() != kOnnxOpset)
    return base::Fail("{}: expected operator set {} alone", path, kOnnxOpset);
  if (!HasNames(model.graph().input(), kInputs) || !HasNames(model.graph().output(), kOutputs))
    return base::Fail("{}: the inputs and outputs are not those of a net of this program", path);
  try {
    return std::unique_ptr<Evaluator>(std::make_unique<OnnxEvaluator>(std::move(model)));
  } catch (const Error& error) {
    return base::Fail("{}: {}", path, error.what());
  }
}

}  // namespace apiary::nn
