#include "nn/torch_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/script.h>

#include "base/files.h"
#include "nn/cpu_evaluator.h"
#include "tests/base/temporary_directory.h"
#include "tests/env/random_positions.h"
#include "tests/nn/busy_weights.h"

namespace apiary::nn {
namespace {

using testing::HasSubstr;

const NetSpec kSpec = {
    .channels = 24, .blocks = 3, .variant = "Base+L", .encoder_version = 1, .generation = 5};

TEST(TorchScript, ComputesWhatTheNetComputes) {
  const base::TemporaryDirectory folder;
  const TensorFile file = BusyWeights(kSpec, 3);
  const auto report = ExportModel(file, kSpec, TorchScriptFormat(), folder / "net.pt");
  ASSERT_TRUE(report.ok()) << report.error();
  EXPECT_LT(report->largest_difference, 2e-5);
  CpuEvaluator net(CpuNet(file, kSpec));
  const auto exported = MakeTorchScriptEvaluator(folder / "net.pt");
  ASSERT_TRUE(exported.ok()) << exported.error();
  const env::Block block = env::BlockOf(env::RandomPositions(40, 9));
  Evaluation expected, actual;
  net.Evaluate(block, expected);
  (*exported)->Evaluate(block, actual);
  EXPECT_LT(LargestDifference(expected, actual), 2e-5);
}

TEST(TorchScript, CarriesTheMetadata) {
  const base::TemporaryDirectory folder;
  const TensorFile file = BusyWeights(kSpec, 3);
  ASSERT_TRUE(ExportModel(file, kSpec, TorchScriptFormat(), folder / "net.pt").ok());
  torch::jit::ExtraFilesMap extra = {{"metadata.json", ""}};
  const torch::jit::Module module =
      torch::jit::load(folder / "net.pt", torch::Device(torch::kCPU), extra);
  EXPECT_THAT(extra["metadata.json"], HasSubstr("\"variant\": \"Base+L\""));
  EXPECT_THAT(extra["metadata.json"], HasSubstr("\"generation\": \"5\""));
  EXPECT_EQ(module.named_parameters(false).size(), file.tensors.size());
}

TEST(TorchScript, AWrongWeightIsFound) {
  const base::TemporaryDirectory folder;
  ExportFormat format = TorchScriptFormat();
  format.serialize = [](const TensorFile&, const NetSpec& spec) {
    return TorchScriptFormat().serialize(BusyWeights(spec, 4), spec);
  };
  const auto report = ExportModel(BusyWeights(kSpec, 3), kSpec, format, folder / "net.pt");
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.error(), HasSubstr("differs from the net"));
  EXPECT_FALSE(base::ReadFile(folder / "net.pt").ok());
}

TEST(TorchScript, ForeignAndCutFilesAreRefused) {
  const base::TemporaryDirectory folder;
  const std::string path = folder / "net.pt";
  for (const std::string bytes : {"", "some text"}) {
    ASSERT_TRUE(base::WriteDurably(path, bytes).ok());
    const auto loaded = MakeTorchScriptEvaluator(path);
    ASSERT_FALSE(loaded.ok());
    EXPECT_THAT(loaded.error(), HasSubstr("net.pt: LibTorch cannot load it: "));
  }
  torch::jit::Module("Foreign").save(path);
  const auto foreign = MakeTorchScriptEvaluator(path);
  ASSERT_FALSE(foreign.ok());
  EXPECT_THAT(foreign.error(), HasSubstr("\"format\" in its metadata.json is not"));
}

}  // namespace
}  // namespace apiary::nn
