#include "train/game_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/train/sample_games.h"
#include "train/game_file.h"

namespace apiary::train {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;

env::Rules ShortRules() {
  env::Rules rules;
  rules.max_plies = 10;
  return rules;
}
GameRecord TenPlies(std::uint64_t seed) { return SampleGame(ShortRules(), 0, seed); }

constexpr GameWriter::Limits kManual{1'000'000, 1e9, 0};

TEST(GameStore, ARunWithoutGamesHasNone) {
  TestDirectory run;
  const auto listing = ListGames(run.path());
  ASSERT_TRUE(listing.ok());
  EXPECT_TRUE(listing->files.empty());
  EXPECT_EQ(listing->foreign, 0);
}

TEST(GameStore, SealedFilesAreListedAndRead) {
  TestDirectory run;
  GameWriter writer(run.path(), "host-12-0", kManual);
  const std::vector<GameRecord> games{TenPlies(1), TenPlies(2), TenPlies(3)};
  for (const GameRecord& game : games) writer.Append(game, 120);
  EXPECT_EQ(writer.held_games(), 3);
  EXPECT_TRUE(ListGames(run.path())->files.empty());
  writer.Seal();
  EXPECT_EQ(writer.held_games(), 0);
  const auto listing = ListGames(run.path());
  ASSERT_TRUE(listing.ok());
  ASSERT_EQ(listing->files.size(), 1U);
  const GameFileName& file = listing->files[0];
  EXPECT_THAT(file.key, MatchesRegex("g000120/host_12_0-[0-9a-f]+-000001-n3-p30\\.games\\.zst"));
  EXPECT_EQ(file.path, run / "games/" + file.key);
  EXPECT_EQ(file.generation, 120);
  EXPECT_EQ(file.games, 3);
  EXPECT_EQ(file.positions, 30);
  EXPECT_EQ(file.bytes, fs::file_size(file.path));
  EXPECT_EQ(listing->games(), 3);
  EXPECT_EQ(listing->positions(), 30);
  EXPECT_EQ(ReadGameFile(file.path).value(), games);
  writer.Seal();  // nothing held: nothing written
  EXPECT_EQ(ListGames(run.path())->files.size(), 1U);
}

TEST(GameStore, FilesAreSealedAtTheirLimits) {
  TestDirectory run;
  GameWriter by_size(run.path(), "size", {25, 1e9, 0});
  for (int i = 0; i < 7; ++i) by_size.Append(TenPlies(1), 1);
  EXPECT_EQ(by_size.held_games(), 1);
  EXPECT_EQ(ListGames(run.path())->files.size(), 2U);
  GameWriter by_age(run.path(), "age", {1'000'000, 0, 0});
  by_age.Append(TenPlies(1), 2);
  EXPECT_EQ(by_age.held_games(), 0);
  EXPECT_EQ(ListGames(run.path())->files.size(), 3U);
}

TEST(GameStore, TheFolderIsTheGenerationOfTheFirstGame) {
  TestDirectory run;
  GameWriter writer(run.path(), "w", kManual);
  writer.Append(TenPlies(1), 7);
  writer.Append(TenPlies(2), 8);
  writer.Seal();
  writer.Append(TenPlies(3), 8);
  writer.Seal();
  const auto listing = ListGames(run.path());
  ASSERT_EQ(listing->files.size(), 2U);
  EXPECT_THAT(listing->files[0].key, HasSubstr("g000007/w-"));
  EXPECT_THAT(listing->files[1].key, HasSubstr("g000008/w-"));
  EXPECT_THAT(listing->files[1].key, HasSubstr("-000002-n1-"));
}

TEST(GameStore, OldestFirstByGenerationThenTimeThenName) {
  TestDirectory run;
  const auto add = [&](const std::string& name, int age_s) {
    fs::create_directories(fs::path(run / name).parent_path());
    std::ofstream(run / name) << "x";
    fs::last_write_time(run / name, fs::file_time_type::clock::now() - std::chrono::seconds(age_s));
  };
  add("games/g000002/a-1-000001-n1-p1.games.zst", 400);
  add("games/g000001/b-1-000001-n1-p1.games.zst", 100);
  add("games/g000001/a-1-000002-n1-p1.games.zst", 100);
  add("games/g000001/c-1-000001-n1-p1.games.zst", 200);
  // Equal times.
  fs::last_write_time(run / "games/g000001/b-1-000001-n1-p1.games.zst",
                      fs::last_write_time(run / "games/g000001/a-1-000002-n1-p1.games.zst"));
  std::vector<std::string> keys;
  const auto listing = ListGames(run.path());
  for (const GameFileName& file : listing->files) keys.push_back(file.key.substr(6, 3));
  EXPECT_THAT(keys, ElementsAre("1/c", "1/a", "1/b", "2/a"));
}

TEST(GameStore, ForeignNamesAreCountedAndTemporariesAreNot) {
  TestDirectory run;
  fs::create_directories(run / "games/g000001");
  fs::create_directories(run / "games/gen5");
  for (const char* name : {"README", "w-1-1-n1-p1.games", "w-1-000001-n1.games.zst",
                           "w-1-000001-nx-p1.games.zst", "w-1-000001-n1-p-1.games.zst",
                           "a-b-1-000001-n1-p1.games.zst", "w-1-000001-n1-p99999999999.games.zst"})
    std::ofstream(run / "games/g000001/" + name) << "x";
  std::ofstream(run / "games/g000001/w-1-000001-n1-p1.games.zst.tmp") << "x";
  const auto listing = ListGames(run.path());
  ASSERT_TRUE(listing.ok());
  EXPECT_TRUE(listing->files.empty());
  EXPECT_EQ(listing->foreign, 8);
}

TEST(GameStore, GamesThatIsAFileIsAnError) {
  TestDirectory run;
  std::ofstream(run / "games") << "x";
  EXPECT_THAT(ListGames(run.path()).error(), HasSubstr(run / "games"));
  EXPECT_THROW(GameWriter(run.path(), "w", kManual), Error);
}

// A file-size limit of this process stands for a full disk, as long as it lives.
class FullDisk {
 public:
  FullDisk() : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_limit_);
    rlimit limit = old_limit_;
    limit.rlim_cur = 100;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  void (*old_handler_)(int);
  rlimit old_limit_{};
};

