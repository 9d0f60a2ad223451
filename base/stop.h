// Asking long work to stop: one token, set by Ctrl-C / SIGTERM or by the program, polled by loops.
// Any thread.
#pragma once

#include <atomic>

namespace apiary::base {

class StopToken {
 public:
  void Request() { stopped_.store(true, std::memory_order_relaxed); }
  bool requested() const { return stopped_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> stopped_{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "Request is called by a signal handler");
};

// The process's token, set by the handlers below. The first SIGINT/SIGTERM requests a stop, the
// second ends the process at once. InstallSignalHandlers is called by main once; it also ignores
// SIGXFSZ, so that a file-size limit is an error of write(2) instead of the end of the process.
StopToken& ProcessStop();
void InstallSignalHandlers();
// 130 after SIGINT, 143 after SIGTERM, 0 if no signal came.
int StopExitCode();

}  // namespace apiary::base
