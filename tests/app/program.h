// Runs the built program as a user does: arguments, standard streams, exit code.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace apiary::app {

struct ProgramResult {
  int code = -1;    // exit code; 128 + signal if it was killed
  std::string out;  // all of stdout
  std::string err;  // all of stderr
};

// What the child gives up before it becomes the program.
struct ProgramLimits {
  std::uint64_t file_bytes = 0;   // RLIMIT_FSIZE (soft); 0 = none
  bool without_override = false;  // root's right to read what the permissions forbid
};

// A started program. Its output is kept in files, so that it never waits for a reader. One thread.
class StartedProgram {
 public:
  explicit StartedProgram(const std::vector<std::string>& arguments, const std::string& input = "",
                          const ProgramLimits& limits = {});
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;
  ~StartedProgram();  // kills it if it still runs

  pid_t pid() const { return child_; }
  bool Running();
  void Signal(int signal);  // nothing if it has ended
  // Until stdout or stderr holds `text`; false if it ended before.
  bool WaitForText(const std::string& text);
  // To its end. A program that is stuck for ten minutes is killed.
  ProgramResult Wait();

 private:
  pid_t child_ = -1;
  int in_ = -1;
  int out_ = -1;
  int err_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

// Runs `apiary ARGUMENTS...` with `input` as standard input, to its end.
ProgramResult RunProgram(const std::vector<std::string>& arguments, const std::string& input = "");

// The objects of `--json` output, one a line.
std::vector<nlohmann::json> JsonLines(const std::string& text);

// Starts it with an open standard input, waits for `until` on stdout or stderr, sends `signal` and
// waits for the end. `err` holds both streams.
ProgramResult InterruptProgram(const std::vector<std::string>& arguments, const std::string& until,
                               int signal);

}  // namespace apiary::app
