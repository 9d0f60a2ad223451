#include "nn/weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"

namespace apiary::nn {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class WeightsFolder : public testing::Test {
 protected:
  void SetUp() override {
    run_ = testing::TempDir() + "/weights_test_" + std::to_string(getpid());
    fs::remove_all(run_);
    fs::create_directories(run_);
  }
  void TearDown() override { fs::remove_all(run_); }

  static TensorFile File(int generation) {
    TensorFile file;
    NetSpec spec;
    spec.generation = generation;
    WriteSpec(spec, file);
    file.tensors["t"] = {TensorType::kU8, {2}, {static_cast<std::uint8_t>(generation), 0}};
    return file;
  }
  void Publish(int generation) {
    const auto published = PublishWeights(run_, generation, File(generation));
    ASSERT_TRUE(published.ok()) << published.error();
  }
  static void Overwrite(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  }
  std::string Latest() const { return run_ + "/weights/LATEST"; }
  std::string ErrorOfLatest() const {
    const auto latest = ReadLatest(run_, 0);
    return latest.ok() ? "accepted" : latest.error();
  }

  std::string run_;
};

TEST_F(WeightsFolder, NothingPublished) {
  const auto latest = ReadLatest(run_, 0);
  ASSERT_TRUE(latest.ok());
  EXPECT_FALSE(latest->has_value());
  EXPECT_EQ(HighestGeneration(run_), 0);
  const auto resolved = ResolveWeights(run_);
  ASSERT_FALSE(resolved.ok());
  EXPECT_THAT(resolved.error(), HasSubstr("no weights"));
}

TEST_F(WeightsFolder, PublishAndReadBack) {
  Publish(1);
  Publish(2);
  const auto latest = ReadLatest(run_, 0);
  ASSERT_TRUE(latest.ok()) << latest.error();
  ASSERT_TRUE(latest->has_value());
  EXPECT_EQ((*latest)->generation, 2);
  EXPECT_EQ((*latest)->path, run_ + "/weights/gen-000002.safetensors");
  const auto bytes = base::ReadFile((*latest)->path);
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ((*latest)->bytes, bytes->size());
  EXPECT_EQ((*latest)->sha256, base::Sha256Hex(*bytes));
  EXPECT_EQ(HighestGeneration(run_), 2);
  EXPECT_EQ(*ResolveWeights(run_), (*latest)->path);
  EXPECT_EQ(*ResolveWeights((*latest)->path), (*latest)->path);
  const auto file = ReadTensors((*latest)->path, kWeightsFormat);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->tensors.at("t").bytes[0], 2);
}

TEST_F(WeightsFolder, GenerationIsNeverOverwritten) {
  Publish(1);
  const auto again = PublishWeights(run_, 1, File(7));
  ASSERT_FALSE(again.ok());
  EXPECT_THAT(again.error(), HasSubstr("never overwritten"));
  EXPECT_EQ(ReadTensors(WeightsPath(run_, 1), kWeightsFormat)->tensors.at("t").bytes[0], 1);
}

TEST_F(WeightsFolder, HighestGenerationCountsFilesWithoutLatest) {
  Publish(1);
  // Killed between the weights file and LATEST.
  ASSERT_TRUE(WriteTensors(WeightsPath(run_, 5), File(5)).ok());
  Overwrite(run_ + "/weights/gen-000009.safetensors.tmp", "x");
  Overwrite(run_ + "/weights/gen-abc.safetensors", "x");
  EXPECT_EQ(HighestGeneration(run_), 5);
  EXPECT_EQ((*ReadLatest(run_, 0))->generation, 1);
}

TEST_F(WeightsFolder, CorruptLatestIsNamed) {
  Publish(1);
  const std::string good = *base::ReadFile(Latest());
  Overwrite(Latest(), good.substr(0, good.size() / 2));
  EXPECT_THAT(ErrorOfLatest(), HasSubstr("LATEST: not a JSON object"));
  EXPECT_THAT(ErrorOfLatest(), HasSubstr("newest intact generation is 1"));
  Overwrite(Latest(), "");
  EXPECT_THAT(ErrorOfLatest(), HasSubstr("not a JSON object"));
  Overwrite(Latest(), "{}");
  EXPECT_THAT(ErrorOfLatest(), HasSubstr("\"format\""));
  Overwrite(Latest(), R"({"format":"apiary-latest-1","generation":"1"})");
  EXPECT_THAT(ErrorOfLatest(), HasSubstr("\"generation\""));
  Overwrite(Latest(),
            R"({"format":"apiary-latest-1","generation":1,"bytes":1,"file":"../x","sha256":"0"})");
  EXPECT_THAT(ErrorOfLatest(), HasSubstr("\"file\""));
}

