#include <torch/torch.h>

#include "app/arguments.h"
#include "app/devices.h"
#include "nn/hive_net.h"
#include "nn/torch_evaluator.h"

namespace apiary::app {

nn::EvaluatorFactory MakeEvaluatorFactory(const std::string& device) {
  OrThrow(nn::ParseDevice(device), kBadUsage);
  return [device](const std::string& path) { return nn::MakeTorchEvaluator(path, device); };
}

base::Result<nn::TensorFile> MakeUntrainedWeights(const nn::NetSpec& spec, std::uint64_t seed) {
  nn::SetUpTorch();
  nn::HiveNet net = nn::MakeNet(spec, seed);
  return nn::SaveNet(net, spec);
}

std::string DescribeDevice() {
  auto device = nn::ParseDevice("auto");
  if (!device) return device.error();
  if (device->is_cuda())
    return fmt::format("cuda: {} GPU(s) seen by LibTorch", torch::cuda::device_count());
  if (!torch::hasCUDA()) return "cpu: this LibTorch build, as linked, has no CUDA";
  return "cpu: LibTorch has CUDA, but sees no GPU (no driver, or none visible)";
}

}  // namespace apiary::app
