#include <ATen/Version.h>
#include <torch/torch.h>

#include "app/arguments.h"
#include "app/devices.h"
#include "nn/cpu_evaluator.h"
#include "nn/device_evaluator.h"
#include "nn/torch_evaluator.h"

namespace apiary::app {

nn::EvaluatorFactory MakeEvaluatorFactory(const std::string& device) {
  const torch::Device where = OrThrow(nn::ParseDevice(device), kBadUsage);
  if (where.is_cpu() && device != nn::kTorchOnCpu)
    return [](const std::string& path) { return nn::MakeCpuEvaluator(path); };
  if (where.is_cpu())
    return [device](const std::string& path) { return nn::MakeTorchEvaluator(path, device); };
  constexpr int kMostPositions = 4096;  // of a joined block
  const auto shared = std::make_shared<nn::SharedEvaluators>(
      nn::DeviceEvaluator::Options{.device = where, .trunk_type = torch::kBFloat16},
      kMostPositions);
  return [shared](const std::string& path) { return shared->Get(path); };
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

bool UsesGpu() {
  const auto device = nn::ParseDevice("auto");
  return device && device->is_cuda();
}

std::string DescribeTorchLibraries() {
  const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
  return fmt::format("{}; {}",
                     at::hasMKL() ? first_line(at::get_mkl_version()) : "BLAS other than MKL",
                     at::hasMKLDNN() ? first_line(at::get_mkldnn_version()) : "no oneDNN");
}

}  // namespace apiary::app
