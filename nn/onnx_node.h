// A node of an ONNX graph with its inputs, as the operators read it: every reading checks. Threads:
// as the node.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/result.h"
#include "nn/onnx_operators.h"

namespace apiary::nn {

class OnnxNode {
 public:
  OnnxNode(const onnx::NodeProto& proto, std::span<const OnnxValue* const> inputs)
      : proto_(proto), inputs_(inputs) {}

  const std::string& op() const { return proto_.op_type(); }

  template <typename... Args>
  [[noreturn]] void Refuse(fmt::format_string<Args...> format, Args&&... args) const {
    throw Error(fmt::format("node \"{}\" ({}): {}", proto_.name(), op(),
                            fmt::format(format, std::forward<Args>(args)...)));
  }
  template <typename... Args>
  void Require(bool condition, fmt::format_string<Args...> format, Args&&... args) const {
    if (!condition) Refuse(format, std::forward<Args>(args)...);
  }

  // Between `least` and `most` inputs, and no attributes but these.
  void Expect(std::size_t least, std::size_t most,
              std::initializer_list<std::string_view> attributes = {}) const;
  std::size_t input_count() const { return inputs_.size(); }
  const OnnxValue& input(std::size_t i) const { return *inputs_[i]; }
  const OnnxValue& Floats(std::size_t i) const;
  const OnnxValue& Ints(std::size_t i) const;
  const OnnxValue& Bools(std::size_t i) const;
  const OnnxValue& Matrix(std::size_t i) const;  // float, two axes
  // The one element of an int64 tensor.
  std::int64_t OneInt(std::size_t i) const;

  std::int64_t Attribute(std::string_view name, std::int64_t otherwise) const;
  std::string Text(std::string_view name, const std::string& otherwise) const;
  // A list; empty if it is not there.
  std::vector<std::int64_t> List(std::string_view name) const;

  // An axis of a tensor with so many; a negative one counts from the last.
  std::size_t Axis(std::int64_t axis, std::size_t axes) const;

 private:
  const onnx::AttributeProto* Find(std::string_view name) const;

  const onnx::NodeProto& proto_;
  std::span<const OnnxValue* const> inputs_;
};

// Operators that move elements about (onnx_shape_operators.cc); false where `node` is none of them.
bool RunOnnxShapeOperator(const OnnxNode& node, OnnxValue& out);

// A tensor seen around one axis: [before, along, behind].
struct OnnxAxisView {
  std::int64_t before = 1, along = 1, behind = 1;
};
OnnxAxisView AroundAxis(const std::vector<std::int64_t>& shape, std::size_t axis);

// For each element of a tensor of shape `to`, where it lies in one of shape `from` that is
// broadcast to it.
std::vector<std::size_t> BroadcastPlaces(const OnnxNode& node,
                                         const std::vector<std::int64_t>& from,
                                         const std::vector<std::int64_t>& to);
// The shape that tensors of these shapes are broadcast to.
std::vector<std::int64_t> BroadcastShape(const OnnxNode& node, const std::vector<std::int64_t>& a,
                                         const std::vector<std::int64_t>& b);

}  // namespace apiary::nn
