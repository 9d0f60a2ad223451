#include "nn/onnx_operators.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "nn/onnx_graph.h"
#include "nn/onnx_node.h"

namespace apiary::nn {
namespace {

OnnxValue OnnxBools(std::vector<std::int64_t> shape, std::vector<std::int64_t> values) {
  OnnxValue value = OnnxInts(std::move(shape), std::move(values));
  value.type = OnnxValue::Type::kBool;
  return value;
}

// Calls `f` with each pair of elements of two tensors of one type, and collects what it returns.
template <typename Result, typename T, typename F>
std::vector<Result> Pairs(const OnnxNode& node, const std::vector<std::int64_t>& shape,
                          const std::vector<T>& a, const std::vector<T>& b, const F& f) {
  const std::vector<std::size_t> in_a = BroadcastPlaces(node, node.input(0).shape, shape);
  const std::vector<std::size_t> in_b = BroadcastPlaces(node, node.input(1).shape, shape);
  std::vector<Result> out(in_a.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = f(a[in_a[i]], b[in_b[i]]);
  return out;
}

template <typename T>
T Combine(char symbol, T a, T b) {
  switch (symbol) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    default:
      return a / b;
  }
}

OnnxValue Arithmetic(const OnnxNode& node, char symbol) {
  node.Expect(2, 2);
  const auto shape = BroadcastShape(node, node.input(0).shape, node.input(1).shape);
  const auto combine = [symbol](auto a, auto b) { return Combine(symbol, a, b); };
  if (node.input(0).is_float())
    return OnnxFloats(
        shape, Pairs<float>(node, shape, node.Floats(0).floats, node.Floats(1).floats, combine));
  node.Require(symbol != '/', "only floats are divided");
  return OnnxInts(shape,
                  Pairs<std::int64_t>(node, shape, node.Ints(0).ints, node.Ints(1).ints, combine));
}

OnnxValue Comparison(const OnnxNode& node, bool equal) {
  node.Expect(2, 2);
  const auto shape = BroadcastShape(node, node.input(0).shape, node.input(1).shape);
  const auto compare = [equal](std::int64_t a, std::int64_t b) { return equal ? a == b : a < b; };
  return OnnxBools(shape,
                   Pairs<std::int64_t>(node, shape, node.Ints(0).ints, node.Ints(1).ints, compare));
}

OnnxValue Where(const OnnxNode& node) {
  node.Expect(3, 3);
  const OnnxValue &condition = node.Bools(0), &a = node.input(1), &b = node.input(2);
  node.Require(a.type == b.type, "inputs of two types");
  const auto shape = BroadcastShape(node, BroadcastShape(node, a.shape, b.shape), condition.shape);
  const auto in_condition = BroadcastPlaces(node, condition.shape, shape);
  const auto in_a = BroadcastPlaces(node, a.shape, shape);
  const auto in_b = BroadcastPlaces(node, b.shape, shape);
  OnnxValue out{a.type, shape, {}, {}};
  for (std::size_t i = 0; i < in_condition.size(); ++i) {
    const bool first = condition.ints[in_condition[i]] != 0;
    const OnnxValue& from = first ? a : b;
    const std::size_t place = first ? in_a[i] : in_b[i];
    if (out.is_float())
      out.floats.push_back(from.floats[place]);
    else
      out.ints.push_back(from.ints[place]);
  }
  return out;
}

OnnxValue Cast(const OnnxNode& node) {
  node.Expect(1, 1, {"to"});
  const OnnxValue& in = node.input(0);
  const std::int64_t to = node.Attribute("to", 0);
  node.Require(!in.is_float() && (to == kOnnxFloat || to == kOnnxInt64),
               "only int64 and bool to float and int64 are supported");
  if (to == kOnnxInt64) return OnnxInts(in.shape, in.ints);
  return OnnxFloats(in.shape, std::vector<float>(in.ints.begin(), in.ints.end()));
}

OnnxValue EachFloat(const OnnxNode& node, float (*f)(float)) {
  node.Expect(1, 1);
  OnnxValue out = node.Floats(0);
  std::transform(out.floats.begin(), out.floats.end(), out.floats.begin(), f);
  return out;
}
float Relu(float x) { return std::max(x, 0.0F); }
// log(1 + e^x), without overflow.
float Softplus(float x) { return std::max(x, 0.0F) + std::log1p(std::exp(-std::abs(x))); }

OnnxValue Softmax(const OnnxNode& node) {
  node.Expect(1, 1, {"axis"});
  OnnxValue out = node.Matrix(0);
  node.Require(node.Axis(node.Attribute("axis", -1), 2) == 1, "only over the last axis");
  const std::int64_t width = out.shape[1];
  for (auto row = out.floats.begin(); row != out.floats.end(); row += width) {
    const float most = *std::max_element(row, row + width);
    float sum = 0;
    for (auto at = row; at != row + width; ++at) sum += * at = std::exp(*at - most);
    for (auto at = row; at != row + width; ++at) *at /= sum;
  }
  return out;
}

OnnxValue MatMul(const OnnxNode& node, bool with_bias) {
  node.Expect(with_bias ? 3 : 2, with_bias ? 3 : 2);
  const OnnxValue &a = node.Matrix(0), &b = node.Matrix(1);
  node.Require(a.shape[1] == b.shape[0], "{} columns times {} rows", a.shape[1], b.shape[0]);
  const auto rows = static_cast<std::size_t>(a.shape[0]);
  const auto inner = static_cast<std::size_t>(a.shape[1]);
  const auto columns = static_cast<std::size_t>(b.shape[1]);
  OnnxValue out = OnnxFloats({a.shape[0], b.shape[1]}, std::vector<float>(rows * columns, 0.0F));
  std::vector<double> sums(columns);  // so that only the net's own rounding is left to see
  for (std::size_t r = 0; r < rows; ++r) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t k = 0; k < inner; ++k) {
      const double factor = a.floats[r * inner + k];
      const float* const row = b.floats.data() + k * columns;
      for (std::size_t c = 0; c < columns; ++c) sums[c] += factor * row[c];
    }
    std::transform(sums.begin(), sums.end(), out.floats.data() + r * columns,
                   [](double sum) { return static_cast<float>(sum); });
  }
  if (!with_bias) return out;
  const std::vector<float>& bias = node.Floats(2).floats;
  const std::vector<std::size_t> places = BroadcastPlaces(node, node.input(2).shape, out.shape);
  for (std::size_t i = 0; i < places.size(); ++i) out.floats[i] += bias[places[i]];
  return out;
}

