// The configurations of configs/*.toml, compiled in by CMake. Any thread.
#pragma once

#include <span>
#include <string_view>

namespace apiary::train {

struct Preset {
  std::string_view name;  // "quick"
  std::string_view toml;
};
std::span<const Preset> CompiledPresets();

}  // namespace apiary::train
