#include "base/stop.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace apiary::base {
namespace {

// Runs `body` in a child with the handlers installed; returns its exit code, or -1 where a signal
// killed it.
template <typename Body>
int RunWithHandlers(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    InstallSignalHandlers();
    ::_exit(body());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(StopTest, TokenRemembersARequest) {
  StopToken token;
  EXPECT_FALSE(token.requested());
  token.Request();
  EXPECT_TRUE(token.requested());
}

TEST(StopTest, NoSignalIsExitCodeZero) {
  EXPECT_EQ(RunWithHandlers([] { return ProcessStop().requested() ? 1 : StopExitCode(); }), 0);
}

TEST(StopTest, FirstSignalRequestsAStopAndSetsTheExitCode) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const int code = RunWithHandlers([signal] {
      std::raise(signal);
      return ProcessStop().requested() ? StopExitCode() : 1;
    });
    EXPECT_EQ(code, signal == SIGINT ? 130 : 143);
  }
}

TEST(StopTest, SecondSignalEndsTheProcessAtOnce) {
  const int code = RunWithHandlers([] {
    std::raise(SIGINT);
    std::raise(SIGTERM);
    return 1;
  });
  EXPECT_EQ(code, 143);
}

TEST(StopTest, ARequestByTheProgramDoesNotMakeTheFirstSignalTheSecond) {
  const int code = RunWithHandlers([] {
    ProcessStop().Request();
    std::raise(SIGINT);
    return StopExitCode() == 130 ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace apiary::base