TEST_F(WeightsFolder, MismatchNamesTheNewestIntactGeneration) {
  Publish(1);
  Publish(2);
  Publish(3);
  const std::string bytes = *base::ReadFile(WeightsPath(run_, 3));
  Overwrite(WeightsPath(run_, 3), bytes.substr(0, bytes.size() - 1));
  EXPECT_THAT(ErrorOfLatest(), HasSubstr("bytes, expected"));
  EXPECT_THAT(ErrorOfLatest(), HasSubstr("newest intact generation is 2"));
  std::string flipped = bytes;
  flipped.back() = static_cast<char>(flipped.back() ^ 1);
  Overwrite(WeightsPath(run_, 3), flipped);
  EXPECT_THAT(ErrorOfLatest(), HasSubstr("sha256"));
  fs::remove(WeightsPath(run_, 3));
  EXPECT_THAT(ErrorOfLatest(), HasSubstr("cannot be read"));
  Overwrite(WeightsPath(run_, 3), bytes);
  EXPECT_EQ(ErrorOfLatest(), "accepted");
}

TEST_F(WeightsFolder, OldWeightsGoButEveryTenthStays) {
  for (int generation = 1; generation <= 13; ++generation) Publish(generation);
  const std::uint64_t size = fs::file_size(WeightsPath(run_, 2));
  EXPECT_EQ(RemoveOldWeights(run_, 1000 * size), 0);
  const auto present = [&](int generation) { return fs::exists(WeightsPath(run_, generation)); };
  EXPECT_EQ(RemoveOldWeights(run_, 10 * size + size / 2), 3);  // sizes differ by a digit or two
  EXPECT_TRUE(present(1) && present(5));
  EXPECT_FALSE(present(2) || present(3) || present(4));
  EXPECT_EQ(RemoveOldWeights(run_, 0), 7);
  EXPECT_TRUE(present(1) && present(10) && present(13));
  EXPECT_EQ(HighestGeneration(run_), 13);
  EXPECT_TRUE(ReadLatest(run_, 0).ok());
}

TEST_F(WeightsFolder, ResolveSaysWhatItExpected) {
  const auto nothing = ResolveWeights(run_ + "/nosuch");
  ASSERT_FALSE(nothing.ok());
  EXPECT_THAT(nothing.error(), HasSubstr("expected a weights file"));
}

TEST(NetSpecTest, RoundTripAndRefusals) {
  NetSpec spec{
      .channels = 64, .blocks = 6, .variant = "Base+MLP", .encoder_version = 1, .generation = 12};
  TensorFile file;
  WriteSpec(spec, file);
  ASSERT_TRUE(ReadSpec(file, "f").ok());
  EXPECT_EQ(*ReadSpec(file, "f"), spec);
  EXPECT_FALSE(file.metadata["program_version"].empty());
  const auto error = [&](const std::string& key, const std::string& value) {
    TensorFile changed = file;
    changed.metadata[key] = value;
    const auto read = ReadSpec(changed, "f");
    return read.ok() ? std::string("accepted") : read.error();
  };
  EXPECT_THAT(error("architecture", "resnet-7"), HasSubstr("architecture \"resnet-7\""));
  EXPECT_THAT(error("encoder_version", "2"), HasSubstr("encoder version 2"));
  EXPECT_THAT(error("channels", "0"), HasSubstr("\"channels\""));
  EXPECT_THAT(error("channels", "33"), HasSubstr("multiple of 8"));
  EXPECT_THAT(error("blocks", "many"), HasSubstr("\"blocks\""));
  EXPECT_THAT(error("generation", "-1"), HasSubstr("\"generation\""));
  EXPECT_THAT(error("variant", "Chess"), HasSubstr("\"variant\""));
  file.metadata.erase("blocks");
  EXPECT_THAT(ReadSpec(file, "f").error(), HasSubstr("no \"blocks\""));
}

}  // namespace
}  // namespace apiary::nn
