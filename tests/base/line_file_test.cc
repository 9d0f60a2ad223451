#include "base/line_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "base/files.h"
#include "tests/base/temporary_directory.h"

namespace apiary::base {
namespace {

using ::testing::HasSubstr;

class LineFiles : public ::testing::Test {
 protected:
  std::string path() const { return directory_.path() + "/lines"; }
  TemporaryDirectory directory_;
};

TEST_F(LineFiles, KeepsLinesAndCutsWhatIsTorn) {
  {
    auto file = LineFile::Open(path());
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->Keep(0).ok());
    file->Append("one\ntwo\n");
    file->Append("thr");
    file->Sync();
  }
  auto file = LineFile::Open(path());
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(*file->Read(), "one\ntwo\nthr");
  ASSERT_TRUE(file->Keep(8).ok());
  file->Append("three\n");
  EXPECT_EQ(*ReadFile(path()), "one\ntwo\nthree\n");
}

TEST_F(LineFiles, IsOneProgramsAtATime) {
  const auto file = LineFile::Open(path());
  ASSERT_TRUE(file.ok());
  const auto other = LineFile::Open(path());
  ASSERT_FALSE(other.ok());
  EXPECT_THAT(other.error(), HasSubstr("another program is adding to this file"));
  EXPECT_THAT(LineFile::Open(directory_.path()).error(), HasSubstr("cannot open"));
}

TEST_F(LineFiles, TakesBackWhatDoesNotFit) {
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit before = limit;
  limit.rlim_cur = 10;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  int code = 0;
  {
    auto file = LineFile::Open(path());
    ASSERT_TRUE(file->Keep(0).ok());
    file->Append("eight..\n");
    try {
      file->Append("more than two\n");
    } catch (const Error& error) {
      code = error.exit_code();
    }
    EXPECT_EQ(*ReadFile(path()), "eight..\n");
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(code, kDiskFullExitCode);
}

}  // namespace
}  // namespace apiary::base
