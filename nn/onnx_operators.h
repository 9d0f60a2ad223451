// The operators of ONNX's standard set (version 17) that our exports use, on plain tensors, written
// from the operators' definitions and not for speed: with them a written file is evaluated again.
// Anything that a definition forbids (shapes, types, indices, unknown operators or attributes)
// throws apiary::Error. Pure functions; any thread.
#pragma once

#include <nn/onnx_model.pb.h>

#include <cstdint>
#include <span>
#include <vector>

namespace apiary::nn {

// A tensor: row-major. Truth values are kept as int64, 0 or 1, with a type of their own.
struct OnnxValue {
  enum class Type { kFloat, kInt64, kBool };
  Type type = Type::kInt64;
  std::vector<std::int64_t> shape;
  std::vector<float> floats;       // kFloat
  std::vector<std::int64_t> ints;  // kInt64, kBool

  bool is_float() const { return type == Type::kFloat; }
  std::int64_t size() const;  // by the shape
};
OnnxValue OnnxFloats(std::vector<std::int64_t> shape, std::vector<float> values);
OnnxValue OnnxInts(std::vector<std::int64_t> shape, std::vector<std::int64_t> values);

// Of an initializer.
OnnxValue ReadOnnxTensor(const onnx::TensorProto& tensor);

// The one output of a node.
OnnxValue RunOnnxNode(const onnx::NodeProto& node, std::span<const OnnxValue* const> inputs);

}  // namespace apiary::nn
