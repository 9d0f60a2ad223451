#include "play/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

namespace apiary::play {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPollSlice{100};  // a stop request is seen within it
constexpr milliseconds kGrace{500};      // to leave after the end of its input
constexpr milliseconds kReapWait{1000};  // between the end of its output and its own
constexpr milliseconds kReapPoll{2};

// Both ends are closed on exec, so that no other child inherits them and keeps a pipe open.
struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

base::Result<Pipe> MakePipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return base::Fail("cannot make a pipe: {}", std::strerror(errno));
  return Pipe{ends[0], ends[1]};
}

void Close(const Pipe& pipe) {
  ::close(pipe.read_end);
  ::close(pipe.write_end);
}

// The signals that this program handles or ignores mean their default to the child.
void SetAttributes(posix_spawnattr_t& attributes) {
  sigset_t defaults, none;
  sigemptyset(&defaults);
  sigemptyset(&none);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGXFSZ}) sigaddset(&defaults, signal);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
}

// An error number, 0 if the program runs.
int Spawn(std::vector<std::string>& words, int in, int out, pid_t& pid) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  SetAttributes(attributes);
  const int error =
      ::posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return error;
}

// write(2) with EPIPE in place of SIGPIPE: the signal is blocked on this thread and taken away.
ssize_t WriteQuietly(int descriptor, std::string_view text) {
  sigset_t broken, before, pending;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  ::sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  ::pthread_sigmask(SIG_BLOCK, &broken, &before);
  const ssize_t written = ::write(descriptor, text.data(), text.size());
  const int error = errno;
  if (written < 0 && error == EPIPE && !was_pending) {
    const timespec now{};
    while (::sigtimedwait(&broken, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

}  // namespace

base::Result<std::unique_ptr<ChildProcess>> ChildProcess::Start(std::vector<std::string> words,
                                                                const base::StopToken& stop) {
  APIARY_CHECK(!words.empty(), "a program without a name");
  const base::Result<Pipe> in = MakePipe();
  if (!in) return in.failure();
  const base::Result<Pipe> out = MakePipe();
  if (!out) {
    Close(*in);
    return out.failure();
  }
  pid_t pid = -1;
  const int error = Spawn(words, in->read_end, out->write_end, pid);
  if (error != 0) {
    Close(*in);
    Close(*out);
    return base::Fail("cannot start '{}': {}", words[0], std::strerror(error));
  }
  ::close(in->read_end);
  ::close(out->write_end);
  ::fcntl(in->write_end, F_SETFL, O_NONBLOCK);
  ::fcntl(out->read_end, F_SETFL, O_NONBLOCK);
  return std::unique_ptr<ChildProcess>(new ChildProcess(pid, in->write_end, out->read_end, stop));
}

ChildProcess::~ChildProcess() {
  ::close(in_);
  int code = 0, signal = 0;
  EndedBy(Clock::now() + kGrace, code, signal);
  ::kill(-pid_, SIGKILL);  // also what it started and left behind
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  ::close(out_);
}

ChildProcess::Status ChildProcess::WaitFor(int descriptor, short events,
                                           Clock::time_point deadline) const {
  for (;;) {
    if (stop_.requested()) return Status::kStopped;
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    const auto slice = std::clamp(left, milliseconds(0), kPollSlice);
    pollfd request{descriptor, events, 0};
    if (::poll(&request, 1, static_cast<int>(slice.count())) > 0) return Status::kDone;
    if (left <= milliseconds(0)) return Status::kTimeout;
  }
}

ChildProcess::Status ChildProcess::Write(std::string_view text, Clock::time_point deadline) {
  while (!text.empty()) {
    const ssize_t written = WriteQuietly(in_, text);
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      if (const Status status = WaitFor(in_, POLLOUT, deadline); status != Status::kDone)
        return status;
    } else if (errno != EINTR) {
      return Status::kEnded;
    }
  }
  return Status::kDone;
}

ChildProcess::Status ChildProcess::ReadLine(Clock::time_point deadline, std::string& line) {
  std::size_t searched = begin_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      line.assign(buffer_, begin_, end - begin_);
      if (!line.empty() && line.back() == '\r') line.pop_back();
      begin_ = end + 1;
      return Status::kDone;
    }
    buffer_.erase(0, begin_);
    begin_ = 0;
    if (buffer_.size() > kMaxLineBytes) return Status::kTooLong;
    searched = buffer_.size();
    if (const Status status = WaitFor(out_, POLLIN, deadline); status != Status::kDone)
      return status;
    std::array<char, 1 << 14> chunk;
    const ssize_t got = ::read(out_, chunk.data(), chunk.size());
    if (got > 0) {
      buffer_.append(chunk.data(), static_cast<std::size_t>(got));
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
      return Status::kEnded;
    }
  }
}

bool ChildProcess::EndedBy(Clock::time_point deadline, int& code, int& signal) const {
  for (;;) {
    siginfo_t info{};
    const int result = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    if (result == 0 && info.si_pid == pid_) {
      code = info.si_code == CLD_EXITED ? info.si_status : 0;
      signal = info.si_code == CLD_EXITED ? 0 : info.si_status;
      return true;
    }
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(kReapPoll);
  }
}

std::string ChildProcess::HowItEnded() {
  int code = 0, signal = 0;
  if (!EndedBy(Clock::now() + kReapWait, code, signal)) return "closed its output";
  if (signal != 0) return fmt::format("was killed by signal {} ({})", signal, ::strsignal(signal));
  return fmt::format("ended with exit code {}", code);
}

}  // namespace apiary::play
