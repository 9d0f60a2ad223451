// Runs small enough to be trained in a second, and what must be true of any run directory whatever
// was done to its processes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace apiary::process {

// Arguments of `apiary COMMAND --run RUN` with a net of one block, 60 games of generation 0, a
// generation every two steps and no limit; `more` follows. Enough for a new run and for a resumed
// one.
std::vector<std::string> TinyRun(const std::string& command, const std::string& run,
                                 const std::vector<std::string>& more = {});

// Makes a run of `generations` generations in a process of its own; fails the test if that does not
// end with 0.
void TrainTinyRun(const std::string& run, int generations);

// A run directory, read and verified.
struct RunState {
  std::map<std::string, std::string> weights;  // sha256 by file name
  std::map<std::string, std::string> games;    // likewise, by key
  int generation = 0;                          // the highest weights file
  int selfplay_games = 0;                      // sealed ones of generation 1 and above
  std::int64_t step = 0;                       // of the checkpoint; 0 without one
  std::int64_t samples = 0;
  std::int64_t games_seen = 0;
  double wall_s = 0;
};

// Expects that
//  - generations are numbered 1, 2, 3, ..., every weights file and LATEST are intact;
//  - every sealed game file is whole, and no game was played twice;
//  - the checkpoint is intact and has counted each file that it knows exactly once, no position was
//  used more than learn.max_uses
//    times and all uses together are the samples drawn;
//  - the lines of the metrics that are whole have ever higher generations and steps.
RunState ReadIntactRun(const std::string& run);

// Expects that nothing of `before` was changed or lost and that nothing went back.
void ExpectGrown(const RunState& before, const RunState& after);

}  // namespace apiary::process
