// A full disk: a small tmpfs, or a limit of the file size where mounting is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/files.h"
#include "nn/weights.h"
#include "tests/app/program.h"
#include "tests/base/temporary_directory.h"
#include "tests/process/tiny_run.h"

namespace apiary::process {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::size_t kDiskBytes = 4 << 20;
constexpr std::uint64_t kFileBytes = 20000;  // more than config.toml, less than a checkpoint

// Mounts are this process's own, so that none is left behind.
bool MountSmallDisk(const std::string& path) {
  return ::unshare(CLONE_NEWNS) == 0 &&
         ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tmpfs", path.c_str(), "tmpfs", 0,
                 ("size=" + std::to_string(kDiskBytes)).c_str()) == 0;
}

class DiskFull : public testing::Test {
 protected:
  void SetUp() override { mounted_ = MountSmallDisk(directory_.path()); }
  void TearDown() override {
    if (mounted_) ::umount2(directory_.path().c_str(), MNT_DETACH);
  }
  std::string run() const { return directory_ / "run"; }

  // From here on there is no room for a checkpoint.
  void Fill(const app::StartedProgram& program) {
    if (!mounted_) return LimitFiles(program, kFileBytes);
    std::ofstream ballast(directory_ / "ballast", std::ios::binary);
    const std::string block(4096, 'x');
    while (ballast.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }
  void MakeRoom(const app::StartedProgram& program) {
    if (!mounted_) return LimitFiles(program, RLIM_INFINITY);
    fs::remove(directory_ / "ballast");
  }
  static void LimitFiles(const app::StartedProgram& program, rlim_t bytes) {
    rlimit limit{};
    ASSERT_EQ(::prlimit(program.pid(), RLIMIT_FSIZE, nullptr, &limit), 0);
    limit.rlim_cur = std::min(bytes, limit.rlim_max);
    ASSERT_EQ(::prlimit(program.pid(), RLIMIT_FSIZE, &limit, nullptr), 0);
  }
  // Until the run has so many generations; false if the program ended before.
  bool WaitForGeneration(int generation, app::StartedProgram& program) const {
    while (nn::HighestGeneration(run()) < generation) {
      if (!program.Running()) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
  }

  base::TemporaryDirectory directory_;
  bool mounted_ = false;
};

TEST_F(DiskFull, EndsWith74WhenNothingIsWaitedFor) {
  app::StartedProgram program(TinyRun("train", run()));
  ASSERT_TRUE(WaitForGeneration(1, program)) << program.Wait().err;
  Fill(program);
  const app::ProgramResult result = program.Wait();
  EXPECT_EQ(result.code, base::kDiskFullExitCode) << result.err;
  EXPECT_THAT(result.err, HasSubstr("disk full, gave up"));
  EXPECT_GE(ReadIntactRun(run()).generation, 1);
}

TEST_F(DiskFull, GoesOnWhenThereIsRoom) {
  app::StartedProgram program(TinyRun("train", run(), {"--set", "io.full_timeout_s=600"}));
  ASSERT_TRUE(WaitForGeneration(1, program)) << program.Wait().err;
  Fill(program);
  ASSERT_TRUE(program.WaitForText("the disk is full, trying again")) << program.Wait().err;
  MakeRoom(program);
  const int before = nn::HighestGeneration(run());
  EXPECT_TRUE(WaitForGeneration(before + 2, program)) << program.Wait().err;
  program.Signal(SIGINT);
  const app::ProgramResult result = program.Wait();
  EXPECT_EQ(result.code, 130) << result.err;
  EXPECT_GE(ReadIntactRun(run()).generation, before + 2);
}

TEST_F(DiskFull, CtrlCEndsTheWait) {
  app::StartedProgram program(TinyRun("train", run(), {"--set", "io.full_timeout_s=600"}));
  ASSERT_TRUE(WaitForGeneration(1, program)) << program.Wait().err;
  Fill(program);
  ASSERT_TRUE(program.WaitForText("the disk is full, trying again")) << program.Wait().err;
  program.Signal(SIGINT);
  EXPECT_EQ(program.Wait().code, base::kDiskFullExitCode);
  ReadIntactRun(run());
}

TEST_F(DiskFull, ANewRunSaysSo) {
  app::ProgramLimits limits;
  limits.file_bytes = 1000;
  const app::ProgramResult result = app::StartedProgram(TinyRun("train", run()), "", limits).Wait();
  EXPECT_EQ(result.code, base::kDiskFullExitCode) << result.err;
  EXPECT_THAT(result.err, HasSubstr(run() + "/config.toml"));
}

}  // namespace
}  // namespace apiary::process
