#include "base/files.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace apiary::base {
namespace {

// Owns a file descriptor; Close reports what close(2) says.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int value() const { return value_; }
  bool valid() const { return value_ >= 0; }
  bool Close() { return ::close(std::exchange(value_, -1)) == 0; }

 private:
  int value_;
};

bool WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Fills `failure` from errno; always false, so that it can be returned.
bool Failed(const std::string& path, const char* action, WriteFailure& failure) {
  const int error = errno;
  failure.disk_full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  failure.message = fmt::format("{}: cannot {}: {}", path, action, std::strerror(error));
  return false;
}

std::string ParentOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool WriteTemporary(const std::string& temporary, std::string_view bytes, WriteFailure& failure) {
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.valid()) return Failed(temporary, "create", failure);
  if (!WriteAll(file.value(), bytes)) return Failed(temporary, "write", failure);
  if (::fsync(file.value()) != 0) return Failed(temporary, "sync", failure);
  if (!file.Close()) return Failed(temporary, "close", failure);
  return true;
}

// Removes `from` where it cannot be renamed.
bool Rename(const std::string& from, const std::string& to, WriteFailure& failure) {
  if (::rename(from.c_str(), to.c_str()) != 0) {
    Failed(to, "rename its temporary file to it", failure);
    ::unlink(from.c_str());
    return false;
  }
  const std::string parent = ParentOf(to);
  const Descriptor directory(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid()) return Failed(parent, "open", failure);
  // Some network file systems cannot sync a directory and say EINVAL; the rename is then as durable
  // as it gets.
  if (::fsync(directory.value()) != 0 && errno != EINVAL) return Failed(parent, "sync", failure);
  return true;
}

}  // namespace

Result<std::string> ReadFile(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return Fail("{}: cannot open: {}", path, std::strerror(errno));
  struct stat status {};
  if (::fstat(file.value(), &status) != 0)
    return Fail("{}: cannot read its status: {}", path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return Fail("{}: not a regular file", path);
  std::string bytes;
  // One byte more than the size, so that the usual read ends with a short count and no regrowth.
  bytes.resize(static_cast<std::size_t>(status.st_size) + 1);
  std::size_t size = 0;
  while (true) {
    if (size == bytes.size()) bytes.resize(2 * bytes.size());
    const ssize_t count = ::read(file.value(), bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Fail("{}: cannot read: {}", path, std::strerror(errno));
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  bytes.resize(size);
  return bytes;
}

bool TryWriteDurably(const std::string& path, std::string_view bytes, WriteFailure& failure) {
  const std::string temporary = path + ".tmp";
  if (!WriteTemporary(temporary, bytes, failure)) {
    ::unlink(temporary.c_str());
    return false;
  }
  return Rename(temporary, path, failure);
}

Result<void> RenameDurably(const std::string& from, const std::string& to) {
  WriteFailure failure;
  if (!Rename(from, to, failure)) return Failure{failure.message};
  return {};
}

Result<void> WriteDurably(const std::string& path, std::string_view bytes) {
  WriteFailure failure;
  if (!TryWriteDurably(path, bytes, failure)) return Failure{failure.message};
  return {};
}

void WriteDurablyOrWait(const std::string& path, std::string_view bytes,
                        const DiskFullPolicy& policy) {
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  constexpr Seconds kRetryEvery{1.0};
  constexpr Seconds kSayEvery{60.0};
  const Clock::time_point start = Clock::now();
  Clock::time_point next_message = start;
  WriteFailure failure;
  while (!TryWriteDurably(path, bytes, failure)) {
    if (!failure.disk_full) throw Error(failure.message);
    const Seconds waited = Clock::now() - start;
    const Seconds left = Seconds(policy.timeout_s()) - waited;
    if (left.count() <= 0 || policy.cancelled()) {
      throw Error(
          fmt::format("{} (disk full, gave up after {:.0f} s)", failure.message, waited.count()),
          kDiskFullExitCode);
    }
    if (Clock::now() >= next_message) {
      spdlog::warn("{}; the disk is full, trying again for {:.0f} s", failure.message,
                   left.count());
      next_message += std::chrono::duration_cast<Clock::duration>(kSayEvery);
    }
    std::this_thread::sleep_for(std::min(kRetryEvery, left));
  }
}

Result<void> MakeDirectories(const std::string& path) {
  std::size_t end = 0;
  while (end < path.size()) {
    end = std::min(path.find('/', end + 1), path.size());
    const std::string part = path.substr(0, end);
    if (::mkdir(part.c_str(), 0777) == 0) continue;
    const int error = errno;
    struct stat status {};
    if (::stat(part.c_str(), &status) == 0) {
      if (S_ISDIR(status.st_mode)) continue;
      return Fail("{}: cannot create the directory: {} is not a directory", path, part);
    }
    return Fail("{}: cannot create the directory {}: {}", path, part, std::strerror(error));
  }
  return {};
}

}  // namespace apiary::base
