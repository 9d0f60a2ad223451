#include "nn/onnx_node.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace apiary::nn {

void OnnxNode::Expect(std::size_t least, std::size_t most,
                      std::initializer_list<std::string_view> attributes) const {
  Require(inputs_.size() >= least && inputs_.size() <= most, "{} inputs, expected {} to {}",
          inputs_.size(), least, most);
  for (const onnx::AttributeProto& attribute : proto_.attribute())
    Require(std::find(attributes.begin(), attributes.end(), attribute.name()) != attributes.end(),
            "attribute \"{}\" is not supported", attribute.name());
}

const OnnxValue& OnnxNode::Floats(std::size_t i) const {
  Require(input(i).type == OnnxValue::Type::kFloat, "input {} is not float", i);
  return input(i);
}
const OnnxValue& OnnxNode::Ints(std::size_t i) const {
  Require(input(i).type == OnnxValue::Type::kInt64, "input {} is not int64", i);
  return input(i);
}
const OnnxValue& OnnxNode::Bools(std::size_t i) const {
  Require(input(i).type == OnnxValue::Type::kBool, "input {} is not bool", i);
  return input(i);
}
const OnnxValue& OnnxNode::Matrix(std::size_t i) const {
  Require(Floats(i).shape.size() == 2, "input {} has {} axes, expected 2", i,
          input(i).shape.size());
  return input(i);
}
std::int64_t OnnxNode::OneInt(std::size_t i) const {
  Require(Ints(i).size() == 1, "input {} has {} elements, expected 1", i, input(i).size());
  return input(i).ints[0];
}

const onnx::AttributeProto* OnnxNode::Find(std::string_view name) const {
  for (const onnx::AttributeProto& attribute : proto_.attribute())
    if (attribute.name() == name) return &attribute;
  return nullptr;
}
std::int64_t OnnxNode::Attribute(std::string_view name, std::int64_t otherwise) const {
  const onnx::AttributeProto* const found = Find(name);
  if (found == nullptr) return otherwise;
  Require(found->type() == onnx::AttributeProto::INT, "attribute \"{}\" is not a number", name);
  return found->i();
}
std::string OnnxNode::Text(std::string_view name, const std::string& otherwise) const {
  const onnx::AttributeProto* const found = Find(name);
  if (found == nullptr) return otherwise;
  Require(found->type() == onnx::AttributeProto::STRING, "attribute \"{}\" is not text", name);
  return found->s();
}
std::vector<std::int64_t> OnnxNode::List(std::string_view name) const {
  const onnx::AttributeProto* const found = Find(name);
  if (found == nullptr) return {};
  Require(found->type() == onnx::AttributeProto::INTS, "attribute \"{}\" is not a list", name);
  return {found->ints().begin(), found->ints().end()};
}

std::size_t OnnxNode::Axis(std::int64_t axis, std::size_t axes) const {
  const auto count = static_cast<std::int64_t>(axes);
  Require(axis >= -count && axis < count, "axis {} of {}", axis, axes);
  return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
}

OnnxAxisView AroundAxis(const std::vector<std::int64_t>& shape, std::size_t axis) {
  OnnxAxisView view;
  for (std::size_t i = 0; i < shape.size(); ++i)
    (i < axis ? view.before : i == axis ? view.along : view.behind) *= shape[i];
  return view;
}

std::vector<std::int64_t> BroadcastShape(const OnnxNode& node, const std::vector<std::int64_t>& a,
                                         const std::vector<std::int64_t>& b) {
  std::vector<std::int64_t> shape(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < shape.size(); ++i) {  // from the last axis on
    const std::int64_t of_a = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t of_b = i < b.size() ? b[b.size() - 1 - i] : 1;
    node.Require(of_a == of_b || of_a == 1 || of_b == 1, "shapes [{}] and [{}] do not go together",
                 fmt::join(a, ", "), fmt::join(b, ", "));
    shape[shape.size() - 1 - i] = of_a == 1 ? of_b : of_a;
  }
  return shape;
}

std::vector<std::size_t> BroadcastPlaces(const OnnxNode& node,
                                         const std::vector<std::int64_t>& from,
                                         const std::vector<std::int64_t>& to) {
  node.Require(BroadcastShape(node, from, to) == to, "shape [{}] does not become [{}]",
               fmt::join(from, ", "), fmt::join(to, ", "));
  // Axis by axis from the first: each place becomes as many as the axis is long.
  std::vector<std::size_t> places = {0};
  for (std::size_t axis = 0; axis < to.size(); ++axis) {
    const std::size_t missing = to.size() - from.size();
    const bool moves = axis >= missing && from[axis - missing] != 1;
    const auto along = static_cast<std::size_t>(to[axis]);
    const std::size_t scale = axis >= missing ? static_cast<std::size_t>(from[axis - missing]) : 1;
    std::vector<std::size_t> next;
    next.reserve(places.size() * along);
    for (const std::size_t place : places)
      for (std::size_t i = 0; i < along; ++i) next.push_back(place * scale + (moves ? i : 0));
    places = std::move(next);
  }
  return places;
}

}  // namespace apiary::nn
