// What the game files and weights of a run add up to. Reads every game file. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "env/outcome.h"

namespace apiary::app {

struct RunSummary {
  std::int64_t games = 0;
  std::int64_t positions = 0;
  std::uint64_t game_bytes = 0;
  std::uint64_t run_bytes = 0;  // of all files of the run
  int files = 0;
  int bad_files = 0;                // unreadable ones, not counted in games and positions
  std::vector<std::string> errors;  // their sentences
  int generations = 0;              // the highest published

  // Finished games in order of sealing; generation 0 apart.
  std::int64_t gen0_games = 0;
  std::int64_t gen0_decisive = 0;
  std::vector<env::Outcome> outcomes;

  double bytes_per_position() const;
  // Share of decisive games, capped ones included in the count; nullopt without games.
  std::optional<double> decisive() const;
  std::optional<double> decisive_gen0() const;
  // Of consecutive 500 games; a shorter rest is left out.
  std::vector<double> decisive_windows() const;
};

base::Result<RunSummary> SummarizeRun(const std::string& run);

// Whether the directory looks like a run.
bool IsRun(const std::string& path);

}  // namespace apiary::app
