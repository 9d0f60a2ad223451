#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/files.h"
#include "base/metrics.h"

namespace apiary::base {
namespace {

constexpr std::size_t kMaxPendingBytes = std::size_t{1} << 20;

void AppendLittleEndian(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

// Protobuf wire format: a field is (number << 3 | type), then a varint (0), 8 bytes (1), length and
// bytes (2), 4 bytes (5).
void AppendVarint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7F) | 0x80);
  out += static_cast<char>(value);
}

void AppendVarintField(std::string& out, unsigned number, std::uint64_t value) {
  AppendVarint(out, number << 3 | 0);
  AppendVarint(out, value);
}

void AppendDoubleField(std::string& out, unsigned number, double value) {
  AppendVarint(out, number << 3 | 1);
  AppendLittleEndian(out, std::bit_cast<std::uint64_t>(value), 8);
}

void AppendBytesField(std::string& out, unsigned number, std::string_view bytes) {
  AppendVarint(out, number << 3 | 2);
  AppendVarint(out, bytes.size());
  out += bytes;
}

void AppendFloatField(std::string& out, unsigned number, float value) {
  AppendVarint(out, number << 3 | 5);
  AppendLittleEndian(out, std::bit_cast<std::uint32_t>(value), 4);
}

// The TFRecord format stores checksums rotated and shifted, so that a checksum of data with
// checksums stays sound.
std::uint32_t MaskedCrc(std::string_view bytes) {
  return std::rotr(Crc32c(bytes), 15) + 0xA282EAD8U;
}

std::string HostName() {
  char name[256] = "localhost";
  if (::gethostname(name, sizeof(name) - 1) != 0) return "localhost";
  return name;
}

}  // namespace

Result<EventFile> EventFile::Create(const std::string& directory) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  const std::string stem =
      fmt::format("{}/events.out.tfevents.{}.{}.{}", directory, seconds, HostName(), ::getpid());
  std::string path = stem;
  int descriptor = -1;
  for (int n = 1; descriptor < 0; ++n) {
    descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST)
      return Fail("{}: cannot create: {}", path, std::strerror(errno));
    if (descriptor < 0) path = fmt::format("{}.{}", stem, n);
  }
  EventFile file(descriptor, path);
  std::string event;  // Event: wall_time = 1 (double), file_version = 3 (string)
  AppendDoubleField(event, 1, static_cast<double>(seconds));
  AppendBytesField(event, 3, "brain.Event:2");
  file.AppendFrame(event);
  file.Flush();
  return file;
}

EventFile::EventFile(EventFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      pending_(std::move(other.pending_)),
      written_bytes_(other.written_bytes_) {}

EventFile& EventFile::operator=(EventFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  std::swap(pending_, other.pending_);
  std::swap(written_bytes_, other.written_bytes_);
  return *this;
}

EventFile::~EventFile() {
  if (descriptor_ < 0) return;
  Flush();
  ::close(descriptor_);
}

void EventFile::AppendFrame(std::string_view event) {
  std::string length;
  AppendLittleEndian(length, event.size(), 8);
  pending_ += length;
  AppendLittleEndian(pending_, MaskedCrc(length), 4);
  pending_ += event;
  AppendLittleEndian(pending_, MaskedCrc(event), 4);
}

void EventFile::Scalar(std::string_view tag, std::int64_t step, double wall_time_s, double value) {
  std::string scalar;  // Summary.Value: tag = 1 (string), simple_value = 2 (float)
  AppendBytesField(scalar, 1, tag);
  AppendFloatField(scalar, 2, static_cast<float>(value));
  std::string summary;  // Summary: value = 1
  AppendBytesField(summary, 1, scalar);
  std::string event;  // Event: wall_time = 1, step = 2, summary = 5
  AppendDoubleField(event, 1, wall_time_s);
  AppendVarintField(event, 2, static_cast<std::uint64_t>(step));
  AppendBytesField(event, 5, summary);
  AppendFrame(event);
  if (pending_.size() > kMaxPendingBytes) Flush();
}

void EventFile::Flush() {
  std::string_view rest = pending_;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) break;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  if (rest.empty()) {
    written_bytes_ += static_cast<std::int64_t>(pending_.size());
    pending_.clear();
    return;
  }
  const std::string reason = std::strerror(errno);
  // A torn frame in the middle would hide all that follows it from TensorBoard.
  if (::ftruncate(descriptor_, written_bytes_) != 0)
    spdlog::warn("{}: a torn record could not be cut off", path_);
  if (pending_.size() > kMaxPendingBytes) {
    spdlog::warn("{}: cannot write ({}); {} bytes of TensorBoard events are lost", path_, reason,
                 pending_.size());
    pending_.clear();
  }
}

}  // namespace apiary::base
