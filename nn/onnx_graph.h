// Writes an ONNX graph node by node. Names of tensors are plain strings; a node's output is named
// after the node. One thread at a time.
#pragma once

#include <nn/onnx_model.pb.h>

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "nn/safetensors.h"

namespace apiary::nn {

// Element types as ONNX numbers them.
inline constexpr std::int32_t kOnnxFloat = 1;
inline constexpr std::int32_t kOnnxInt64 = 7;
inline constexpr std::int32_t kOnnxBool = 9;

inline constexpr std::int64_t kOnnxOpset = 17;
inline constexpr std::int64_t kOnnxIrVersion = 8;

// A known size, or the name of one that each run decides.
using OnnxDimension = std::variant<std::int64_t, std::string>;

class OnnxGraph {
 public:
  using Attribute = std::variant<std::int64_t, std::string, std::vector<std::int64_t>>;
  using Attributes = std::map<std::string, Attribute>;

  // `graph` must outlive this object.
  explicit OnnxGraph(onnx::GraphProto& graph) : graph_(graph) {}

  std::string Input(const std::string& name, std::int32_t type,
                    const std::vector<OnnxDimension>& shape, const std::string& meaning);
  void Output(const std::string& name, std::int32_t type, const std::vector<OnnxDimension>& shape,
              const std::string& meaning);

  // A weight: float.
  std::string Weight(const std::string& name, const Tensor& tensor);
  // A constant; the same values are stored once. Scalars have no dimension.
  std::string Ints(const std::vector<std::int64_t>& values);
  std::string Scalar(std::int64_t value);
  std::string Scalar(float value);

  // Adds a node with one output and returns the output's name: `name`, or one made from the
  // operator and a number.
  std::string Add(const std::string& op, const std::vector<std::string>& inputs,
                  const Attributes& attributes = {}, const std::string& name = "");

 private:
  std::string Constant(const std::string& name, std::int32_t type,
                       const std::vector<std::int64_t>& shape, std::string bytes);

  onnx::GraphProto& graph_;
  std::map<std::string, std::string> constants_;  // type, shape and bytes -> name
};

}  // namespace apiary::nn
