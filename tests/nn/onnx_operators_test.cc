// Each operator against values worked out by hand from its definition.
#include "nn/onnx_operators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result.h"
#include "nn/onnx_graph.h"

namespace apiary::nn {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::IsEmpty;

OnnxValue RunOp(const std::string& op, const std::vector<OnnxValue>& inputs,
                const OnnxGraph::Attributes& attributes = {}) {
  onnx::GraphProto graph;
  OnnxGraph(graph).Add(op, {}, attributes, "the node");
  std::vector<const OnnxValue*> pointers;
  for (const OnnxValue& input : inputs) pointers.push_back(&input);
  return RunOnnxNode(graph.node(0), pointers);
}
std::string ErrorOf(const std::string& op, const std::vector<OnnxValue>& inputs,
                    const OnnxGraph::Attributes& attributes = {}) {
  try {
    RunOp(op, inputs, attributes);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}
OnnxValue Int(std::int64_t value) { return OnnxInts({}, {value}); }
OnnxValue Row(std::vector<std::int64_t> values) {
  return OnnxInts({static_cast<std::int64_t>(values.size())}, values);
}
const OnnxValue kTable = OnnxFloats({3, 2}, {1, 2, 3, 4, 5, 6});

TEST(OnnxOperators, ArithmeticBroadcasts) {
  const OnnxValue sum = RunOp("Add", {OnnxInts({2, 1}, {10, 20}), Row({1, 2, 3})});
  EXPECT_THAT(sum.shape, ElementsAre(2, 3));
  EXPECT_THAT(sum.ints, ElementsAre(11, 12, 13, 21, 22, 23));
  EXPECT_THAT(RunOp("Sub", {Row({5, 6}), Row({1, 4})}).ints, ElementsAre(4, 2));
  EXPECT_THAT(RunOp("Mul", {kTable, OnnxFloats({}, {2})}).floats, ElementsAre(2, 4, 6, 8, 10, 12));
  const OnnxValue quotient = RunOp("Div", {kTable, OnnxFloats({3, 1}, {1, 3, 5})});
  EXPECT_FLOAT_EQ(quotient.floats[3], 4.0F / 3);
  EXPECT_THAT(ErrorOf("Add", {Row({1, 2}), Row({1, 2, 3})}),
              HasSubstr("node \"the node\" (Add): shapes [2] and [3] do not go together"));
  EXPECT_THAT(ErrorOf("Add", {kTable, Row({1, 2})}), HasSubstr("input 1 is not float"));
}

TEST(OnnxOperators, ComparisonsChoose) {
  const OnnxValue less = RunOp("Less", {OnnxInts({2, 1}, {1, 5}), Row({0, 3, 9})});
  EXPECT_EQ(less.type, OnnxValue::Type::kBool);
  EXPECT_THAT(less.ints, ElementsAre(0, 1, 1, 0, 0, 1));
  EXPECT_THAT(RunOp("Equal", {Row({4, -9}), Int(-9)}).ints, ElementsAre(0, 1));
  EXPECT_THAT(RunOp("Where", {less, Int(7), Row({1, 2, 3})}).ints, ElementsAre(1, 7, 7, 1, 2, 7));
  EXPECT_THAT(RunOp("Cast", {less}, {{"to", std::int64_t{kOnnxInt64}}}).ints,
              ElementsAre(0, 1, 1, 0, 0, 1));
  EXPECT_THAT(RunOp("Cast", {Row({-3, 8})}, {{"to", std::int64_t{kOnnxFloat}}}).floats,
              ElementsAre(-3, 8));
  EXPECT_THAT(ErrorOf("Where", {Row({1}), Int(1), Int(2)}), HasSubstr("is not bool"));
}

TEST(OnnxOperators, GatherCountsNegativeIndicesFromTheEnd) {
  const OnnxValue rows = RunOp("Gather", {kTable, OnnxInts({2, 2}, {0, -1, 1, -3})});
  EXPECT_THAT(rows.shape, ElementsAre(2, 2, 2));
  EXPECT_THAT(rows.floats, ElementsAre(1, 2, 5, 6, 3, 4, 1, 2));
  const OnnxValue column = RunOp("Gather", {kTable, Int(1)}, {{"axis", std::int64_t{1}}});
  EXPECT_THAT(column.shape, ElementsAre(3));
  EXPECT_THAT(column.floats, ElementsAre(2, 4, 6));
  EXPECT_THAT(RunOp("Gather", {kTable, Row({})}).shape, ElementsAre(0, 2));
  EXPECT_THAT(ErrorOf("Gather", {kTable, Row({3})}), HasSubstr("index 3 of 3"));
  EXPECT_THAT(ErrorOf("Gather", {kTable, Row({-4})}), HasSubstr("index -4 of 3"));
}

TEST(OnnxOperators, ShapesChange) {
  EXPECT_THAT(RunOp("Slice", {Row({5, 6, 7}), Row({1}), Row({-1}), Row({0})}).ints, ElementsAre(6));
  EXPECT_THAT(RunOp("Slice", {kTable, Row({1}), Row({1 << 30}), Row({1})}).floats,
              ElementsAre(2, 4, 6));
  EXPECT_THAT(RunOp("Slice", {Row({5}), Row({1}), Row({-1}), Row({0})}).ints, IsEmpty());
  const OnnxValue joined =
      RunOp("Concat", {kTable, OnnxFloats({3, 1}, {7, 8, 9})}, {{"axis", std::int64_t{1}}});
  EXPECT_THAT(joined.shape, ElementsAre(3, 3));
  EXPECT_THAT(joined.floats, ElementsAre(1, 2, 7, 3, 4, 8, 5, 6, 9));
  EXPECT_THAT(RunOp("Reshape", {kTable, Row({-1, 6})}).shape, ElementsAre(1, 6));
  EXPECT_THAT(ErrorOf("Reshape", {kTable, Row({-1, 4})}), HasSubstr("do not fit"));
  EXPECT_THAT(RunOp("Unsqueeze", {Row({1, 2}), Row({1})}).shape, ElementsAre(2, 1));
  EXPECT_THAT(RunOp("Squeeze", {OnnxInts({2, 1}, {1, 2}), Row({1})}).shape, ElementsAre(2));
  EXPECT_THAT(ErrorOf("Squeeze", {kTable, Row({0})}), HasSubstr("axis 0 has length 3"));
  EXPECT_THAT(RunOp("Expand", {Row({4}), Row({3})}).ints, ElementsAre(4, 4, 4));
  EXPECT_THAT(RunOp("Expand", {Row({4}), Row({0})}).ints, IsEmpty());
  EXPECT_THAT(RunOp("Shape", {kTable}).ints, ElementsAre(3, 2));
  EXPECT_THAT(RunOp("Range", {Int(0), Int(3), Int(1)}).ints, ElementsAre(0, 1, 2));
}

TEST(OnnxOperators, SumsAndProducts) {
  const OnnxGraph::Attributes no_dims = {{"keepdims", std::int64_t{0}}};
  const OnnxValue cube = OnnxFloats({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_THAT(RunOp("ReduceSum", {cube, Row({1})}, no_dims).floats, ElementsAre(4, 6, 12, 14));
  EXPECT_THAT(RunOp("ReduceMax", {cube},
                    {{"axes", std::vector<std::int64_t>{1}}, {"keepdims", std::int64_t{0}}})
                  .floats,
              ElementsAre(3, 4, 7, 8));
  EXPECT_THAT(RunOp("ReduceMax", {Row({3, 9, 4})}, no_dims).ints, ElementsAre(9));
  EXPECT_THAT(ErrorOf("ReduceMax", {Row({3})}), HasSubstr("keepdims"));
  EXPECT_THAT(RunOp("CumSum", {Row({0, 1, 0, 2}), Int(0)}).ints, ElementsAre(0, 1, 1, 3));
  const OnnxGraph::Attributes add = {{"axis", std::int64_t{0}}, {"reduction", std::string("add")}};
  EXPECT_THAT(RunOp("ScatterElements", {Row({0, 0, 0}), Row({2, 2}), Row({1, 1})}, add).ints,
              ElementsAre(0, 0, 2));
  EXPECT_THAT(ErrorOf("ScatterElements", {Row({0}), Row({1}), Row({1})}, add),
              HasSubstr("index 1 of 1"));
  const OnnxValue matrix = OnnxFloats({2, 2}, {1, 10, 100, 1000});
  EXPECT_THAT(RunOp("MatMul", {kTable, matrix}).floats,
              ElementsAre(201, 2010, 403, 4030, 605, 6050));
  EXPECT_THAT(RunOp("Gemm", {kTable, matrix, OnnxFloats({2}, {1, 2})}).floats,
              ElementsAre(202, 2012, 404, 4032, 606, 6052));
  EXPECT_THAT(ErrorOf("MatMul", {matrix, kTable}), HasSubstr("2 columns times 3 rows"));
}

TEST(OnnxOperators, Activations) {
  EXPECT_THAT(RunOp("Relu", {OnnxFloats({3}, {-1, 0, 2})}).floats, ElementsAre(0, 0, 2));
  EXPECT_THAT(RunOp("Softplus", {OnnxFloats({3}, {0, 100, -100})}).floats,
              ElementsAre(FloatNear(0.6931472F, 1e-6F), 100, FloatNear(0, 1e-6F)));
  EXPECT_THAT(
      RunOp("Softmax", {OnnxFloats({1, 3}, {0, 0.6931472F, 0})}).floats,
      ElementsAre(FloatNear(0.25F, 1e-6F), FloatNear(0.5F, 1e-6F), FloatNear(0.25F, 1e-6F)));
}

TEST(OnnxOperators, WhatIsUnknownIsRefused) {
  EXPECT_THAT(ErrorOf("Tanh", {kTable}), HasSubstr("(Tanh): the operator is not supported"));
  EXPECT_THAT(ErrorOf("Relu", {kTable}, {{"alpha", std::int64_t{1}}}),
              HasSubstr("attribute \"alpha\" is not supported"));
  EXPECT_THAT(ErrorOf("Relu", {}), HasSubstr("0 inputs, expected 1 to 1"));
  onnx::TensorProto tensor;
  tensor.set_name("w");
  tensor.set_data_type(kOnnxFloat);
  tensor.add_dims(2);
  tensor.set_raw_data("1234");
  EXPECT_THROW(ReadOnnxTensor(tensor), Error);
  tensor.set_data_type(2);
  EXPECT_THROW(ReadOnnxTensor(tensor), Error);
}

}  // namespace
}  // namespace apiary::nn
