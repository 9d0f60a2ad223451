// Logging of the process: spdlog's default logger, set up once by main. Lines go to stderr, since
// stdout belongs to results and --json, and on request to a rotating file as well. After set-up any
// thread logs with spdlog::info and the like.
#pragma once

#include <string>

#include "base/result.h"

namespace apiary::base {

struct LogOptions {
  std::string level = "info";   // trace, debug, info, warning, error, critical or off
  std::string directory;        // RUN/logs, made if missing; empty: no file
  std::string name = "apiary";  // the file is DIRECTORY/NAME.log, at most 4 files of 8 MiB
};

// Replaces the default logger. May be called again, for instance when the run directory is known.
// The failure names the level or the file.
Result<void> SetUpLogging(const LogOptions& options);

}  // namespace apiary::base
