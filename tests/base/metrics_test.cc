#include "base/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "base/files.h"
#include "tests/base/temporary_directory.h"

namespace apiary::base {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

void AppendRaw(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::app | std::ios::binary) << text;
}

TEST(MetricsFileTest, RoundTripsInOrder) {
  const TemporaryDirectory directory;
  const std::string path = directory / "metrics.jsonl";
  {
    Result<MetricsFile> file = MetricsFile::Open(path);
    ASSERT_TRUE(file) << file.error();
    ASSERT_TRUE(file->Append({{"step", 1}, {"time", 100.5}, {"loss", 0.1}, {"games", 1e9}}));
    ASSERT_TRUE(file->Append({{"step", 2}, {"time", 101.5}}));
  }
  Result<MetricsFile> again = MetricsFile::Open(path);
  ASSERT_TRUE(again->Append({{"step", 3}, {"time", 102.5}}));
  const Result<MetricsHistory> history = ReadMetrics(path);
  ASSERT_TRUE(history) << history.error();
  EXPECT_EQ(history->skipped, 0);
  ASSERT_EQ(history->lines.size(), 3u);
  EXPECT_EQ(history->lines[0], (std::map<std::string, double>{
                                   {"step", 1}, {"time", 100.5}, {"loss", 0.1}, {"games", 1e9}}));
  EXPECT_EQ(history->lines[2].at("step"), 3);
  EXPECT_THAT(*ReadFile(path),
              StartsWith("{\"format\":\"apiary-metrics-1\",\"time\":100.5,\"step\":1.0,"));
}

TEST(MetricsFileTest, AddsTheTimeWhereItIsAbsent) {
  const TemporaryDirectory directory;
  Result<MetricsFile> file = MetricsFile::Open(directory / "m");
  ASSERT_TRUE(file->Append({{"step", 1}}));
  EXPECT_GT(ReadMetrics(directory / "m")->lines.at(0).at("time"), 1.6e9);
}

TEST(MetricsFileTest, NotFiniteIsNullAndAbsentWhenReadBack) {
  const TemporaryDirectory directory;
  Result<MetricsFile> file = MetricsFile::Open(directory / "m");
  ASSERT_TRUE(file->Append({{"loss", std::numeric_limits<double>::quiet_NaN()},
                            {"elo", std::numeric_limits<double>::infinity()},
                            {"step", 4}}));
  EXPECT_THAT(*ReadFile(directory / "m"), HasSubstr("\"loss\":null"));
  const Result<MetricsHistory> history = ReadMetrics(directory / "m");
  ASSERT_EQ(history->lines.size(), 1u);
  EXPECT_FALSE(history->lines[0].contains("loss"));
  EXPECT_FALSE(history->lines[0].contains("elo"));
  EXPECT_EQ(history->lines[0].at("step"), 4);
}

TEST(MetricsFileTest, TornLastLineIsSkippedAndEndedByTheNextWriter) {
  const TemporaryDirectory directory;
  const std::string path = directory / "m";
  Result<MetricsFile> first = MetricsFile::Open(path);
  ASSERT_TRUE(first->Append({{"step", 1}}));
  AppendRaw(path, "{\"format\":\"apiary-metrics-1\",\"st");
  EXPECT_EQ(ReadMetrics(path)->lines.size(), 1u);
  EXPECT_EQ(ReadMetrics(path)->skipped, 1);
  Result<MetricsFile> second = MetricsFile::Open(path);
  ASSERT_TRUE(second->Append({{"step", 2}}));
  ASSERT_TRUE(second->Append({{"step", 3}}));
  const Result<MetricsHistory> history = ReadMetrics(path);
  EXPECT_EQ(history->skipped, 1);
  ASSERT_EQ(history->lines.size(), 3u);
  EXPECT_EQ(history->lines[1].at("step"), 2);
}

TEST(MetricsFileTest, LineWithoutItsBreakIsNotReadYet) {
  const TemporaryDirectory directory;
  AppendRaw(directory / "m", "{\"format\":\"apiary-metrics-1\",\"step\":1}");
  EXPECT_TRUE(ReadMetrics(directory / "m")->lines.empty());
}

TEST(MetricsFileTest, ForeignLinesAreSkippedAndCounted) {
  const TemporaryDirectory directory;
  AppendRaw(directory / "m",
            "{\"format\":\"apiary-metrics-1\",\"step\":1,\"note\":\"text\"}\n"
            "{\"format\":\"other\",\"step\":2}\n[1,2]\nnonsense\n\n{\"step\":3}\n");
  const Result<MetricsHistory> history = ReadMetrics(directory / "m");
  EXPECT_EQ(history->lines.size(), 1u);
  EXPECT_EQ(history->skipped, 5);
}

TEST(MetricsFileTest, OpenNamesThePath) {
  const TemporaryDirectory directory;
  EXPECT_THAT(MetricsFile::Open(directory / "no/m").error(),
              StartsWith(directory / "no/m: cannot open"));
  EXPECT_THAT(ReadMetrics(directory / "m").error(), StartsWith(directory / "m: cannot open"));
}

// What follows reads the event format anew, from its definition, with a bitwise CRC of its own.

std::uint32_t SlowCrc32c(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? (crc >> 1) ^ 0x82F63B78U : crc >> 1;
  }
  return ~crc;
}