template <typename T, typename F>
std::vector<T> Reduce(const std::vector<T>& values, const OnnxAxisView& view, T start, const F& f) {
  std::vector<T> out(static_cast<std::size_t>(view.before * view.behind), start);
  std::size_t i = 0;
  for (std::int64_t before = 0; before < view.before; ++before)
    for (std::int64_t along = 0; along < view.along; ++along)
      for (std::int64_t behind = 0; behind < view.behind; ++behind, ++i) {
        T& result = out[static_cast<std::size_t>(before * view.behind + behind)];
        result = f(result, values[i]);
      }
  return out;
}

// Over one axis, or over all of a tensor that has one. The axis goes.
OnnxValue ReduceAxis(const OnnxNode& node, const std::vector<std::int64_t>& axes, bool sum) {
  const OnnxValue& in = node.input(0);
  node.Require(axes.size() == 1 || (axes.empty() && in.shape.size() == 1), "expected one axis");
  node.Require(node.Attribute("keepdims", 1) == 0, "expected keepdims = 0");
  const std::size_t axis = node.Axis(axes.empty() ? 0 : axes[0], in.shape.size());
  const OnnxAxisView view = AroundAxis(in.shape, axis);
  node.Require(sum || view.along > 0, "the maximum of nothing");
  std::vector<std::int64_t> shape = in.shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  const auto reduce = [&](const auto& values) {
    using T = typename std::decay_t<decltype(values)>::value_type;
    if (sum) return Reduce<T>(values, view, T{0}, [](T a, T b) { return a + b; });
    return Reduce<T>(values, view, std::numeric_limits<T>::lowest(),
                     [](T a, T b) { return std::max(a, b); });
  };
  if (in.is_float()) return OnnxFloats(shape, reduce(in.floats));
  return OnnxInts(shape, reduce(node.Ints(0).ints));
}
OnnxValue ReduceSum(const OnnxNode& node) {
  node.Expect(2, 2, {"keepdims"});
  return ReduceAxis(node, node.Ints(1).ints, true);
}
OnnxValue ReduceMax(const OnnxNode& node) {
  node.Expect(1, 1, {"axes", "keepdims"});
  return ReduceAxis(node, node.List("axes"), false);
}

