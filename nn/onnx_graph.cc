#include "nn/onnx_graph.h"

#include <fmt/format.h>

#include <bit>

#include "base/check.h"

namespace apiary::nn {
namespace {

static_assert(std::endian::native == std::endian::little);

template <typename T>
std::string BytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

void SetValueInfo(onnx::ValueInfoProto& info, const std::string& name, std::int32_t type,
                  const std::vector<OnnxDimension>& shape, const std::string& meaning) {
  info.set_name(name);
  info.set_doc_string(meaning);
  auto& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  for (const OnnxDimension& size : shape) {
    auto& dimension = *tensor.mutable_shape()->add_dim();
    if (std::holds_alternative<std::string>(size))
      dimension.set_dim_param(std::get<std::string>(size));
    else
      dimension.set_dim_value(std::get<std::int64_t>(size));
  }
}

void SetAttribute(onnx::AttributeProto& attribute, const std::string& name,
                  const OnnxGraph::Attribute& value) {
  attribute.set_name(name);
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(*number);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    attribute.set_type(onnx::AttributeProto::STRING);
    attribute.set_s(*text);
  } else {
    attribute.set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t number_of_list : std::get<std::vector<std::int64_t>>(value))
      attribute.add_ints(number_of_list);
  }
}

}  // namespace

std::string OnnxGraph::Input(const std::string& name, std::int32_t type,
                             const std::vector<OnnxDimension>& shape, const std::string& meaning) {
  SetValueInfo(*graph_.add_input(), name, type, shape, meaning);
  return name;
}

void OnnxGraph::Output(const std::string& name, std::int32_t type,
                       const std::vector<OnnxDimension>& shape, const std::string& meaning) {
  SetValueInfo(*graph_.add_output(), name, type, shape, meaning);
}

std::string OnnxGraph::Weight(const std::string& name, const Tensor& tensor) {
  APIARY_CHECK(tensor.type == TensorType::kF32, "weight {} is not float", name);
  onnx::TensorProto& weight = *graph_.add_initializer();
  weight.set_name(name);
  weight.set_data_type(kOnnxFloat);
  for (const std::int64_t size : tensor.shape) weight.add_dims(size);
  weight.set_raw_data(tensor.bytes.data(), tensor.bytes.size());
  return name;
}

std::string OnnxGraph::Constant(const std::string& name, std::int32_t type,
                                const std::vector<std::int64_t>& shape, std::string bytes) {
  const auto [at, is_new] =
      constants_.emplace(fmt::format("{} {} {}", type, BytesOf(shape), bytes), name);
  if (!is_new) return at->second;
  onnx::TensorProto& constant = *graph_.add_initializer();
  constant.set_name(name);
  constant.set_data_type(type);
  for (const std::int64_t size : shape) constant.add_dims(size);
  constant.set_raw_data(std::move(bytes));
  return name;
}

std::string OnnxGraph::Ints(const std::vector<std::int64_t>& values) {
  return Constant(fmt::format("ints_{}", graph_.initializer_size()), kOnnxInt64,
                  {static_cast<std::int64_t>(values.size())}, BytesOf(values));
}

std::string OnnxGraph::Scalar(std::int64_t value) {
  return Constant(fmt::format("int_{}", graph_.initializer_size()), kOnnxInt64, {},
                  BytesOf(std::vector<std::int64_t>{value}));
}

std::string OnnxGraph::Scalar(float value) {
  return Constant(fmt::format("float_{}", graph_.initializer_size()), kOnnxFloat, {},
                  BytesOf(std::vector<float>{value}));
}

std::string OnnxGraph::Add(const std::string& op, const std::vector<std::string>& inputs,
                           const Attributes& attributes, const std::string& name) {
  onnx::NodeProto& node = *graph_.add_node();
  node.set_op_type(op);
  node.set_name(name.empty() ? fmt::format("{}_{}", op, graph_.node_size()) : name);
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(node.name());
  for (const auto& [key, value] : attributes) SetAttribute(*node.add_attribute(), key, value);
  return node.name();
}

}  // namespace apiary::nn
