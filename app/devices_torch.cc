#include <torch/torch.h>

#include "app/arguments.h"
#include "app/devices.h"
#include "nn/cpu_evaluator.h"
#include "nn/torch_evaluator.h"

namespace apiary::app {

nn::EvaluatorFactory MakeEvaluatorFactory(const std::string& device) {
  const torch::Device where = OrThrow(nn::ParseDevice(device), kBadUsage);
  if (where.is_cpu() && device != nn::kTorchOnCpu)
    return [](const std::string& path) { return nn::MakeCpuEvaluator(path); };
  return [device](const std::string& path) { return nn::MakeTorchEvaluator(path, device); };
}

std::vector<std::string> AvailableDevices() {
  std::vector<std::string> devices = {"cpu", nn::kTorchOnCpu};
  if (torch::cuda::is_available()) devices.push_back("cuda");
  return devices;
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
