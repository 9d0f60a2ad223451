// Checks every file of a run for what its reader demands. Reads everything, changes nothing. One
// thread.
#pragma once

#include <string>
#include <vector>

namespace apiary::app {

struct Finding {
  bool ok = true;
  std::string text;  // "games: 120 files, 9,000 games", or the sentence of what is wrong
};

std::vector<Finding> CheckRun(const std::string& run);

}  // namespace apiary::app
