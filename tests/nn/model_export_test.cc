#include "nn/model_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "base/files.h"
#include "nn/cpu_evaluator.h"
#include "tests/base/temporary_directory.h"
#include "tests/nn/busy_weights.h"

namespace apiary::nn {
namespace {

using testing::HasSubstr;

const NetSpec kSpec = {
    .channels = 16, .blocks = 2, .variant = "Base+M", .encoder_version = 1, .generation = 7};

int FilesIn(const base::TemporaryDirectory& folder) {
  return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

// The right bytes, but what is read back is another net.
ExportFormat WrongNet(const TensorFile& other) {
  ExportFormat format = SafetensorsFormat();
  format.reload = [other](const std::string&) {
    return std::unique_ptr<Evaluator>(std::make_unique<CpuEvaluator>(CpuNet(other, kSpec)));
  };
  return format;
}

TEST(ModelExport, SafetensorsHoldAllTensorsAndMetadata) {
  const base::TemporaryDirectory folder;
  TensorFile file = BusyWeights(kSpec, 1);
  file.metadata["remark"] = "kept";
  const auto report = ExportModel(file, kSpec, SafetensorsFormat(), folder / "net.safetensors");
  ASSERT_TRUE(report.ok()) << report.error();
  EXPECT_EQ(report->largest_difference, 0);
  EXPECT_EQ(report->positions, 48);
  const auto bytes = base::ReadFile(folder / "net.safetensors");
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(*bytes, SerializeTensors(file));
  EXPECT_EQ(report->bytes, bytes->size());
  EXPECT_EQ(report->sha256, base::Sha256Hex(*bytes));
  EXPECT_EQ(FilesIn(folder), 1);
}

TEST(ModelExport, AFileThatDiffersIsRemoved) {
  const base::TemporaryDirectory folder;
  const TensorFile file = BusyWeights(kSpec, 1);
  TensorFile other = file;
  other.tensors["value_wdl_bias"].bytes[2] ^= 0x10;  // a mantissa bit of the first bias
  const auto report = ExportModel(file, kSpec, WrongNet(other), folder / "net.safetensors");
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.error(), HasSubstr("net.safetensors: not exported: what was written differs"));
  EXPECT_EQ(FilesIn(folder), 0);
}

TEST(ModelExport, AFailureLeavesTheFileThatWasThere) {
  const base::TemporaryDirectory folder;
  const std::string path = folder / "net.safetensors";
  ASSERT_TRUE(base::WriteDurably(path, "before").ok());
  const TensorFile file = BusyWeights(kSpec, 1);
  EXPECT_FALSE(ExportModel(file, kSpec, WrongNet(BusyWeights(kSpec, 2)), path).ok());
  ExportFormat torn = SafetensorsFormat();
  torn.serialize = [](const TensorFile& net, const NetSpec&) -> base::Result<std::string> {
    return SerializeTensors(net).substr(1);
  };
  const auto report = ExportModel(file, kSpec, torn, path);
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.error(), HasSubstr("what was written cannot be used again"));
  EXPECT_EQ(*base::ReadFile(path), "before");
  EXPECT_EQ(FilesIn(folder), 1);
  EXPECT_FALSE(ExportModel(file, kSpec, SafetensorsFormat(), folder / "no/net.safetensors").ok());
}

TEST(ModelExport, DifferencesAreRelativeToLargeValues) {
  const Evaluation expected = {{1, -2, 0}, {{0.5, 0.25, 0.25}}, {100}};
  EXPECT_EQ(LargestDifference(expected, expected), 0);
  Evaluation actual = expected;
  actual.logits[2] = 0.5F;
  EXPECT_DOUBLE_EQ(LargestDifference(expected, actual), 0.5);
  actual = expected;
  actual.moves_left[0] = 150;
  EXPECT_DOUBLE_EQ(LargestDifference(expected, actual), 0.5);
  actual = expected;
  actual.wdl[0].loss = 0.5F;
  EXPECT_DOUBLE_EQ(LargestDifference(expected, actual), 0.25);
  actual.wdl[0].draw = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isinf(LargestDifference(expected, actual)));
  actual = expected;
  actual.logits.pop_back();
  EXPECT_TRUE(std::isinf(LargestDifference(expected, actual)));
}

TEST(ModelExport, ComparedPositionsAreOfManyKinds) {
  const env::Block block = CheckPositions(48);
  ASSERT_EQ(block.positions(), 50);  // and two that are over
  EXPECT_EQ(block.move_begin[50], block.move_begin[48]);
  bool hand = false, board = false, queen_in_hand = false, buried = false, pillbug = false;
  for (const env::EncodedMove& move : block.moves) (move.source < 0 ? hand : board) = true;
  for (const auto& queens : block.queen_rows) queen_in_hand |= queens[0] < 0;
  for (int row = 0; row < block.rows(); ++row)
    buried |= block.row_features[static_cast<std::size_t>(row * env::kNumRowFeatures + 2)] > 0;
  for (int p = 0; p < 50; ++p)
    pillbug |=
        block.position_features[static_cast<std::size_t>(p * env::kNumPositionFeatures + 24)] > 0;
  EXPECT_TRUE(hand && board && queen_in_hand && buried && pillbug);
}

}  // namespace
}  // namespace apiary::nn
