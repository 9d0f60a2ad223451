// Measures published generations against the fixed players while a run goes on, on a thread of its
// own. Its games are never trained on.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/stop.h"
#include "nn/evaluator.h"
#include "train/run_config.h"

namespace apiary::train {

// Scores in [0, 1] of one generation (eval.simulations a move, eval.games games each; over several
// variants the mean).
struct Strength {
  int generation = 0;
  double against_random = 0;
  double against_crowd = 0;
};

class StrengthMeter {
 public:
  StrengthMeter(std::string run, const RunConfig& config, nn::EvaluatorFactory evaluators);

  // Measures the newest weights whenever eval.every generations have passed, until `stop`. The
  // meter's own thread.
  void Run(const base::StopToken& stop);

  // Any thread. The newest measurement; and those not yet taken, oldest first.
  std::optional<Strength> Last() const;
  std::vector<Strength> TakeNew();

 private:
  void Measure(const std::string& weights, int generation, const base::StopToken& stop);

  std::string run_;
  RunConfig config_;
  nn::EvaluatorFactory evaluators_;
  mutable std::mutex mutex_;
  std::optional<Strength> last_;
  std::vector<Strength> untaken_;
};

// One row of the table at the end of a run.
struct FinalRow {
  std::string opponent;
  int games = 0, wins = 0, draws = 0, losses = 0, capped = 0;
  double score = 0, score_low = 0, score_high = 0;  // 95 % interval
  double elo = 0;
  double mean_plies = 0;
};

// The last net, eval.simulations a move, eval.final_games paired games against each of random,
// crowd, gen0 and generation 1 of the run; of several variants, which share the games, a row each.
// Prints each row as it is done; writes RUN/final.json.
// Returns fewer rows when stopped. Throws apiary::Error.
std::vector<FinalRow> PlayFinalTable(const std::string& run, const RunConfig& config, int threads,
                                     const nn::EvaluatorFactory& evaluators,
                                     const base::StopToken& stop);
std::string FormatFinalTable(const std::string& player, const std::vector<FinalRow>& rows);

}  // namespace apiary::train
