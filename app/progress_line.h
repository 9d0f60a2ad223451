// Progress of long work on stderr: one line rewritten in place on a terminal, else a plain line
// every few seconds. One thread at a time.
#pragma once

#include <chrono>
#include <string>

namespace apiary::app {

class ProgressLine {
 public:
  // unit: what is counted, "games".
  ProgressLine(std::string unit, bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Rate, share done and time left are worked out; `detail` is appended.
  void Show(int done, int total, const std::string& detail);

 private:
  std::string unit_;
  bool quiet_;
  bool terminal_;
  std::size_t width_ = 0;  // of the line on the terminal, to be overwritten
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point shown_;
};

// "1:05" or "2:03:10".
std::string FormatSeconds(double seconds);

}  // namespace apiary::app