std::uint32_t SlowMaskedCrc(std::string_view bytes) {
  const std::uint32_t crc = SlowCrc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xA282EAD8U;
}

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : bytes_(bytes) {}
  bool done() const { return bytes_.empty(); }
  std::string_view Take(std::size_t n) {
    EXPECT_LE(n, bytes_.size()) << "the record ends early";
    const std::string_view taken = bytes_.substr(0, n);
    bytes_.remove_prefix(taken.size());
    return taken;
  }
  template <typename T>
  T Fixed() {
    T value{};
    const std::string_view taken = Take(sizeof(T));
    std::memcpy(&value, taken.data(), taken.size());
    return value;
  }
  std::uint64_t Varint() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = Fixed<std::uint8_t>();
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
  }
  std::string_view Bytes() { return Take(Varint()); }

 private:
  std::string_view bytes_;
};

struct Event {
  double wall_time = 0;
  std::int64_t step = 0;
  std::string version;
  std::string tag;
  float value = 0;
};

void ReadSummary(WireReader summary, Event& event) {
  ASSERT_EQ(summary.Varint(), 1u << 3 | 2);
  WireReader value(summary.Bytes());
  EXPECT_TRUE(summary.done());
  while (!value.done()) {
    switch (value.Varint()) {
      case 1u << 3 | 2:
        event.tag = value.Bytes();
        break;
      case 2u << 3 | 5:
        event.value = value.Fixed<float>();
        break;
      default:
        FAIL() << "unexpected field of Summary.Value";
    }
  }
}

void ReadEvent(WireReader fields, Event& event) {
  while (!fields.done()) {
    switch (fields.Varint()) {
      case 1u << 3 | 1:
        event.wall_time = fields.Fixed<double>();
        break;
      case 2u << 3 | 0:
        event.step = static_cast<std::int64_t>(fields.Varint());
        break;
      case 3u << 3 | 2:
        event.version = fields.Bytes();
        break;
      case 5u << 3 | 2:
        ReadSummary(WireReader(fields.Bytes()), event);
        break;
      default:
        FAIL() << "unexpected field of Event";
    }
  }
}

std::vector<Event> ReadEvents(const std::string& path) {
  const Result<std::string> bytes = ReadFile(path);
  EXPECT_TRUE(bytes.ok());
  WireReader file(*bytes);
  std::vector<Event> events;
  while (!file.done()) {
    const std::string_view length_bytes = file.Take(8);
    const auto size = WireReader(length_bytes).Fixed<std::uint64_t>();
    EXPECT_EQ(file.Fixed<std::uint32_t>(), SlowMaskedCrc(length_bytes));
    const std::string_view data = file.Take(size);
    EXPECT_EQ(file.Fixed<std::uint32_t>(), SlowMaskedCrc(data));
    ReadEvent(WireReader(data), events.emplace_back());
    if (::testing::Test::HasFailure()) break;
  }
  return events;
}

TEST(EventFileTest, FramesReadBack) {
  const TemporaryDirectory directory;
  Result<EventFile> file = EventFile::Create(directory.path());
  ASSERT_TRUE(file) << file.error();
  EXPECT_THAT(file->path(), StartsWith(directory / "events.out.tfevents."));
  file->Scalar("loss/policy", 1, 1000.25, 2.5);
  file->Scalar("elo", 300, 1001.0, -17.125);
  file->Scalar("a tag longer than any varint of one byte can count: " + std::string(200, 't'),
               1LL << 40, 1002.0, 1e-3);
  file->Flush();
  const std::vector<Event> events = ReadEvents(file->path());
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].version, "brain.Event:2");
  EXPECT_GT(events[0].wall_time, 1.6e9);
  EXPECT_EQ(events[1].tag, "loss/policy");
  EXPECT_EQ(events[1].step, 1);
  EXPECT_EQ(events[1].wall_time, 1000.25);
  EXPECT_EQ(events[1].value, 2.5f);
  EXPECT_EQ(events[2].step, 300);
  EXPECT_EQ(events[2].value, -17.125f);
  EXPECT_EQ(events[3].step, 1LL << 40);
  EXPECT_EQ(events[3].tag.size(), 252u);
  EXPECT_EQ(events[3].value, 1e-3f);
}

// The frame around "brain.Event:2" at second 0, byte by byte: 24 bytes long; the length's masked
// CRC is the one that starts every TensorBoard file with a first event of that length.
TEST(EventFileTest, LengthChecksumHasItsKnownBytes) {
  const TemporaryDirectory directory;
  const Result<EventFile> file = EventFile::Create(directory.path());
  const std::string bytes = ReadFile(file->path()).value();
  ASSERT_EQ(bytes.size(), 8u + 4 + 24 + 4);
  EXPECT_EQ(bytes.substr(0, 12), std::string("\x18\0\0\0\0\0\0\0\xa3\x7f\x4b\x22", 12));
}

TEST(EventFileTest, MovedFileGoesOnAndDestructionFlushes) {
  const TemporaryDirectory directory;
  std::string path;
  {
    EventFile file = EventFile::Create(directory.path()).value();
    file.Scalar("a", 1, 0, 1);
    EventFile moved = std::move(file);
    moved.Scalar("a", 2, 0, 2);
    path = moved.path();
  }
  EXPECT_EQ(ReadEvents(path).size(), 3u);
}

TEST(EventFileTest, TwoFilesOfOneSecondDoNotMix) {
  const TemporaryDirectory directory;
  const Result<EventFile> a = EventFile::Create(directory.path());
  const Result<EventFile> b = EventFile::Create(directory.path());
  EXPECT_NE(a->path(), b->path());
}

TEST(EventFileTest, MissingDirectoryIsNamed) {
  EXPECT_THAT(EventFile::Create("/nonexistent").error(), HasSubstr("/nonexistent/events.out"));
}

}  // namespace
}  // namespace apiary::base
