#include "app/gpus.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/base/temporary_directory.h"

namespace apiary::app {
namespace {

using Names = std::vector<std::string>;

TEST(Gpus, AreReadFromTheDriversDirectory) {
  const base::TemporaryDirectory directory;
  EXPECT_EQ(NvidiaGpus(directory.path() + "/none"), Names());
  for (const char* slot : {"0000:04:00.0", "0000:41:00.0", "0000:81:00.0"})
    std::filesystem::create_directories(directory.path() + "/" + slot);
  std::ofstream(directory.path() + "/0000:04:00.0/information")
      << "Model: \t\t NVIDIA H200\nIRQ:   \t\t 42\n";
  std::ofstream(directory.path() + "/0000:41:00.0/information") << "Model:\n";
  EXPECT_EQ(NvidiaGpus(directory.path()), (Names{"NVIDIA H200", "unknown model", "unknown model"}));
}

TEST(Gpus, ThatLieIdleAreToldWithTheReason) {
  EXPECT_EQ(UnusedGpus({}, false, "cpu: why"), "");
  EXPECT_EQ(UnusedGpus({"NVIDIA H200"}, true, "cuda"), "");
  EXPECT_EQ(UnusedGpus({"NVIDIA H200"}, false, "cpu: no driver"),
            "THE GPU IS NOT USED: this machine has a GPU (NVIDIA H200), but nets run on cpu: no "
            "driver");
  EXPECT_EQ(UnusedGpus({"A", "B"}, false, "cpu: why"),
            "THE GPU IS NOT USED: this machine has 2 GPUs (A, B), but nets run on cpu: why");
}

}  // namespace
}  // namespace apiary::app
