#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "nn/safetensors.h"
#include "tests/app/program.h"
#include "tests/base/temporary_directory.h"
#include "tests/nn/busy_weights.h"

namespace apiary::app {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kTwoPieces = "Base+M;InProgress;White[2];wS1;bS1 wS1-";

std::vector<json> Lines(const ProgramResult& result) {
  EXPECT_EQ(result.code, 0) << result.err;
  return JsonLines(result.out);
}

TEST(Encode, TheStartIsOneEmptyRow) {
  const std::vector<json> lines = Lines(RunProgram({"encode", "Base", "--json"}));
  ASSERT_EQ(lines.size(), 1U);
  const json expected = json::parse(R"({
    "encoder_version": 1, "games": ["Base;NotStarted;White[1]"],
    "row_features": [[0,0,0,0,0,0,0,0,3,0,0]], "neighbors": [[-1,-1,-1,-1,-1,-1]],
    "position_features":
        [[1,2,2,3,3,0,0,0, 1,2,2,3,3,0,0,0, 0,0,0,0, 0,1, 0,0,0, 0]],
    "queen_rows": [[-1,-1]], "moves": [[-2,0],[-3,0],[-4,0],[-5,0]],
    "row_begin": [0,1], "move_begin": [0,4], "move_texts": ["wS1","wB1","wG1","wA1"]})");
  EXPECT_EQ(lines[0], expected);
}

TEST(Encode, TwoPiecesHaveTenRows) {
  const json position = Lines(RunProgram({"encode", kTwoPieces, "--json"})).at(0);
  ASSERT_EQ(position["neighbors"].size(), 10U);   // two cells and eight around them
  EXPECT_EQ(position["row_features"][0][0], 2);   // own spider
  EXPECT_EQ(position["row_features"][1][0], 10);  // enemy spider, east of it
  EXPECT_EQ(position["neighbors"][0][0], 1);
  EXPECT_EQ(position["neighbors"][1][3], 0);
  EXPECT_EQ(position["moves"].size(), position["move_texts"].size());
  // White places on the three cells that touch no black piece, six types (not the pillbug's two).
  EXPECT_EQ(position["moves"].size(), 3U * 6);
  for (const json& move : position["moves"])
    EXPECT_EQ(position["row_features"][move[1].get<std::size_t>()][8], 1);
  EXPECT_THAT(position["move_texts"].dump(), HasSubstr("\"wM -wS1\""));
}

TEST(Encode, RulesAreEncoded) {
  const auto features = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"encode", "Base", "--json"});
    return Lines(RunProgram(more)).at(0)["position_features"][0];
  };
  EXPECT_EQ(features({})[21], 1);
  EXPECT_EQ(features({"--repetition", "0"})[21], 0);
  EXPECT_EQ(features({})[25], 0);
  EXPECT_EQ(features({"--queen-first-turn"})[25], 1);
}

TEST(Encode, ABatchIsItsPositionsInARow) {
  const std::string text =
      std::string("# positions\nBase\n\n") + kTwoPieces + " # second\r\nBase+P\n";
  const std::vector<json> single = Lines(RunProgram({"encode", "--file", "-", "--json"}, text));
  ASSERT_EQ(single.size(), 3U);
  const std::vector<json> batches =
      Lines(RunProgram({"encode", "--file", "-", "--json", "--batch", "2"}, text));
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_EQ(batches[1], single[2]);
  const json& both = batches[0];
  EXPECT_EQ(both["games"].size(), 2U);
  EXPECT_EQ(both["row_begin"], json({0, 1, 11}));
  EXPECT_EQ(both["move_begin"], json({0, 4, 22}));
  EXPECT_EQ(both["neighbors"][1][0], 2);  // the first row of the second position, shifted by one
  EXPECT_EQ(both["neighbors"][2][3], 1);
  EXPECT_EQ(both["moves"][4][1].get<int>(), single[1]["moves"][0][1].get<int>() + 1);
  EXPECT_EQ(both["row_features"][1], single[1]["row_features"][0]);
}

TEST(Encode, AFileIsReadLineByLine) {
  const base::TemporaryDirectory folder;
  ASSERT_TRUE(
      base::WriteDurably(folder / "games.txt", "Base\nBase;InProgress;White[1];wS9\n").ok());
  const ProgramResult result = RunProgram({"encode", "--json", "--file", folder / "games.txt"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("games.txt: line 2: "), HasSubstr("wS9")));
  EXPECT_EQ(json::parse(result.out)["games"][0], "Base;NotStarted;White[1]");
}

TEST(Encode, AModelAddsItsOutputs) {
  const base::TemporaryDirectory folder;
  const nn::NetSpec spec = {.channels = 8, .blocks = 1};
  ASSERT_TRUE(nn::WriteTensors(folder / "net.safetensors", nn::BusyWeights(spec, 1)).ok());
  const json position =
      Lines(RunProgram({"encode", kTwoPieces, "--json", "--model", folder / "net.safetensors"}))
          .at(0);
  EXPECT_EQ(position["logits"].size(), position["moves"].size());
  EXPECT_EQ(position["moves_left"].size(), 1U);
  const json& wdl = position["wdl"][0];
  EXPECT_NEAR(wdl[0].get<double>() + wdl[1].get<double>() + wdl[2].get<double>(), 1, 1e-6);
}

TEST(Encode, TextNamesTheFeatures) {
  const ProgramResult result = RunProgram({"encode", kTwoPieces});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr(kTwoPieces), HasSubstr("next_to_queen"),
                                HasSubstr("own_hand_S=1"), HasSubstr("wM -wS1 (-6 -> ")));
}

TEST(Encode, BadUsageIsSaid) {
  for (const std::vector<std::string>& line : std::vector<std::vector<std::string>>{
           {"encode"},
           {"encode", "Bass", "--json"},
           {"encode", "Base", "--file", "-"},
           {"encode", "Base", "--json", "--batch", "0"},
           {"encode", "Base", "--json", "--repetition", "1"},
           {"encode", "Base", "--json", "--model", "no such model"},
           {"encode", "Base", "--model", "no such model"}}) {
    const ProgramResult result = RunProgram(line);
    EXPECT_EQ(result.code, 2) << ::testing::PrintToString(line) << result.err;
    EXPECT_THAT(result.out, IsEmpty());
  }
  EXPECT_EQ(RunProgram({"encode", "--json", "--file", "no such file"}).code, 1);
}

}  // namespace
}  // namespace apiary::app
