#include "base/line_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/files.h"

namespace apiary::base {
namespace {

Error WriteError(const std::string& path, const char* action, int error) {
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return Error(fmt::format("{}: cannot {}: {}", path, action, std::strerror(error)),
               full ? kDiskFullExitCode : 1);
}

}  // namespace

Result<LineFile> LineFile::Open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) return Fail("{}: cannot open: {}", path, std::strerror(errno));
  LineFile file(descriptor, path);
  // File systems without locks say ENOTSUP or ENOLCK; then there is none to respect.
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return Fail("{}: another program is adding to this file", path);
  return file;
}

LineFile::LineFile(LineFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      bytes_(other.bytes_) {}

LineFile::~LineFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::string> LineFile::Read() const { return ReadFile(path_); }

Result<void> LineFile::Keep(std::size_t bytes) {
  bytes_ = static_cast<std::int64_t>(bytes);
  if (::ftruncate(descriptor_, bytes_) == 0) return {};
  return Fail("{}: cannot cut off its torn last line: {}", path_, std::strerror(errno));
}

void LineFile::Append(std::string_view lines) {
  for (std::string_view rest = lines; !rest.empty();) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      // If this fails too, the next program finds a torn end.
      [[maybe_unused]] const int ignored = ::ftruncate(descriptor_, bytes_);
      throw WriteError(path_, "append", error);
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  bytes_ += static_cast<std::int64_t>(lines.size());
}

void LineFile::Sync() {
  if (::fsync(descriptor_) != 0) throw WriteError(path_, "sync", errno);
}

}  // namespace apiary::base
