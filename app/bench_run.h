// What the benches of nets share: a net in a run directory of its own.
#pragma once

#include <string>

#include "app/bench.h"
#include "app/temporary_directory.h"
#include "nn/weights.h"

namespace apiary::app {

// A run directory with one generation: --net is channels and blocks of an untrained net, "32x4", or
// a weights file or a run directory, of which the latest weights are taken. Removed at the end.
class BenchRun {
 public:
  // Throws apiary::Error.
  explicit BenchRun(const BenchArguments& arguments);
  const nn::NetSpec& spec() const { return spec_; }
  const std::string& path() const { return directory_.path(); }
  std::string weights() const { return nn::WeightsPath(path(), 1); }

 private:
  nn::NetSpec spec_;
  TemporaryDirectory directory_;
};

}  // namespace apiary::app
