// The only door of app/ to LibTorch. Built from devices_torch.cc, or from devices_without_torch.cc
// in builds without LibTorch.
#pragma once

#include <string>
#include <vector>

#include "nn/evaluator.h"

namespace apiary::app {

// For --help.
inline constexpr const char* kDeviceHelp =
    "cpu, torch (LibTorch on the CPU), cuda, or auto: cuda where there is one, else cpu";

// device: one of kDeviceHelp. Throws apiary::Error (bad usage) for a device that is not there.
nn::EvaluatorFactory MakeEvaluatorFactory(const std::string& device);
// What MakeEvaluatorFactory takes here, "auto" apart; "cpu" first.
std::vector<std::string> AvailableDevices();
// One sentence: which device a net would run on, and why.
std::string DescribeDevice();
// Whether nets run on a GPU by default.
bool UsesGpu();
// The libraries that LibTorch computes with on CPUs: BLAS, oneDNN.
std::string DescribeTorchLibraries();

}  // namespace apiary::app
