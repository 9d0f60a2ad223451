// What a worker sees of its run directory, looked at now and then: the STOP file, newly published
// weights, and how far the learner is behind (back-pressure). Lives on one thread.
#pragma once

#include <spdlog/common.h>

#include <cstdint>
#include <optional>
#include <string>

#include "nn/weights.h"
#include "train/run_config.h"

namespace apiary::train {

class RunWatch {
 public:
  // Looks at most every `poll_s` seconds. `aloud`: says in the log why it is ahead, once a minute
  // (one thread of a process does).
  RunWatch(std::string run, const RunConfig& config, double poll_s, bool aloud);

  // Looks if it is time; true if it did. Throws apiary::Error where LATEST stays wrong.
  bool Look();

  bool stop_file() const { return stop_file_; }
  // Weights published since the last call, once each.
  std::optional<nn::LatestWeights> TakeNewWeights();
  // The learner has more than learn.max_lead positions that it cannot use yet; or, when its
  // heartbeat is missing or ten minutes old, five times as many positions lie unread.
  bool ahead() const { return ahead_; }

 private:
  void LookAtLatest();
  void LookAtLearner();
  void Say(spdlog::level::level_enum level, const std::string& sentence);

  std::string run_;
  int max_lead_;
  double poll_s_;
  bool aloud_;
  double next_look_s_ = 0;  // monotonic
  double next_word_s_ = 0;
  std::string latest_text_;  // of the LATEST file when it was last seen
  std::optional<nn::LatestWeights> new_weights_;
  bool stop_file_ = false;
  bool ahead_ = false;
};

// Games of generation 0 in sealed files. Throws apiary::Error if they cannot be listed.
std::int64_t SealedGen0Games(const std::string& run);

}  // namespace apiary::train
