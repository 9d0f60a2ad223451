#include "app/gpus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace apiary::app {
namespace {

// "Model: \t NVIDIA H200" of the driver's text; "unknown model" where there is none.
std::string ModelOf(const std::filesystem::path& information) {
  constexpr std::string_view kKey = "Model:";
  std::ifstream file(information);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(kKey)) continue;
    const std::size_t begin = line.find_first_not_of(" \t", kKey.size());
    if (begin != std::string::npos) return line.substr(begin);
  }
  return "unknown model";
}

}  // namespace

std::vector<std::string> NvidiaGpus(const std::string& directory) {
  std::vector<std::string> models;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error))
    models.push_back(ModelOf(entry.path() / "information"));
  std::sort(models.begin(), models.end());
  return models;
}

std::string UnusedGpus(const std::vector<std::string>& gpus, bool used, const std::string& reason) {
  if (gpus.empty() || used) return "";
  return fmt::format("THE GPU IS NOT USED: this machine has {} ({}), but nets run on {}",
                     gpus.size() == 1 ? "a GPU" : fmt::format("{} GPUs", gpus.size()),
                     fmt::join(gpus, ", "), reason);
}

}  // namespace apiary::app
