// Our rules against a foreign engine's: many random games over several variants, each thread with
// an engine process of its own. What is compared: play/crosscheck_game.h.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "play/crosscheck_game.h"
#include "play/uhp_spec.h"

namespace apiary::play {

struct CrosscheckOptions {
  std::vector<env::Variant> variants;
  int games = 20;  // of each variant
  int threads = 1;
  std::uint64_t seed = 1;
  std::chrono::milliseconds timeout{30'000};  // of each answer
  CrosscheckPlay play;                        // the variant of its rules is replaced
};

struct CrosscheckVariant {
  env::Variant variant;
  CrosscheckCounts counts;
};

struct CrosscheckResult {
  std::string engine;                       // as it calls itself
  std::vector<CrosscheckVariant> variants;  // played, in the order given
  std::vector<env::Variant> not_supported;  // skipped
  std::optional<Difference> first;          // of the lowest game number, then variant
  std::optional<base::Failure> failure;     // what ended the run early
  double seconds = 0;

  CrosscheckCounts total() const;
};

struct CrosscheckProgress {
  int finished_games = 0;
  int games = 0;  // of all supported variants
  CrosscheckCounts total;
};

// The calling thread waits and reports. A failure: the engine could not be started at all; what
// breaks later is in the result, beside what was counted until then. The games of a seed do not
// depend on the threads, nor, where there is no difference, on the engine.
base::Result<CrosscheckResult> Crosscheck(
    const UhpSpec& spec, const CrosscheckOptions& options,
    const std::function<void(const CrosscheckProgress&)>& progress, const base::StopToken& stop);

}  // namespace apiary::play
