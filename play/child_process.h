// A program started with pipes to its standard input and output; its stderr stays ours. It runs in
// a process group of its own, so that a Ctrl-C meant for us does not reach it, and is ended with
// its own children and reaped by the destructor. Lives on one thread; several may be started by
// several threads at once.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop.h"

namespace apiary::play {

class ChildProcess {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Status {
    kDone,
    kTimeout,
    kEnded,    // the pipe is closed at its other end; see HowItEnded
    kStopped,  // the stop token was set
    kTooLong,  // a line longer than kMaxLineBytes
  };
  static constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20;

  // words[0] is looked up in PATH, as a shell does. The failure names it. The token must outlive
  // the object.
  static base::Result<std::unique_ptr<ChildProcess>> Start(std::vector<std::string> words,
                                                           const base::StopToken& stop);
  // Closes its input, gives it a moment to leave, then kills its group.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  // Never raises SIGPIPE.
  Status Write(std::string_view text, Clock::time_point deadline);
  // One line without its end ("\n" or "\r\n"); what follows the last "\n" of the output is no line.
  Status ReadLine(Clock::time_point deadline, std::string& line);
  // After kEnded: "ended with exit code 3", "was killed by signal 11 (Segmentation fault)" or
  // "closed its output".
  std::string HowItEnded();

 private:
  ChildProcess(pid_t pid, int in, int out, const base::StopToken& stop)
      : pid_(pid), in_(in), out_(out), stop_(stop) {}
  Status WaitFor(int descriptor, short events, Clock::time_point deadline) const;
  // Whether it has ended by `deadline`; it stays a zombie, so that its number is not given away.
  bool EndedBy(Clock::time_point deadline, int& code, int& signal) const;

  pid_t pid_;
  int in_;   // write end of its standard input
  int out_;  // read end of its standard output
  const base::StopToken& stop_;
  std::string buffer_;     // read, not yet handed out
  std::size_t begin_ = 0;  // of what is left in it
};

}  // namespace apiary::play
