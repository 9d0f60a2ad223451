// Files that other processes rely on: whole or absent, never torn. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/stop.h"

namespace apiary::base {

// Reads a whole regular file. The failure names the path and the reason.
Result<std::string> ReadFile(const std::string& path);

// Why a write failed, so that a full disk can be waited for.
struct WriteFailure {
  std::string message;     // names path and reason
  bool disk_full = false;  // ENOSPC, EDQUOT or EFBIG (a file-size limit)
};
// Writes `path`.tmp in the same directory, fsync, rename to `path`, fsync of the directory. On
// failure the temporary file is removed and `path` is as before (only a failed fsync of the
// directory leaves the new content, and is reported). Returns true, or false with `failure` filled.
// One writer a path at a time. A file-size limit is met as a failure only where SIGXFSZ is ignored,
// as InstallSignalHandlers does.
bool TryWriteDurably(const std::string& path, std::string_view bytes, WriteFailure& failure);
Result<void> WriteDurably(const std::string& path, std::string_view bytes);

// Gives a file that WriteDurably wrote another name in its folder, replacing what is there; fsync
// of the directory. On failure `from` is removed.
Result<void> RenameDurably(const std::string& from, const std::string& to);

inline constexpr int kDiskFullExitCode = 74;  // EX_IOERR of sysexits.h

// What a writer does when the disk is full: says so once a minute, retries, throws apiary::Error
// with exit code 74 after `timeout_s` (0 = at once) or when a stop is requested on `stop` (may be
// null; must outlive the policy).
class DiskFullPolicy {
 public:
  explicit DiskFullPolicy(double timeout_s, const StopToken* stop = nullptr)
      : timeout_s_(timeout_s), stop_(stop) {}
  double timeout_s() const { return timeout_s_; }
  bool cancelled() const { return stop_ != nullptr && stop_->requested(); }

 private:
  double timeout_s_;
  const StopToken* stop_;
};
// Throws apiary::Error when the write fails for another reason than a full disk.
void WriteDurablyOrWait(const std::string& path, std::string_view bytes,
                        const DiskFullPolicy& policy);

// mkdir -p; the failure names the part that is in the way (a regular file, no permission).
Result<void> MakeDirectories(const std::string& path);

std::string Sha256Hex(std::string_view bytes);  // 64 lower-case hex digits
std::uint32_t Crc32c(std::string_view bytes);   // Castagnoli, as in the TFRecord format

}  // namespace apiary::base
