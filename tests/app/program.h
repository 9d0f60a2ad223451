// Runs the built program as a user does: arguments, standard streams, exit code.
#pragma once

#include <string>
#include <vector>

namespace apiary::app {

struct ProgramResult {
  int code = -1;    // exit code; 128 + signal if it was killed
  std::string out;  // all of stdout
  std::string err;  // all of stderr
};

// Runs `apiary ARGUMENTS...` with `input` as standard input, to its end.
ProgramResult RunProgram(const std::vector<std::string>& arguments, const std::string& input = "");

// Starts it with an open standard input, waits for `until` on stdout or stderr, sends `signal` and waits for the end.
// `err` holds both streams.
ProgramResult InterruptProgram(const std::vector<std::string>& arguments, const std::string& until, int signal);

}  // namespace apiary::app
