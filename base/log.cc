#include "base/log.h"

#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "base/files.h"

namespace apiary::base {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{8} << 20;
constexpr std::size_t kOlderFiles = 3;

}  // namespace

Result<void> SetUpLogging(const LogOptions& options) {
  const spdlog::level::level_enum level = spdlog::level::from_str(options.level);
  // from_str gives `off` for a word that it does not know.
  if (level == spdlog::level::off && options.level != "off")
    return Fail("log level {}: expected trace, debug, info, warning, error, critical or off",
                options.level);
  auto terminal = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  terminal->set_pattern("%^%l%$: %v");
  std::vector<spdlog::sink_ptr> sinks{std::move(terminal)};
  if (!options.directory.empty()) {
    if (Result<void> made = MakeDirectories(options.directory); !made) return made;
    const std::string path = fmt::format("{}/{}.log", options.directory, options.name);
    try {
      auto file =
          std::make_shared<spdlog::sinks::rotating_file_sink_mt>(path, kMaxFileBytes, kOlderFiles);
      file->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l [%t] %v");
      sinks.push_back(std::move(file));
    } catch (const spdlog::spdlog_ex& error) {
      return Fail("{}: cannot write the log: {}", path, error.what());
    }
  }
  auto logger = std::make_shared<spdlog::logger>("apiary", sinks.begin(), sinks.end());
  logger->set_level(level);
  logger->flush_on(spdlog::level::info);  // a killed process keeps its last lines
  spdlog::set_default_logger(std::move(logger));
  return {};
}

}  // namespace apiary::base
