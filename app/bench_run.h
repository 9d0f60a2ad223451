// What the benches of nets share: an untrained net in a run directory of its own.
#pragma once

#include <string>

#include "app/bench.h"
#include "app/temporary_directory.h"
#include "nn/weights.h"

namespace apiary::app {

// "32x4": channels and blocks. Throws apiary::Error (bad usage).
nn::NetSpec ParseBenchNet(const std::string& text);

// A run directory with generation 1, untrained; removed at the end.
class BenchRun {
 public:
  BenchRun(const nn::NetSpec& spec, const BenchArguments& arguments);
  const std::string& path() const { return directory_.path(); }
  std::string weights() const { return nn::WeightsPath(path(), 1); }

 private:
  TemporaryDirectory directory_;
};

}  // namespace apiary::app
