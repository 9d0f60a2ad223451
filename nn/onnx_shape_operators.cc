#include <algorithm>
#include <map>

#include "nn/onnx_node.h"

namespace apiary::nn {
namespace {

std::size_t AsSize(std::int64_t value) { return static_cast<std::size_t>(value); }

// A tensor of the given shape with the elements of `in` at these places.
OnnxValue Take(const OnnxValue& in, std::vector<std::int64_t> shape,
               const std::vector<std::size_t>& places) {
  OnnxValue out{in.type, std::move(shape), {}, {}};
  const auto take = [&](const auto& from, auto& to) {
    to.reserve(places.size());
    for (const std::size_t place : places) to.push_back(from[place]);
  };
  if (in.is_float())
    take(in.floats, out.floats);
  else
    take(in.ints, out.ints);
  return out;
}

// Entries along an axis, each a block behind it.
OnnxValue TakeAlong(const OnnxValue& in, std::size_t axis, std::vector<std::int64_t> shape,
                    const std::vector<std::int64_t>& entries) {
  const OnnxAxisView view = AroundAxis(in.shape, axis);
  std::vector<std::size_t> places;
  places.reserve(AsSize(view.before * view.behind) * entries.size());
  for (std::int64_t before = 0; before < view.before; ++before)
    for (const std::int64_t entry : entries)
      for (std::int64_t behind = 0; behind < view.behind; ++behind)
        places.push_back(AsSize((before * view.along + entry) * view.behind + behind));
  return Take(in, std::move(shape), places);
}

OnnxValue Gather(const OnnxNode& node) {
  node.Expect(2, 2, {"axis"});
  const OnnxValue &in = node.input(0), &index = node.Ints(1);
  const std::size_t axis = node.Axis(node.Attribute("axis", 0), in.shape.size());
  std::vector<std::int64_t> entries = index.ints;
  for (std::int64_t& entry : entries) {
    node.Require(entry >= -in.shape[axis] && entry < in.shape[axis], "index {} of {}", entry,
                 in.shape[axis]);
    if (entry < 0) entry += in.shape[axis];
  }
  const auto split = static_cast<std::ptrdiff_t>(axis);
  std::vector<std::int64_t> shape(in.shape.begin(), in.shape.begin() + split);
  shape.insert(shape.end(), index.shape.begin(), index.shape.end());
  shape.insert(shape.end(), in.shape.begin() + split + 1, in.shape.end());
  return TakeAlong(in, axis, shape, entries);
}

OnnxValue Slice(const OnnxNode& node) {
  node.Expect(4, 4);
  const OnnxValue& in = node.input(0);
  const std::size_t axis = node.Axis(node.OneInt(3), in.shape.size());
  const std::int64_t length = in.shape[axis];
  const auto bound = [length](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? at + length : at, 0, length);
  };
  std::vector<std::int64_t> entries;
  for (std::int64_t at = bound(node.OneInt(1)); at < bound(node.OneInt(2)); ++at)
    entries.push_back(at);
  std::vector<std::int64_t> shape = in.shape;
  shape[axis] = static_cast<std::int64_t>(entries.size());
  return TakeAlong(in, axis, shape, entries);
}

OnnxValue Concat(const OnnxNode& node) {
  node.Expect(2, 2, {"axis"});
  const OnnxValue &a = node.input(0), &b = node.input(1);
  node.Require(a.type == b.type && a.shape.size() == b.shape.size(), "inputs of different kinds");
  const std::size_t axis = node.Axis(node.Attribute("axis", 0), a.shape.size());
  for (std::size_t i = 0; i < a.shape.size(); ++i)
    node.Require(i == axis || a.shape[i] == b.shape[i], "lengths {} and {} of axis {}", a.shape[i],
                 b.shape[i], i);
  const OnnxAxisView in_a = AroundAxis(a.shape, axis), in_b = AroundAxis(b.shape, axis);
  OnnxValue out{a.type, a.shape, {}, {}};
  out.shape[axis] += b.shape[axis];
  const auto join = [&](const auto& from_a, const auto& from_b, auto& to) {
    for (std::int64_t before = 0; before < in_a.before; ++before) {
      const std::int64_t size_a = in_a.along * in_a.behind, size_b = in_b.along * in_b.behind;
      to.insert(to.end(), from_a.begin() + before * size_a, from_a.begin() + (before + 1) * size_a);
      to.insert(to.end(), from_b.begin() + before * size_b, from_b.begin() + (before + 1) * size_b);
    }
  };
  if (out.is_float())
    join(a.floats, b.floats, out.floats);
  else
    join(a.ints, b.ints, out.ints);
  return out;
}

OnnxValue Reshape(const OnnxNode& node) {
  node.Expect(2, 2);
  OnnxValue out = node.input(0);
  const std::int64_t count = out.size();
  out.shape = node.Ints(1).ints;
  std::int64_t known = 1;
  for (const std::int64_t length : out.shape) known *= length == -1 ? 1 : length;
  for (std::int64_t& length : out.shape)
    if (length == -1) length = known == 0 ? 0 : count / known;
  node.Require(known > 0 && out.size() == count, "{} elements do not fit the shape", count);
  return out;
}

OnnxValue Unsqueeze(const OnnxNode& node) {
  node.Expect(2, 2);
  OnnxValue out = node.input(0);
  const std::size_t axis = node.Axis(node.OneInt(1), out.shape.size() + 1);
  out.shape.insert(out.shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  return out;
}

OnnxValue Squeeze(const OnnxNode& node) {
  node.Expect(2, 2);
  OnnxValue out = node.input(0);
  const std::size_t axis = node.Axis(node.OneInt(1), out.shape.size());
  node.Require(out.shape[axis] == 1, "axis {} has length {}", axis, out.shape[axis]);
  out.shape.erase(out.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  return out;
}

OnnxValue Expand(const OnnxNode& node) {
  node.Expect(2, 2);
  const std::vector<std::int64_t> shape =
      BroadcastShape(node, node.input(0).shape, node.Ints(1).ints);
  return Take(node.input(0), shape, BroadcastPlaces(node, node.input(0).shape, shape));
}

OnnxValue Shape(const OnnxNode& node) {
  node.Expect(1, 1);
  const std::vector<std::int64_t>& shape = node.input(0).shape;
  return OnnxInts({static_cast<std::int64_t>(shape.size())}, shape);
}

OnnxValue Range(const OnnxNode& node) {
  node.Expect(3, 3);
  constexpr std::int64_t kMost = std::int64_t{1} << 32;
  const std::int64_t begin = node.OneInt(0), end = node.OneInt(1);
  node.Require(node.OneInt(2) == 1 && end - begin < kMost, "from {} to {} in steps of {}", begin,
               end, node.OneInt(2));
  std::vector<std::int64_t> values;
  for (std::int64_t value = begin; value < end; ++value) values.push_back(value);
  const auto count = static_cast<std::int64_t>(values.size());
  return OnnxInts({count}, std::move(values));
}

OnnxValue ScatterElements(const OnnxNode& node) {
  node.Expect(3, 3, {"axis", "reduction"});
  OnnxValue out = node.Ints(0);
  const OnnxValue &index = node.Ints(1), &updates = node.Ints(2);
  node.Require(node.Text("reduction", "none") == "add", "only the reduction \"add\"");
  node.Require(out.shape.size() == 1 && index.shape.size() == 1 && index.shape == updates.shape,
               "only tensors of one axis");
  for (std::size_t i = 0; i < index.ints.size(); ++i) {
    const std::int64_t at = index.ints[i];
    node.Require(at >= 0 && at < out.shape[0], "index {} of {}", at, out.shape[0]);
    out.ints[AsSize(at)] += updates.ints[i];
  }
  return out;
}

}  // namespace

bool RunOnnxShapeOperator(const OnnxNode& node, OnnxValue& out) {
  using Function = OnnxValue (*)(const OnnxNode&);
  static const std::map<std::string_view, Function> functions = {
      {"Gather", Gather},       {"Slice", Slice},
      {"Concat", Concat},       {"Reshape", Reshape},
      {"Unsqueeze", Unsqueeze}, {"Squeeze", Squeeze},
      {"Expand", Expand},       {"Shape", Shape},
      {"Range", Range},         {"ScatterElements", ScatterElements}};
  const auto found = functions.find(node.op());
  if (found == functions.end()) return false;
  out = found->second(node);
  return true;
}

}  // namespace apiary::nn
