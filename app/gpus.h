// GPUs as the system tells of them, whether a program can use them or not. Any thread.
#pragma once

#include <string>
#include <vector>

namespace apiary::app {

// Names of the NVIDIA GPUs whose driver is loaded, from the driver's directory.
std::vector<std::string> NvidiaGpus(const std::string& directory = "/proc/driver/nvidia/gpus");

// What is to be said where GPUs lie idle, "" where none does. `reason`: why nets run on the CPU.
std::string UnusedGpus(const std::vector<std::string>& gpus, bool used, const std::string& reason);

}  // namespace apiary::app
