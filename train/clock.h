// The two clocks. Any thread.
#pragma once

#include <chrono>

namespace apiary::train {

// Seconds that never jump; only differences mean something.
inline double MonotonicSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Seconds since 1970, as other processes and machines see them.
inline double UnixTime() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace apiary::train
