#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/files.h"
#include "base/metrics.h"

namespace apiary::base {
namespace {

constexpr std::string_view kFormat = "apiary-metrics-1";

double SecondsSince1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Puts one line's numbers into `values`; false when the line is torn or of another format.
bool ParseLine(std::string_view line, std::map<std::string, double>& values) {
  const nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
  if (!object.is_object()) return false;
  const auto format = object.find("format");
  if (format == object.end() || !format->is_string() || *format != kFormat) return false;
  for (const auto& [name, value] : object.items())
    if (value.is_number()) values[name] = value.get<double>();
  return true;
}

}  // namespace

Result<MetricsFile> MetricsFile::Open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) return Fail("{}: cannot open: {}", path, std::strerror(errno));
  MetricsFile file(descriptor, path);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    return Fail("{}: not a regular file", path);
  if (status.st_size > 0) {
    char last = '\n';
    if (::pread(descriptor, &last, 1, status.st_size - 1) != 1)
      return Fail("{}: cannot read: {}", path, std::strerror(errno));
    file.torn_ = last != '\n';
  }
  return file;
}

MetricsFile::MetricsFile(MetricsFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      torn_(other.torn_) {}

MetricsFile& MetricsFile::operator=(MetricsFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  std::swap(torn_, other.torn_);
  return *this;
}

MetricsFile::~MetricsFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> MetricsFile::Append(const std::map<std::string, double>& values) {
  // Ordered, so that a reader of the raw file sees format, time and step first.
  nlohmann::ordered_json object = {{"format", kFormat}};
  const auto time = values.find("time");
  object["time"] = time == values.end() ? SecondsSince1970() : time->second;
  if (const auto step = values.find("step"); step != values.end()) object["step"] = step->second;
  for (const auto& [name, value] : values) object[name] = value;
  std::string line = torn_ ? "\n" : "";
  line += object.dump();  // writes numbers that are not finite as null
  line += '\n';
  ssize_t written = 0;
  do {
    written = ::write(descriptor_, line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(line.size())) {
    torn_ = false;
    return {};
  }
  const std::string reason = written < 0 ? std::strerror(errno) : "the disk is full";
  if (written > 0) torn_ = true;
  return Fail("{}: cannot append: {}", path_, reason);
}

Result<MetricsHistory> ReadMetrics(const std::string& path) {
  const Result<std::string> text = ReadFile(path);
  if (!text) return text.failure();
  MetricsHistory history;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    std::map<std::string, double> values;
    // Without its line break a line may still be growing, even where it parses.
    if (end != std::string_view::npos && ParseLine(line, values)) {
      history.lines.push_back(std::move(values));
    } else {
      ++history.skipped;
    }
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return history;
}

}  // namespace apiary::base
