#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "nn/safetensors.h"
#include "tests/app/program.h"
#include "tests/base/temporary_directory.h"
#include "tests/nn/busy_weights.h"

namespace apiary::app {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Export : public ::testing::Test {
 protected:
  void SetUp() override {
    const nn::NetSpec spec = {.channels = 16, .blocks = 2, .variant = "Base+M", .generation = 3};
    ASSERT_TRUE(nn::WriteTensors(model(), nn::BusyWeights(spec, 1)).ok());
  }
  std::string model() const { return folder_ / "net.safetensors"; }
  std::string path(const std::string& name) const { return folder_ / name; }
  static ProgramResult ExportTo(const std::string& model, const std::string& to,
                                std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"export", model, "--to", to});
    return RunProgram(more);
  }
  static void ExpectSentence(const ProgramResult& result, int code, const std::string& part) {
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, AllOf(HasSubstr("apiary: "), HasSubstr(part)));
  }

  base::TemporaryDirectory folder_;
};

TEST_F(Export, EveryFormatOfThisBuild) {
  std::vector<std::string> endings = {".safetensors"};
  if (APIARY_ONNX) endings.emplace_back(".onnx");
  if (APIARY_PT) endings.emplace_back(".pt");
  for (const std::string& ending : endings) {
    const std::string to = path("out" + ending);
    const ProgramResult result = ExportTo(model(), to, {"--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    const json report = json::parse(result.out);
    const auto bytes = base::ReadFile(to);
    ASSERT_TRUE(bytes.ok()) << bytes.error();
    EXPECT_EQ(report["file"], to);
    EXPECT_EQ(report["bytes"], bytes->size());
    EXPECT_EQ(report["sha256"], base::Sha256Hex(*bytes));
    EXPECT_LE(report["largest_difference"].get<double>(), 1e-4);
    EXPECT_EQ(report["positions"], 48);
    EXPECT_THAT(ExportTo(model(), to, {"--force"}).out, HasSubstr("wrote " + to));
  }
  EXPECT_EQ(*base::ReadFile(path("out.safetensors")), *base::ReadFile(model()));
}

TEST_F(Export, WhatThisBuildLacksIsSaid) {
  if (!APIARY_ONNX) ExpectSentence(ExportTo(model(), path("out.onnx")), 1, "libprotobuf-dev");
  if (!APIARY_PT) ExpectSentence(ExportTo(model(), path("out.pt")), 1, "no LibTorch");
}

TEST_F(Export, BadTargetsAreBadUsage) {
  ExpectSentence(ExportTo(model(), path("out.tflite")), 2, "unknown ending \".tflite\"");
  ExpectSentence(ExportTo(model(), path("out")), 2, "expected .onnx, .pt or .safetensors");
  ExpectSentence(ExportTo(model(), path("no/out.safetensors")), 2, "there is no folder");
  ExpectSentence(ExportTo(model(), model()), 2, "that is the model itself");
  std::filesystem::create_directory(path("folder.safetensors"));
  ExpectSentence(ExportTo(model(), path("folder.safetensors"), {"--force"}), 2,
                 "not a regular file");
  ASSERT_TRUE(base::WriteDurably(path("old.safetensors"), "before").ok());
  ExpectSentence(ExportTo(model(), path("old.safetensors")), 2,
                 "exists already; --force replaces it");
  EXPECT_EQ(*base::ReadFile(path("old.safetensors")), "before");
  EXPECT_EQ(RunProgram({"export", model()}).code, 2);
}

TEST_F(Export, BadModelsAreRefused) {
  const std::string to = path("out.safetensors");
  ExpectSentence(ExportTo(path("none"), to), 2, "no such file");
  ASSERT_TRUE(base::WriteDurably(path("text"), "no weights at all, but some text").ok());
  ExpectSentence(ExportTo(path("text"), to), 1, path("text"));
  std::filesystem::create_directory(path("empty"));
  ExpectSentence(ExportTo(path("empty"), to), 1, "neither a weights file nor a run directory");
  nn::TensorFile lacking = *nn::ReadTensors(model(), nn::kWeightsFormat);
  lacking.tensors.erase("policy_out");
  ASSERT_TRUE(nn::WriteTensors(path("lacking"), lacking).ok());
  ExpectSentence(ExportTo(path("lacking"), to), 1, "tensor \"policy_out\" is missing");
  EXPECT_FALSE(std::filesystem::exists(to));
}

TEST_F(Export, AFullDiskLeavesNothing) {
  StartedProgram program({"export", model(), "--to", path("out.safetensors")}, "",
                         {.file_bytes = 10'000});
  const ProgramResult result = program.Wait();
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("cannot write"));
  const auto count = std::distance(std::filesystem::directory_iterator(folder_.path()), {});
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace apiary::app
