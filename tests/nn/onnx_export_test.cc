#include "nn/onnx_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "nn/cpu_evaluator.h"
#include "nn/onnx_evaluator.h"
#include "nn/onnx_graph.h"
#include "tests/base/temporary_directory.h"
#include "tests/env/random_positions.h"
#include "tests/nn/busy_weights.h"

namespace apiary::nn {
namespace {

using testing::HasSubstr;

NetSpec Spec(int channels, int blocks) {
  return {.channels = channels,
          .blocks = blocks,
          .variant = "Base+MLP",
          .encoder_version = 1,
          .generation = 12};
}

Evaluation Evaluate(Evaluator& evaluator, const env::Block& block) {
  Evaluation evaluation;
  evaluator.Evaluate(block, evaluation);
  return evaluation;
}

TEST(OnnxExport, ComputesWhatTheNetComputes) {
  for (const NetSpec& spec : {Spec(8, 1), Spec(24, 3)}) {
    const TensorFile file = BusyWeights(spec, 3);
    CpuEvaluator net(CpuNet(file, spec));
    OnnxEvaluator exported(MakeOnnxModel(file, spec));
    const env::Block block = env::BlockOf(env::RandomPositions(40, 9));
    const Evaluation expected = Evaluate(net, block);
    EXPECT_LT(LargestDifference(expected, Evaluate(exported, block)), 2e-5);
    // The outputs are not all alike.
    EXPECT_GT(LargestDifference(expected, Evaluation{std::vector<float>(expected.logits.size()),
                                                     expected.wdl, expected.moves_left}),
              0.1);
  }
}

TEST(OnnxExport, TakesPositionsWithoutMovesAndPasses) {
  const NetSpec spec = Spec(8, 2);
  const TensorFile file = BusyWeights(spec, 4);
  CpuEvaluator net(CpuNet(file, spec));
  OnnxEvaluator exported(MakeOnnxModel(file, spec));
  const auto game = env::PositionOf(
      "Base", "wS1;bS1 wS1-;wQ -wS1;bQ bS1-");  // any position: its list of moves is ours
  env::MoveList none, pass;
  pass.push_back(env::Move::Pass());
  env::Block block;
  for (const env::MoveList* moves : {&none, &pass, &none})
    env::Append(game, *moves, env::Symmetry(), block);
  const Evaluation actual = Evaluate(exported, block);
  EXPECT_LT(LargestDifference(Evaluate(net, block), actual), 2e-5);
  EXPECT_EQ(actual.logits, std::vector<float>{0});
  block.Clear();
  env::Append(game, none, env::Symmetry(), block);
  EXPECT_LT(LargestDifference(Evaluate(net, block), Evaluate(exported, block)), 2e-5);
}

TEST(OnnxExport, SaysWhatItIs) {
  const NetSpec spec = Spec(8, 1);
  const onnx::ModelProto model = MakeOnnxModel(BusyWeights(spec, 1), spec);
  EXPECT_EQ(model.ir_version(), 8);
  ASSERT_EQ(model.opset_import_size(), 1);
  EXPECT_EQ(model.opset_import(0).version(), 17);
  std::map<std::string, std::string> metadata;
  for (const auto& entry : model.metadata_props()) metadata[entry.key()] = entry.value();
  EXPECT_EQ(metadata["format"], "apiary-onnx-1");
  EXPECT_EQ(metadata["architecture"], "hive-conv-1");
  EXPECT_EQ(metadata["variant"], "Base+MLP");
  EXPECT_EQ(metadata["generation"], "12");
  ASSERT_EQ(model.graph().input_size(), 7);
  const onnx::ValueInfoProto& rows = model.graph().input(0);
  EXPECT_EQ(rows.name(), "row_features");
  EXPECT_EQ(rows.type().tensor_type().elem_type(), kOnnxInt64);
  EXPECT_EQ(rows.type().tensor_type().shape().dim(0).dim_param(), "rows");
  EXPECT_EQ(rows.type().tensor_type().shape().dim(1).dim_value(), 11);
}

// Field numbers and wire types of https://onnx.ai, written out by hand: ir_version 1 = 8,
// opset_import 8 = {version 2 = 17}, graph 7 = {name 2 = "g", initializer 5 = {dims 1 = 1,
// data_type 2 = 7, name 8 = "i", raw_data 9}}.
TEST(OnnxExport, BytesAreThoseOfTheStandard) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  model.mutable_graph()->set_name("g");
  onnx::TensorProto& tensor = *model.mutable_graph()->add_initializer();
  tensor.add_dims(1);
  tensor.set_data_type(kOnnxInt64);
  tensor.set_name("i");
  tensor.set_raw_data(std::string(8, '\1'));
  const std::string expected = std::string("\x08\x08\x3A\x16\x12\x01") + "g" +
                               "\x2A\x11\x08\x01\x10\x07\x42\x01i\x4A\x08" + std::string(8, '\1') +
                               "\x42\x02\x10\x11";
  EXPECT_EQ(model.SerializeAsString(), expected);
}

TEST(OnnxExport, AWrongWeightIsFound) {
  const base::TemporaryDirectory folder;
  const NetSpec spec = Spec(8, 2);
  const TensorFile file = BusyWeights(spec, 1);
  const auto good = ExportModel(file, spec, OnnxFormat(), folder / "net.onnx");
  ASSERT_TRUE(good.ok()) << good.error();
  EXPECT_LT(good->largest_difference, 2e-5);
  for (const auto& [name, tensor] : file.tensors) {
    ExportFormat format = OnnxFormat();
    format.serialize = [&, spoiled = name](const TensorFile& net, const NetSpec& of) {
      TensorFile other = net;
      // Not the first entries: a feature's first values may not occur in the positions.
      for (std::size_t at = 3; at < other.tensors[spoiled].bytes.size(); at += 4)
        other.tensors[spoiled].bytes[at] ^= 0x80;
      return OnnxFormat().serialize(other, of);
    };
    const auto report = ExportModel(file, spec, format, folder / "wrong.onnx");
    ASSERT_FALSE(report.ok()) << name;
    EXPECT_THAT(report.error(), HasSubstr("differs from the net")) << name;
  }
  EXPECT_FALSE(base::ReadFile(folder / "wrong.onnx").ok());
}

TEST(OnnxExport, ForeignAndCutFilesAreRefused) {
  const base::TemporaryDirectory folder;
  const std::string path = folder / "x.onnx";
  const auto error = [&](const std::string& bytes) {
    EXPECT_TRUE(base::WriteDurably(path, bytes).ok());
    const auto loaded = MakeOnnxEvaluator(path);
    return loaded.ok() ? std::string("accepted") : loaded.error();
  };
  const NetSpec spec = Spec(8, 1);
  onnx::ModelProto model = MakeOnnxModel(BusyWeights(spec, 1), spec);
  const std::string bytes = model.SerializeAsString();
  EXPECT_EQ(error(bytes), "accepted");
  EXPECT_THAT(error(""), HasSubstr("x.onnx: not an ONNX model"));
  EXPECT_THAT(error("some text"), HasSubstr("x.onnx: not an ONNX model"));
  EXPECT_THAT(error(bytes.substr(0, bytes.size() / 2)), HasSubstr("x.onnx: not an ONNX model"));
  model.mutable_opset_import(0)->set_version(9);
  EXPECT_THAT(error(model.SerializeAsString()), HasSubstr("expected operator set 17"));
  model.mutable_opset_import(0)->set_version(17);
  model.mutable_graph()->mutable_input(3)->set_name("queens");
  EXPECT_THAT(error(model.SerializeAsString()), HasSubstr("the inputs and outputs are not"));
}

}  // namespace
}  // namespace apiary::nn