OnnxValue CumSum(const OnnxNode& node) {
  node.Expect(2, 2);
  OnnxValue out = node.Ints(0);
  node.Require(out.shape.size() == 1 && node.OneInt(1) == 0, "only of one axis");
  for (std::size_t i = 1; i < out.ints.size(); ++i) out.ints[i] += out.ints[i - 1];
  return out;
}

bool RunArithmetic(const OnnxNode& node, OnnxValue& out) {
  using Function = OnnxValue (*)(const OnnxNode&);
  static const std::map<std::string_view, Function> functions = {
      {"Add", [](const OnnxNode& n) { return Arithmetic(n, '+'); }},
      {"Sub", [](const OnnxNode& n) { return Arithmetic(n, '-'); }},
      {"Mul", [](const OnnxNode& n) { return Arithmetic(n, '*'); }},
      {"Div", [](const OnnxNode& n) { return Arithmetic(n, '/'); }},
      {"Less", [](const OnnxNode& n) { return Comparison(n, false); }},
      {"Equal", [](const OnnxNode& n) { return Comparison(n, true); }},
      {"Where", Where},
      {"Cast", Cast},
      {"Relu", [](const OnnxNode& n) { return EachFloat(n, Relu); }},
      {"Softplus", [](const OnnxNode& n) { return EachFloat(n, Softplus); }},
      {"Softmax", Softmax},
      {"MatMul", [](const OnnxNode& n) { return MatMul(n, false); }},
      {"Gemm", [](const OnnxNode& n) { return MatMul(n, true); }},
      {"ReduceSum", ReduceSum},
      {"ReduceMax", ReduceMax},
      {"CumSum", CumSum}};
  const auto found = functions.find(node.op());
  if (found == functions.end()) return false;
  out = found->second(node);
  return true;
}

}  // namespace

std::int64_t OnnxValue::size() const {
  std::int64_t count = 1;
  for (const std::int64_t length : shape) count *= length;
  return count;
}

OnnxValue OnnxFloats(std::vector<std::int64_t> shape, std::vector<float> values) {
  return {OnnxValue::Type::kFloat, std::move(shape), std::move(values), {}};
}
OnnxValue OnnxInts(std::vector<std::int64_t> shape, std::vector<std::int64_t> values) {
  return {OnnxValue::Type::kInt64, std::move(shape), {}, std::move(values)};
}

OnnxValue ReadOnnxTensor(const onnx::TensorProto& tensor) {
  const bool is_float = tensor.data_type() == kOnnxFloat;
  if (!is_float && tensor.data_type() != kOnnxInt64)
    throw Error(fmt::format("tensor \"{}\" has element type {}, expected float or int64",
                            tensor.name(), tensor.data_type()));
  OnnxValue value;
  value.type = is_float ? OnnxValue::Type::kFloat : OnnxValue::Type::kInt64;
  value.shape.assign(tensor.dims().begin(), tensor.dims().end());
  const std::size_t width = is_float ? sizeof(float) : sizeof(std::int64_t);
  const std::string& bytes = tensor.raw_data();
  const bool sound = std::all_of(value.shape.begin(), value.shape.end(),
                                 [](std::int64_t size) { return size >= 0; });
  if (!sound || static_cast<std::size_t>(value.size()) * width != bytes.size())
    throw Error(fmt::format("tensor \"{}\" has {} bytes, which do not fit its shape", tensor.name(),
                            bytes.size()));
  if (is_float) {
    value.floats.resize(bytes.size() / width);
    std::memcpy(value.floats.data(), bytes.data(), bytes.size());
  } else {
    value.ints.resize(bytes.size() / width);
    std::memcpy(value.ints.data(), bytes.data(), bytes.size());
  }
  return value;
}

OnnxValue RunOnnxNode(const onnx::NodeProto& proto, std::span<const OnnxValue* const> inputs) {
  const OnnxNode node(proto, inputs);
  OnnxValue out;
  if (!RunArithmetic(node, out) && !RunOnnxShapeOperator(node, out))
    node.Refuse("the operator is not supported");
  return out;
}

}  // namespace apiary::nn
