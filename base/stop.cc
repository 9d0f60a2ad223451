#include "base/stop.h"

#include <unistd.h>

#include <csignal>

#include "base/check.h"

namespace apiary::base {
namespace {

// Signals are a property of the process, hence the only two variables here; both are ready before
// any code runs.
constinit StopToken process_stop;
constinit std::atomic<int> first_signal{0};

void OnStopSignal(int signal) {
  int none = 0;
  if (!first_signal.compare_exchange_strong(none, signal)) ::_exit(128 + signal);
  process_stop.Request();
}

void Handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  // No SA_RESTART: a read of the terminal or of a pipe must return so that its loop sees the token.
  const int result = ::sigaction(signal, &action, nullptr);
  APIARY_CHECK(result == 0, "sigaction({}) failed", signal);
}

}  // namespace

StopToken& ProcessStop() { return process_stop; }

void InstallSignalHandlers() {
  Handle(SIGINT, OnStopSignal);
  Handle(SIGTERM, OnStopSignal);
  Handle(SIGXFSZ, SIG_IGN);
}

int StopExitCode() {
  const int signal = first_signal.load();
  return signal == 0 ? 0 : 128 + signal;
}

}  // namespace apiary::base
