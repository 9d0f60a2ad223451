// What this binary was made from, as known when it was configured. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace apiary::base {

struct Version {
  std::string_view number;      // "0.1.0"
  std::string_view revision;    // git describe --always --dirty, or "unknown revision"
  std::string_view build_type;  // "Release"
  std::string_view compiler;    // "GNU 12.2.0"
  std::string_view processor;   // "native" (-march=native) or "portable"
  std::string_view torch;       // "LibTorch 2.15 (CPU)" or "without LibTorch"
};

const Version& ProgramVersion();

// One line: "apiary 0.1.0 (1a2b3c4, Release, GNU 12.2.0, native, LibTorch 2.15 (CPU))". Stored in
// every run's config.toml.
std::string VersionText();

}  // namespace apiary::base
