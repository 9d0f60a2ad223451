#include "base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>

#include "tests/base/temporary_directory.h"

namespace apiary::base {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Runs `body` in a child whose files may not grow above `limit_bytes`; returns its exit code.
template <typename Body>
int RunWithFileSizeLimit(rlim_t limit_bytes, Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{limit_bytes, limit_bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::_exit(body());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(FilesTest, ReadsBackWhatWasWrittenBytesAndAll) {
  const TemporaryDirectory directory;
  const std::string path = directory / "file";
  std::string bytes(100000, 'x');
  bytes[0] = '\0';
  bytes[77] = '\n';
  ASSERT_TRUE(WriteDurably(path, bytes));
  const Result<std::string> read = ReadFile(path);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, bytes);
  ASSERT_TRUE(WriteDurably(path, ""));
  EXPECT_EQ(ReadFile(path).value(), "");
  EXPECT_FALSE(std::filesystem::exists(path + ".tmp"));
}

TEST(FilesTest, RenamesOverAFileOrRemovesWhatItCannotRename) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(WriteDurably(directory / "new", "new") && WriteDurably(directory / "old", "old"));
  ASSERT_TRUE(RenameDurably(directory / "new", directory / "old"));
  EXPECT_EQ(ReadFile(directory / "old").value(), "new");
  EXPECT_FALSE(std::filesystem::exists(directory / "new"));
  std::filesystem::create_directory(directory / "folder");
  const Result<void> failed = RenameDurably(directory / "old", directory / "folder");
  EXPECT_FALSE(failed);
  EXPECT_THAT(failed.error(), StartsWith(directory / "folder" + ": cannot rename"));
  EXPECT_FALSE(std::filesystem::exists(directory / "old"));
}

TEST(FilesTest, ReadNamesPathAndReason) {
  const TemporaryDirectory directory;
  EXPECT_EQ(ReadFile(directory / "absent").error(),
            directory / "absent" + ": cannot open: No such file or directory");
  EXPECT_EQ(ReadFile(directory.path()).error(), directory.path() + ": not a regular file");
}

TEST(FilesTest, FileSizeLimitIsADiskFullAndKeepsTheOldFile) {
  const TemporaryDirectory directory;
  const std::string path = directory / "file";
  ASSERT_TRUE(WriteDurably(path, "old"));
  const int code = RunWithFileSizeLimit(1000, [&path] {
    WriteFailure failure;
    if (TryWriteDurably(path, std::string(5000, 'n'), failure)) return 10;
    if (!failure.disk_full) return 11;
    return failure.message == path + ".tmp: cannot write: File too large" ? 0 : 12;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(ReadFile(path).value(), "old");
  EXPECT_FALSE(std::filesystem::exists(path + ".tmp"));
}

TEST(FilesTest, RealFullDeviceIsADiskFull) {
  // /dev/full refuses every write with ENOSPC; `path`.tmp is made a link to it.
  const TemporaryDirectory directory;
  std::filesystem::create_symlink("/dev/full", directory / "file.tmp");
  WriteFailure failure;
  EXPECT_FALSE(TryWriteDurably(directory / "file", "bytes", failure));
  EXPECT_TRUE(failure.disk_full);
  EXPECT_THAT(failure.message, HasSubstr("No space left on device"));
  EXPECT_FALSE(std::filesystem::exists(directory / "file"));
}

TEST(FilesTest, OtherFailuresAreNoDiskFull) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(WriteDurably(directory / "plain", "x"));
  WriteFailure failure;
  EXPECT_FALSE(TryWriteDurably(directory / "plain/below", "bytes", failure));
  EXPECT_FALSE(failure.disk_full);
  EXPECT_EQ(failure.message, directory / "plain/below.tmp: cannot create: Not a directory");
  EXPECT_FALSE(TryWriteDurably(directory / "absent/below", "bytes", failure));
  EXPECT_THAT(failure.message, HasSubstr("No such file or directory"));
}

TEST(FilesTest, TargetThatIsADirectoryStaysAndLeavesNoTemporary) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(MakeDirectories(directory / "taken/inside"));
  const Result<void> written = WriteDurably(directory / "taken", "bytes");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error(), StartsWith(directory / "taken" + ": cannot rename"));
  EXPECT_TRUE(std::filesystem::is_directory(directory / "taken/inside"));
  EXPECT_FALSE(std::filesystem::exists(directory / "taken.tmp"));
}

