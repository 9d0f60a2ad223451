// The evaluator of a GPU, on one thread. A block goes to the device by one copy from pinned memory
// and only priors, values and moves left come back, by another; features are expanded there. Sizes
// are padded to few different ones, and where the device can record its work, each is recorded once
// and then replayed. Two blocks may be in flight, each on a stream of its own, so that one is
// copied while the other is computed.
//
// On the CPU the same code runs without pinned memory, streams and recording: for tests.
#pragma once

#include <torch/torch.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "nn/evaluator.h"
#include "nn/hive_net.h"
#include "nn/merged_evaluator.h"
#include "nn/packed_block.h"

namespace apiary::nn {

class DeviceEvaluator : public Evaluator {
 public:
  struct Options {
    torch::Device device = torch::kCPU;
    torch::ScalarType trunk_type = torch::kFloat;  // kBFloat16: on GPUs; the heads stay in float
    bool record = true;                            // replay recorded work where the device can
  };

  // The net is the evaluator's own from here on.
  DeviceEvaluator(HiveNet net, const NetSpec& spec, const Options& options);
  ~DeviceEvaluator() override;

  // Throws apiary::Error if two blocks are in flight already, or the device fails.
  void Submit(const env::Block& block, Evaluation& evaluation) override;
  void Wait(Evaluation& evaluation) override;
  std::int64_t RowsComputed(const env::Block& block) const override;
  std::string Describe() const override;

 private:
  // Memory for blocks of one padded size, and the work that turns `input` into `output`.
  struct Bucket;
  // One of the two ways to the device.
  struct Lane;

  Lane& FreeLane();
  Bucket& BucketFor(Lane& lane, const BlockSizes& sizes);
  // Reads bucket.input, writes bucket.output; on the lane's stream.
  void Compute(Bucket& bucket);
  void Run(Lane& lane, Bucket& bucket);

  HiveNet net_;
  NetSpec spec_;
  Options options_;
  std::vector<std::unique_ptr<Lane>> lanes_;
};

// Evaluators on a device for several threads: those of one weights file share one, which joins
// their blocks (nn/merged_evaluator.h). Any thread.
class SharedEvaluators {
 public:
  // most_positions: of a joined block.
  SharedEvaluators(const DeviceEvaluator::Options& options, int most_positions)
      : options_(options), most_positions_(most_positions) {}

  // Reads and verifies the file if no evaluator of it is in use.
  base::Result<std::unique_ptr<Evaluator>> Get(const std::string& weights_path);

 private:
  const DeviceEvaluator::Options options_;
  const int most_positions_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<MergedEvaluator>> in_use_;
};

}  // namespace apiary::nn
