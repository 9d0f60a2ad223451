// A directory for one measurement, removed at the end of the scope. One thread.
#pragma once

#include <string>

namespace apiary::app {

class TemporaryDirectory {
 public:
  // Made below the system's folder for temporary files. Throws apiary::Error.
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace apiary::app
