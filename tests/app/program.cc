#include "tests/app/program.h"

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace apiary::app {
namespace {

constexpr std::chrono::milliseconds kPoll{2};
constexpr std::chrono::minutes kStuck{10};

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void Execute(const std::vector<std::string>& arguments, int in, int out, int err) {
  std::vector<std::string> words = {APIARY_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  ::execv(APIARY_PROGRAM, Pointers(words).data());
  ::_exit(127);
}

int CodeOf(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int WaitFor(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return CodeOf(status);
}

void Apply(const ProgramLimits& limits) {
  if (limits.file_bytes > 0) {
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = limits.file_bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (limits.without_override) {
    // Root's program starts with all rights of the bounding set; for any other user this fails and
    // need not succeed.
    ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE);
    ::prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH);
  }
}

// A temporary file without a name, positioned at its start.
int OpenScratch(const std::string& content) {
  std::string path = ::testing::TempDir() + "apiary_test_XXXXXX";
  const int descriptor = ::mkstemp(path.data());
  EXPECT_GE(descriptor, 0);
  ::unlink(path.c_str());
  EXPECT_EQ(::write(descriptor, content.data(), content.size()),
            static_cast<ssize_t>(content.size()));
  ::lseek(descriptor, 0, SEEK_SET);
  return descriptor;
}

std::string ReadToEnd(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t got = 0; (got = ::read(descriptor, buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  return text;
}

// All of a scratch file; its position, which the child shares, stays where it is.
std::string ContentOf(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t got = 0; (got = ::pread(descriptor, buffer.data(), buffer.size(),
                                       static_cast<off_t>(text.size()))) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  return text;
}

}  // namespace

StartedProgram::StartedProgram(const std::vector<std::string>& arguments, const std::string& input,
                               const ProgramLimits& limits)
    : in_(OpenScratch(input)), out_(OpenScratch("")), err_(OpenScratch("")) {
  child_ = ::fork();
  if (child_ == 0) {
    Apply(limits);
    Execute(arguments, in_, out_, err_);
  }
}

StartedProgram::~StartedProgram() {
  if (Running()) {
    Signal(SIGKILL);
    ::waitpid(child_, &status_, 0);
  }
  for (const int descriptor : {in_, out_, err_}) ::close(descriptor);
}

bool StartedProgram::Running() {
  if (!ended_) ended_ = ::waitpid(child_, &status_, WNOHANG) == child_;
  return !ended_;
}

void StartedProgram::Signal(int signal) {
  if (Running()) ::kill(child_, signal);
}

bool StartedProgram::WaitForText(const std::string& text) {
  for (;;) {
    const bool running = Running();
    if ((ContentOf(out_) + ContentOf(err_)).find(text) != std::string::npos) return true;
    if (!running) return false;
    std::this_thread::sleep_for(kPoll);
  }
}

ProgramResult StartedProgram::Wait() {
  const auto deadline = std::chrono::steady_clock::now() + kStuck;
  while (Running()) {
    if (std::chrono::steady_clock::now() > deadline) {
      ADD_FAILURE() << "the program does not end";
      Signal(SIGKILL);
    }
    std::this_thread::sleep_for(kPoll);
  }
  return {CodeOf(status_), ContentOf(out_), ContentOf(err_)};
}

ProgramResult RunProgram(const std::vector<std::string>& arguments, const std::string& input) {
  return StartedProgram(arguments, input).Wait();
}

ProgramResult InterruptProgram(const std::vector<std::string>& arguments, const std::string& until,
                               int signal) {
  std::array<int, 2> in, out;
  EXPECT_EQ(::pipe(in.data()), 0);
  EXPECT_EQ(::pipe(out.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(in[1]);
    ::close(out[0]);
    Execute(arguments, in[0], out[1], out[1]);
  }
  ::close(in[0]);
  ::close(out[1]);
  ProgramResult result;
  char byte = 0;
  while (result.err.find(until) == std::string::npos && ::read(out[0], &byte, 1) == 1)
    result.err += byte;
  ::kill(child, signal);
  result.err += ReadToEnd(out[0]);
  result.code = WaitFor(child);
  ::close(in[1]);
  ::close(out[0]);
  return result;
}

std::vector<nlohmann::json> JsonLines(const std::string& text) {
  std::vector<nlohmann::json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

}  // namespace apiary::app
