#include "tests/app/program.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace apiary::app {
namespace {

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

int WaitFor(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// A temporary file without a name, positioned at its start.
int OpenScratch(const std::string& content) {
  std::string path = ::testing::TempDir() + "apiary_test_XXXXXX";
  const int descriptor = ::mkstemp(path.data());
  EXPECT_GE(descriptor, 0);
  ::unlink(path.c_str());
  EXPECT_EQ(::write(descriptor, content.data(), content.size()), static_cast<ssize_t>(content.size()));
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

}  // namespace

ProgramResult RunProgram(const std::vector<std::string>& arguments, const std::string& input) {
  const int in = OpenScratch(input);
  const int out = OpenScratch("");
  const int err = OpenScratch("");
  const pid_t child = ::fork();
  if (child == 0) Execute(arguments, in, out, err);
  ProgramResult result;
  result.code = WaitFor(child);
  ::lseek(out, 0, SEEK_SET);
  ::lseek(err, 0, SEEK_SET);
  result.out = ReadToEnd(out);
  result.err = ReadToEnd(err);
  for (const int descriptor : {in, out, err}) ::close(descriptor);
  return result;
}

ProgramResult InterruptProgram(const std::vector<std::string>& arguments, const std::string& until, int signal) {
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
  while (result.err.find(until) == std::string::npos && ::read(out[0], &byte, 1) == 1) result.err += byte;
  ::kill(child, signal);
  result.err += ReadToEnd(out[0]);
  result.code = WaitFor(child);
  ::close(in[1]);
  ::close(out[0]);
  return result;
}

}  // namespace apiary::app