TEST(GameStore, AFullDiskIsSaidWithItsExitCodeAndNoGameIsLost) {
  TestDirectory run;
  GameWriter writer(run.path(), "w", kManual);
  writer.Append(TenPlies(1), 1);
  int exit_code = 0;
  {
    const FullDisk full;
    try {
      writer.Seal();
    } catch (const Error& error) {
      exit_code = error.exit_code();
      EXPECT_THAT(error.what(), HasSubstr(run / "games/g000001/w-"));
    }
  }
  EXPECT_EQ(exit_code, 74);
  EXPECT_TRUE(fs::is_empty(run / "games/g000001"));
  writer.Seal();
  EXPECT_EQ(ListGames(run.path())->games(), 1);
}

TEST(GameStore, QuarantineMovesTheFileAway) {
  TestDirectory run;
  GameWriter writer(run.path(), "w", kManual);
  writer.Append(TenPlies(1), 1);
  writer.Seal();
  const GameFileName file = ListGames(run.path())->files[0];
  Quarantine(run.path(), file, "for a test");
  EXPECT_TRUE(ListGames(run.path())->files.empty());
  EXPECT_TRUE(fs::exists(run / "bad/" + fs::path(file.path).filename().string()));
}

TEST(GameStore, OldestRemovableGamesGo) {
  TestDirectory run;
  GameWriter writer(run.path(), "w", kManual);
  for (int generation = 1; generation <= 5; ++generation) {
    writer.Append(TenPlies(1), generation);
    writer.Seal();
  }
  const auto files = ListGames(run.path())->files;
  ASSERT_EQ(files.size(), 5U);
  const std::set<std::string> all = {files[0].key, files[1].key, files[2].key, files[3].key,
                                     files[4].key};
  EXPECT_TRUE(RemoveOldGames(run.path(), 5 * files[0].bytes, all).empty());
  // Room for two; the oldest is in the window, or not yet read, and stays.
  std::set<std::string> removable = all;
  removable.erase(files[0].key);
  EXPECT_EQ(RemoveOldGames(run.path(), 2 * files[0].bytes, removable),
            (std::vector<std::string>{files[1].key, files[2].key, files[3].key}));
  const auto left = ListGames(run.path())->files;
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(left[0].key, files[0].key);
  EXPECT_EQ(left[1].key, files[4].key);
  // More than fits, nothing of it removable.
  EXPECT_TRUE(RemoveOldGames(run.path(), 0, {}).empty());
}

TEST(GameStore, StaleTemporariesGoAndYoungOnesStay) {
  TestDirectory run;
  fs::create_directories(run / "games/g000001");
  const std::string old_file = run / "games/g000001/a-1-000001-n1-p1.games.zst.tmp";
  const std::string young_file = run / "games/g000001/b-1-000001-n1-p1.games.zst.tmp";
  const std::string sealed = run / "games/g000001/c-1-000001-n1-p1.games.zst";
  for (const std::string& name : {old_file, young_file, sealed}) std::ofstream(name) << "x";
  for (const std::string& name : {old_file, sealed})
    fs::last_write_time(name, fs::file_time_type::clock::now() - std::chrono::hours(2));
  EXPECT_EQ(RemoveStaleTemporaries(run.path()), 1);
  EXPECT_FALSE(fs::exists(old_file));
  EXPECT_TRUE(fs::exists(young_file));
  EXPECT_TRUE(fs::exists(sealed));
  EXPECT_EQ(RemoveStaleTemporaries(run / "none"), 0);
}

}  // namespace
}  // namespace apiary::train
