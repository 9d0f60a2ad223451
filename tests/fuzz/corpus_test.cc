// Replays the fuzz corpora of tests/data/fuzz: seeds, and inputs that libFuzzer found to reach
// code of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "tests/fuzz/inputs.h"

namespace apiary::fuzz {
namespace {

namespace fs = std::filesystem;

struct Corpus {
  const char* folder;
  std::string (*check)(std::string_view input);
};

class FuzzCorpus : public ::testing::TestWithParam<Corpus> {};

TEST_P(FuzzCorpus, EveryInputKeepsThePromises) {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::directory_iterator(fs::path(APIARY_TEST_DATA) / "fuzz" / GetParam().folder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  EXPECT_GE(files.size(), 15U);
  for (const fs::path& file : files) {
    const auto input = base::ReadFile(file.string());
    ASSERT_TRUE(input.ok()) << input.error();
    EXPECT_EQ(GetParam().check(*input), "") << file;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FuzzCorpus,
                         ::testing::Values(Corpus{"game_string", CheckGameString},
                                           Corpus{"move_text", CheckMoveText},
                                           Corpus{"uhp", CheckUhp}),
                         [](const auto& corpus) { return std::string(corpus.param.folder); });

}  // namespace
}  // namespace apiary::fuzz
