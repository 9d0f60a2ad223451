#include "base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include "base/files.h"
#include "tests/base/temporary_directory.h"

namespace apiary::base {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(LogTest, GoesToStderrAndFileFromItsLevelUp) {
  const TemporaryDirectory directory;
  ::testing::internal::CaptureStderr();
  ASSERT_TRUE(SetUpLogging({"warning", directory / "logs", "learn"}));
  spdlog::info("too quiet");
  spdlog::warn("generation {}", 7);
  spdlog::shutdown();
  const auto matches = AllOf(HasSubstr("generation 7"), Not(HasSubstr("too quiet")));
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), matches);
  EXPECT_THAT(ReadFile(directory / "logs/learn.log").value(), matches);
}

TEST(LogTest, FailuresNameWhatIsWrong) {
  EXPECT_THAT(SetUpLogging({"loud", "", "apiary"}).error(), HasSubstr("log level loud"));
  const TemporaryDirectory directory;
  ASSERT_TRUE(WriteDurably(directory / "file", "x"));
  EXPECT_THAT(SetUpLogging({"info", directory / "file/logs", "apiary"}).error(),
              HasSubstr("not a directory"));
}

}  // namespace
}  // namespace apiary::base
