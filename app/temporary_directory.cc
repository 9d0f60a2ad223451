#include "app/temporary_directory.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/result.h"

namespace apiary::app {

TemporaryDirectory::TemporaryDirectory() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  path_ = (error ? std::filesystem::path("/tmp") : parent) / "apiary-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr)
    throw Error(fmt::format("{}: {}", path_, std::strerror(errno)));
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace apiary::app
