// A weights/LATEST that does not fit its file is looked at again for 30 s before it is an error,
// hence slow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "base/files.h"
#include "nn/weights.h"
#include "tests/app/program.h"
#include "tests/base/temporary_directory.h"
#include "tests/process/tiny_run.h"

namespace apiary::process {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

TEST(LatestSlow, ACorruptOneNamesTheNewestIntactGeneration) {
  const base::TemporaryDirectory directory;
  const std::string torn = directory / "torn";
  const std::string other = directory / "other";
  TrainTinyRun(torn, 2);
  fs::copy(torn, other, fs::copy_options::recursive);
  const std::string whole = *base::ReadFile(torn + "/weights/LATEST");
  std::ofstream(torn + "/weights/LATEST") << whole.substr(0, whole.size() / 2);
  fs::resize_file(nn::WeightsPath(other, nn::HighestGeneration(other)), 100);

  std::vector<std::unique_ptr<app::StartedProgram>> programs;
  for (const std::string& run : {torn, other}) {
    for (const std::vector<std::string>& line : {TinyRun("train", run),
                                                 TinyRun("selfplay", run),
                                                 {"match", run, "random", "--games", "2"},
                                                 {"uhp", "--model", run}})
      programs.push_back(std::make_unique<app::StartedProgram>(line, "exit\n"));
  }
  for (const auto& program : programs) {
    const app::ProgramResult result = program->Wait();
    EXPECT_EQ(result.code, 1) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("/weights/LATEST: "),
                                  HasSubstr("the newest intact generation is")));
  }
}

}  // namespace
}  // namespace apiary::process
