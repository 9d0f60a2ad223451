// Which stage of a run the others wait for, told from times that the stages count themselves. Pure
// functions; any thread.
#pragma once

#include <string>

namespace apiary::train {

// Seconds since the process began.
struct StageTimes {
  double wall_s = 0;  // when the others were read
  int workers = 0;
  double evaluating_s = 0;  // in evaluators, or waiting for them; sum over the workers
  double paused_s = 0;      // ahead of the learner; sum over the workers
  double training_s = 0;    // of the learner's steps
};

// "bottleneck: self-play; the learner trained 23 % of the last 60 s, workers evaluated 71 %,
// searched 29 %, were paused 0 %".
std::string DescribeBottleneck(const StageTimes& before, const StageTimes& now);

}  // namespace apiary::train
