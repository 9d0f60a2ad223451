#include "app/arguments.h"
#include "app/devices.h"
#include "nn/cpu_evaluator.h"

namespace apiary::app {

nn::EvaluatorFactory MakeEvaluatorFactory(const std::string& device) {
  if (device != "cpu" && device != "auto")
    throw Error(
        fmt::format("device \"{}\": this build of apiary has no LibTorch; expected cpu or auto",
                    device),
        kBadUsage);
  return [](const std::string& path) { return nn::MakeCpuEvaluator(path); };
}

std::vector<std::string> AvailableDevices() { return {"cpu"}; }

std::string DescribeDevice() {
  return "cpu: this build of apiary has no LibTorch; nets play, but are not trained";
}

bool UsesGpu() { return false; }

std::string DescribeTorchLibraries() { return "none: this build has no LibTorch"; }

}  // namespace apiary::app
