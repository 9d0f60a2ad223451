// A file of whole lines that only grows and survives a kill at any time: results that took hours.
// What a kill tears is the last line, which the next program cuts off. One process at a time, one
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace apiary::base {

class LineFile {
 public:
  // Made where it does not exist; a failure if another process has it open.
  static Result<LineFile> Open(const std::string& path);
  LineFile(LineFile&& other) noexcept;
  LineFile& operator=(LineFile&& other) = delete;
  ~LineFile();

  const std::string& path() const { return path_; }
  // All of it, with a torn last line.
  Result<std::string> Read() const;
  // Cuts off what follows the first `bytes`: call it once it is known that the file is ours.
  Result<void> Keep(std::size_t bytes);
  // Appends `lines`, whole ones. Where they do not fit they are taken back and apiary::Error is
  // thrown (exit code 74 on a full disk). Precondition: Keep was called.
  void Append(std::string_view lines);
  // Until it is on the disk. Throws likewise.
  void Sync();

 private:
  LineFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}

  int descriptor_ = -1;
  std::string path_;
  std::int64_t bytes_ = 0;  // of whole lines
};

}  // namespace apiary::base