TEST(FilesTest, FullDiskWithoutPatienceThrowsExitCode74AtOnce) {
  const TemporaryDirectory directory;
  const std::string path = directory / "file";
  const int code = RunWithFileSizeLimit(10, [&path] {
    try {
      WriteDurablyOrWait(path, std::string(50, 'n'), DiskFullPolicy(0));
      return 10;
    } catch (const Error& error) {
      return error.exit_code();
    }
  });
  EXPECT_EQ(code, 74);
}

TEST(FilesTest, StopEndsTheWaitForAFullDisk) {
  const TemporaryDirectory directory;
  const std::string path = directory / "file";
  StopToken stop;
  stop.Request();
  const int code = RunWithFileSizeLimit(10, [&path, &stop] {
    try {
      WriteDurablyOrWait(path, std::string(50, 'n'), DiskFullPolicy(3600, &stop));
      return 10;
    } catch (const Error& error) {
      return error.exit_code();
    }
  });
  EXPECT_EQ(code, 74);
}

TEST(FilesTest, WaitingWriterGoesOnWhenThereIsRoom) {
  const TemporaryDirectory directory;
  const std::string path = directory / "file";
  std::filesystem::create_symlink("/dev/full", path + ".tmp");
  // The failed attempt removes the link to the full device, so the second one finds room.
  WriteDurablyOrWait(path, "bytes", DiskFullPolicy(60));
  EXPECT_EQ(ReadFile(path).value(), "bytes");
}

TEST(FilesTest, WriteOrWaitDoesNotWaitForOtherFailures) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(WriteDurably(directory / "plain", "x"));
  try {
    WriteDurablyOrWait(directory / "plain/below", "bytes", DiskFullPolicy(3600));
    FAIL() << "no exception";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 1);
    EXPECT_THAT(error.what(), HasSubstr("Not a directory"));
  }
}

TEST(FilesTest, MakesDirectoriesAndNamesWhatIsInTheWay) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(MakeDirectories(directory / "a/b/c"));
  ASSERT_TRUE(MakeDirectories(directory / "a/b/c/")) << "again, with a slash at the end";
  EXPECT_TRUE(std::filesystem::is_directory(directory / "a/b/c"));
  ASSERT_TRUE(WriteDurably(directory / "a/file", "x"));
  EXPECT_EQ(MakeDirectories(directory / "a/file/run").error(),
            directory / "a/file/run" + ": cannot create the directory: " + directory / "a/file" +
                " is not a directory");
}

// Root may write anywhere, so the check runs as another user.
TEST(FilesTest, MissingPermissionNamesTheDirectory) {
  const TemporaryDirectory directory;
  ASSERT_EQ(::chmod(directory.path().c_str(), 0555), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(10);
    const Result<void> made = MakeDirectories(directory / "run");
    if (made) ::_exit(11);
    ::_exit(made.error() == directory / "run" + ": cannot create the directory " +
                                directory / "run" + ": Permission denied"
                ? 0
                : 12);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// FIPS 180-4 examples.
TEST(ChecksumTest, Sha256KnownVectors) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// RFC 3720, appendix B.4, and the usual check value.
TEST(ChecksumTest, Crc32cKnownVectors) {
  EXPECT_EQ(Crc32c(""), 0u);
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(Crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
  std::string rising(32, '\0');
  for (int i = 0; i < 32; ++i) rising[static_cast<std::size_t>(i)] = static_cast<char>(i);
  EXPECT_EQ(Crc32c(rising), 0x46DD794Eu);
  EXPECT_EQ(Crc32c(std::string(rising.rbegin(), rising.rend())), 0x113FDB5Cu);
}

}  // namespace
}  // namespace apiary::base
