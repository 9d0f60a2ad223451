// The three ways to run a training program on a run directory: everything on this machine (train),
// one process of workers (selfplay), the learner alone (learn). Each returns the process's exit
// code; apiary::Error is thrown for a world that failed.
#pragma once

#include "nn/evaluator.h"
#include "train/run_directory.h"

namespace apiary::train {

// Starts workers, learner and strength measurements as threads; makes the run or resumes it; ends
// when the budget is spent (with the final table), on Ctrl-C or SIGTERM (flushes, prints the
// command that resumes; 130 / 143) or on RUN/STOP (0).
int RunTrain(const RunOptions& options, const nn::EvaluatorFactory& evaluators);
// The learner and its measurements only. Ends with 0 on RUN/STOP and when the budget is spent.
int RunLearn(const RunOptions& options, const nn::EvaluatorFactory& evaluators);
// Workers only. Ends with 0 on RUN/STOP.
int RunSelfplay(const RunOptions& options, const nn::EvaluatorFactory& evaluators);

}  // namespace apiary::train
