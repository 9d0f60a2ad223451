#include "app/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace apiary::app {

using Clock = std::chrono::steady_clock;

std::string FormatSeconds(double seconds) {
  const auto whole = static_cast<long long>(std::max(0.0, seconds) + 0.5);
  if (whole >= 3600)
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

ProgressLine::ProgressLine(std::string unit, bool quiet)
    : unit_(std::move(unit)),
      quiet_(quiet),
      terminal_(::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      shown_(start_) {}

ProgressLine::~ProgressLine() {
  if (terminal_ && width_ > 0) std::cerr << "\r" << std::string(width_, ' ') << "\r" << std::flush;
}

void ProgressLine::Show(int done, int total, const std::string& detail) {
  const Clock::time_point now = Clock::now();
  const auto interval =
      terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(5000);
  if (quiet_ || done <= 0 || now - shown_ < interval) return;
  shown_ = now;
  const double rate = done / std::chrono::duration<double>(now - start_).count();
  const std::string line =
      fmt::format("{} of {} {} ({:.0f} %), {:.1f} {}/s, {} left, {}", done, total, unit_,
                  100.0 * done / total, rate, unit_, FormatSeconds((total - done) / rate), detail);
  if (!terminal_) {
    std::cerr << line << "\n";
    return;
  }
  const std::size_t padding = width_ > line.size() ? width_ - line.size() : 0;
  std::cerr << "\r" << line << std::string(padding, ' ') << std::flush;
  width_ = line.size();
}

}  // namespace apiary::app
