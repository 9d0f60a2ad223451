#include "nn/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/files.h"

namespace apiary::nn {
namespace {

using testing::HasSubstr;
constexpr const char* kFormat = "test-format-1";

Tensor Floats(std::vector<std::int64_t> shape, const std::vector<float>& values) {
  Tensor tensor{TensorType::kF32, std::move(shape), std::vector<std::uint8_t>(values.size() * 4)};
  if (!values.empty()) std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

TensorFile SmallFile() {
  TensorFile file;
  file.metadata = {{"format", kFormat}, {"note", "quotes \" and \\ and ä"}};
  file.tensors["bytes"] = {TensorType::kU8, {3}, {1, 2, 3}};
  file.tensors["weights"] = Floats({2, 3}, {1, -2, 3.5f, 0, 1e-30f, 6});
  file.tensors["long"] = {TensorType::kI64, {1}, {255, 255, 255, 255, 255, 255, 255, 127}};
  file.tensors["scalar"] = {TensorType::kF64, {}, std::vector<std::uint8_t>(8, 7)};
  file.tensors["empty"] = Floats({0, 4}, {});
  return file;
}

void ExpectEqual(const TensorFile& a, const TensorFile& b) {
  EXPECT_EQ(a.metadata, b.metadata);
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (const auto& [name, tensor] : a.tensors) {
    ASSERT_TRUE(b.tensors.contains(name)) << name;
    EXPECT_EQ(tensor.type, b.tensors.at(name).type);
    EXPECT_EQ(tensor.shape, b.tensors.at(name).shape);
    EXPECT_EQ(tensor.bytes, b.tensors.at(name).bytes);
  }
}

TEST(Safetensors, RoundTrip) {
  const auto parsed = ParseTensors(SerializeTensors(SmallFile()), "memory", kFormat);
  ASSERT_TRUE(parsed.ok()) << parsed.error();
  ExpectEqual(*parsed, SmallFile());
}

// The layout of huggingface/safetensors, read without our reader.
TEST(Safetensors, LayoutIsTheFormatsOwn) {
  const std::string bytes = SerializeTensors(SmallFile());
  std::uint64_t length;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0U);
  const auto header = nlohmann::json::parse(bytes.substr(8, length));
  EXPECT_EQ(header["__metadata__"]["format"], kFormat);
  EXPECT_EQ(header["weights"]["dtype"], "F32");
  EXPECT_EQ(header["weights"]["shape"], nlohmann::json({2, 3}));
  const std::string data = bytes.substr(8 + length);
  EXPECT_EQ(header["__metadata__"]["sha256"], base::Sha256Hex(data));
  const std::size_t begin = header["weights"]["data_offsets"][0];
  EXPECT_EQ(begin % 4, 0U);
  EXPECT_EQ(header["weights"]["data_offsets"][1], begin + 24);
  float third;
  std::memcpy(&third, data.data() + begin + 8, 4);
  EXPECT_EQ(third, 3.5f);
}

TEST(Safetensors, CutAtAnyByteIsRefused) {
  const std::string bytes = SerializeTensors(SmallFile());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto parsed = ParseTensors(bytes.substr(0, size), "cut.file", kFormat);
    ASSERT_FALSE(parsed.ok()) << size;
    ASSERT_THAT(parsed.error(), HasSubstr("cut.file"));
  }
  EXPECT_FALSE(ParseTensors(bytes + '\0', "long.file", kFormat).ok());
}

TEST(Safetensors, FlippedAtAnyByteIsRefused) {
  const std::string bytes = SerializeTensors(SmallFile());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int mask : {1, 0x20, 0x80}) {
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ mask);
      ASSERT_FALSE(ParseTensors(flipped, "flipped", kFormat).ok())
          << "byte " << at << " mask " << mask;
    }
  }
}

TEST(Safetensors, ForeignFormatIsNamed) {
  const auto parsed = ParseTensors(SerializeTensors(SmallFile()), "some.file", "apiary-weights-1");
  ASSERT_FALSE(parsed.ok());
  EXPECT_THAT(parsed.error(),
              HasSubstr("some.file: format \"test-format-1\", expected \"apiary-weights-1\""));
  EXPECT_FALSE(ParseTensors("hello world, this is a text file", "text", kFormat).ok());
}

// A file as another program writes it, with checksums that are right but a header that lies.
std::string Forge(nlohmann::ordered_json header, const std::string& data) {
  nlohmann::ordered_json metadata = {{"header_sha256", std::string(64, '0')},
                                     {"sha256", base::Sha256Hex(data)},
                                     {"format", kFormat}};
  nlohmann::ordered_json all = {{"__metadata__", metadata}};
  all.update(header);
  std::string text = all.dump();
  text.replace(text.find(std::string(64, '0')), 64, base::Sha256Hex(text));
  std::string length(8, '\0');
  const std::uint64_t size = text.size();
  std::memcpy(length.data(), &size, 8);
  return length + text + data;
}

TEST(Safetensors, HeaderThatLiesIsRefused) {
  using Json = nlohmann::ordered_json;
  const std::string data(8, 'x');
  const auto entry = [](Json shape, Json offsets, const char* dtype = "F32") {
    return Json{{"dtype", dtype}, {"shape", shape}, {"data_offsets", offsets}};
  };
  const auto error = [&](const Json& header) {
    const auto parsed = ParseTensors(Forge(header, data), "forged", kFormat);
    return parsed.ok() ? std::string("accepted") : parsed.error();
  };
  EXPECT_EQ(error({{"a", entry({2}, {0, 8})}}), "accepted");
  EXPECT_THAT(error({{"a", entry({3}, {0, 8})}}), HasSubstr("do not hold the 12 bytes"));
  EXPECT_THAT(error({{"a", entry({2}, {8, 16})}}), HasSubstr("\"a\""));
  EXPECT_THAT(error({{"a", entry({1}, {0, 4})}}), HasSubstr("account for 4"));
  EXPECT_THAT(error({{"a", entry({1}, {0, 4})}, {"b", entry({1}, {0, 4})}}), HasSubstr("\"b\""));
  EXPECT_THAT(error({{"a", entry({-2}, {0, 8})}}), HasSubstr("negative"));
  EXPECT_THAT(error({{"a", entry({2.5}, {0, 8})}}), HasSubstr("whole numbers"));
  EXPECT_THAT(error({{"a", entry({1ULL << 62, 4}, {0, 8})}}), HasSubstr("too large"));
  EXPECT_THAT(error({{"a", entry({2}, {0, 18446744073709551615ULL})}}), HasSubstr("whole numbers"));
  EXPECT_THAT(error({{"a", entry({2}, {0, 8}, "BF16")}}), HasSubstr("BF16"));
  EXPECT_THAT(error({{"a", Json{{"dtype", "F32"}}}}), HasSubstr("expected exactly"));
  EXPECT_THAT(error({{"a", 5}}), HasSubstr("expected exactly"));
}

TEST(Safetensors, FileRoundTripAndMissingFile) {
  const std::string path = testing::TempDir() + "/round_trip.safetensors";
  ASSERT_TRUE(WriteTensors(path, SmallFile()).ok());
  const auto read = ReadTensors(path, kFormat);
  ASSERT_TRUE(read.ok()) << read.error();
  ExpectEqual(*read, SmallFile());
  const auto missing = ReadTensors(path + ".missing", kFormat);
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error(), HasSubstr(".missing"));
}

}  // namespace
}  // namespace apiary::nn
