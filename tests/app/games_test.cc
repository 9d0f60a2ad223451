// `apiary import`, what `apiary inspect` then shows, and `apiary analyze`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/base/temporary_directory.h"
#include "tests/play/well_formed_xml.h"

namespace apiary::app {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

const std::string kData = APIARY_TEST_DATA;
const std::string kModel = std::string(APIARY_SOURCE_DIR) + "/models/base-quick.safetensors";
const std::string kOpening = "Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-";
// White has lost.
const std::string kFinished =
    "Base;BlackWins;White[17];wS1;bA1 /wS1;wA1 wS1-;bB1 /bA1;wQ \\wA1;bA2 bB1\\;wA1 wQ-;bQ "
    "/bB1;wA1 bB1-;bB1 bQ;wA2 wQ/;bB1 bQ\\;wA2 /bA1;bA2 wQ/;wA1 -bA2;bS1 bA2-;wA1 -bQ;bS1 "
    "-bA2;wA1 /bS1;bA2 wQ-;wA1 wS1-;bS2 bS1/;wA1 /bS1;bS2 -wA1;pass;bA3 bA2/;pass;bA3 "
    "wS1-;pass;bG1 bA3-;pass;bG1 bS1-";

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void ExpectSentence(const ProgramResult& result, int code, const std::string& part) {
  EXPECT_EQ(result.code, code) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("apiary: "), HasSubstr(part)));
}

TEST(ImportCommand, TakesGamesOnceAndInspectShowsThem) {
  const base::TemporaryDirectory directory;
  const std::string run = directory / "run";
  const std::vector<std::string> line = {
      "import", kData + "/sgf/old-passes.sgf", kData + "/rules/human-games.tsv", "--to", run,
      "--json"};
  const ProgramResult first = RunProgram(line);
  ASSERT_EQ(first.code, 0) << first.err;
  const std::vector<json> report = JsonLines(first.out);
  ASSERT_EQ(report.size(), 3U);
  EXPECT_EQ(report[0]["format"], "SGF");
  EXPECT_EQ(report[0]["stored"], 1);
  EXPECT_EQ(report[1]["games"], 90);
  EXPECT_EQ(report[1]["stored"], 44);
  EXPECT_EQ(report[1]["skipped"].size(), 46U);
  EXPECT_EQ(report[1]["skipped"][0]["line"], 2);
  EXPECT_EQ(report[1]["skipped"][0]["reason"], "other variant");
  EXPECT_EQ(report[2]["stored"], 45);
  EXPECT_EQ(report[2]["skipped"]["other variant"], 43);
  EXPECT_EQ(report[2]["skipped"]["no result"], 3);

  const std::vector<json> again = JsonLines(RunProgram(line).out);
  ASSERT_EQ(again.size(), 3U);
  EXPECT_EQ(again[2]["stored"], 0);
  EXPECT_EQ(again[2]["skipped"]["duplicate"], 45);

  const std::vector<json> inspected =
      JsonLines(RunProgram({"inspect", run, "--games", "--json"}).out);
  ASSERT_EQ(inspected.size(), 1U);
  EXPECT_EQ(inspected[0]["games"], 45);
  EXPECT_EQ(inspected[0]["gen0_games"], 45);
  ASSERT_EQ(inspected[0]["game_strings"].size(), 45U);
  EXPECT_EQ(inspected[0]["game_strings"][0], kFinished);
  EXPECT_EQ(RunProgram({"doctor", "--run", run}).code, 0);
}

TEST(ImportCommand, ANewRunHasTheVariantAskedFor) {
  const base::TemporaryDirectory directory;
  const std::string run = directory / "run";
  const ProgramResult result = RunProgram({"import", kData + "/sgf", "--to", run, "--variant",
                                           "Base+MLP", "--config", "smoke", "--set", "seed=5"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("run: 2 games stored, 59 positions; 1 ended by resignation"));
  EXPECT_THAT(result.out, HasSubstr("old-passes.sgf:1: other variant: a game of Base, the run is "
                                    "of Base+MLP"));
  EXPECT_THAT(ReadText(run + "/config.toml"),
              AllOf(HasSubstr("variant = \"Base+MLP\""), HasSubstr("seed = 5")));
  EXPECT_THAT(RunProgram({"inspect", run, "--games"}).out,
              HasSubstr("BlackWins agreed, generation 0: Base+MLP;BlackWins;White[21];wA1;"));
  ExpectSentence(RunProgram({"import", kData + "/sgf", "--to", run, "--variant", "Base"}), 1,
                 "rules.variant is \"Base+MLP\" in this run and cannot become \"Base\"");
}

TEST(ImportCommand, WhatIsWrongIsNamedByFileAndLine) {
  const base::TemporaryDirectory directory;
  const std::string file = directory / "games.txt";
  std::ofstream(file) << "Base;WhiteWins;White[2];wS1;bS1 wS1-;wQ bS1-\n\xFFrubbish\n";
  const ProgramResult result = RunProgram({"import", file, "--to", directory / "run"});
  EXPECT_EQ(result.code, 1);  // nothing was taken
  EXPECT_THAT(result.out, HasSubstr(file + ":1: illegal move: move 3: 'wQ bS1-': not legal"));
  EXPECT_THAT(result.out, HasSubstr(file + ":2: broken text: '?rubbish': no GameString"));
  EXPECT_FALSE(fs::exists(directory / "run"));  // and no run was made for it
  EXPECT_EQ(JsonLines(RunProgram({"import", file, "--to", directory / "run", "--json"}).out).size(),
            2U);
}

TEST(ImportCommand, BadUsageIsASentence) {
  const base::TemporaryDirectory directory;
  const std::string run = directory / "run";
  EXPECT_EQ(RunProgram({"import"}).code, 2);
  EXPECT_EQ(RunProgram({"import", kData + "/sgf"}).code, 2);
  ExpectSentence(RunProgram({"import", directory / "none.sgf", "--to", run}), 2,
                 "none.sgf: there is no such file");
  ExpectSentence(RunProgram({"import", kData + "/sgf", "--to", run, "--variant", "Base+X"}), 2,
                 "Base+X");
  ExpectSentence(RunProgram({"import", kData + "/sgf", "--to", run, "--config", "nosuch"}), 2,
                 "nosuch");
  fs::create_directory(directory / "empty");
  ExpectSentence(RunProgram({"import", directory / "empty", "--to", run}), 1, "no file that ends");
  std::ofstream(directory / "file") << "";
  ExpectSentence(RunProgram({"import", kData + "/sgf/old-passes.sgf", "--to", directory / "file"}),
                 1, "file");
}

TEST(AnalyzeCommand, PrintsLinesAndAPicture) {
  const base::TemporaryDirectory directory;
  const std::string svg = directory / "board.svg";
  const ProgramResult result = RunProgram(
      {"analyze", kOpening, "--model", kModel, "--sims", "60", "--lines", "3", "--svg", svg});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("|wQ |"), HasSubstr("White in hand: wS2"),
                                HasSubstr("White to move: win "), HasSubstr("base-quick: 60 ")));
  const play::XmlCheck xml(ReadText(svg));
  EXPECT_EQ(xml.error(), "");
  EXPECT_EQ(xml.Count("circle"), 6);  // three ranks, on the board and in the table
}

TEST(AnalyzeCommand, JsonIsOneObjectAndRepeatable) {
  const std::vector<std::string> line = {"analyze", "-",  "--model", kModel,
                                         "--sims",  "60", "--json"};
  json first;
  for (const char* seed : {"1", "2"}) {
    std::vector<std::string> arguments = line;
    arguments.insert(arguments.end(), {"--seed", seed});
    const ProgramResult result = RunProgram(arguments, kOpening + "\n");
    ASSERT_EQ(result.code, 0) << result.err;
    const std::vector<json> lines = JsonLines(result.out);
    ASSERT_EQ(lines.size(), 1U);
    json analysis = lines[0];
    EXPECT_EQ(analysis["game"], kOpening);
    EXPECT_EQ(analysis["simulations"], 60);
    ASSERT_EQ(analysis["lines"].size(), 5U);
    EXPECT_EQ(analysis["lines"][0]["move"], analysis["lines"][0]["line"][0]);
    const json& wdl = analysis["wdl"];
    EXPECT_NEAR(wdl["win"].get<double>() + wdl["draw"].get<double>() + wdl["loss"].get<double>(), 1,
                1e-4);
    analysis.erase("seconds");
    if (first.is_null()) first = analysis;
    EXPECT_EQ(analysis, first);
  }
}

TEST(AnalyzeCommand, ReadsAFileAndTheShippedModel) {
  const base::TemporaryDirectory directory;
  const std::string file = directory / "game.txt";
  std::ofstream(file) << kOpening << "\n";
  const ProgramResult result =
      RunProgram({"analyze", file, "--time", "0.05", "--threads", "2", "--memory", "16"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("base-2core: "));
  // It has learned Base only.
  const ProgramResult warned =
      RunProgram({"analyze", "Base+M;InProgress;White[2];wS1;bS1 wS1-", "--sims", "5"});
  EXPECT_EQ(warned.code, 0);
  EXPECT_THAT(warned.err, HasSubstr("was trained on Base, the game is one of Base+M"));
}

TEST(AnalyzeCommand, FinishedGamesSayWhoWon) {
  const base::TemporaryDirectory directory;
  const std::string svg = directory / "board.svg";
  const ProgramResult result = RunProgram({"analyze", kFinished, "--svg", svg});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("The game is over: Black wins (surround)"));
  const play::XmlCheck xml(ReadText(svg));
  EXPECT_EQ(xml.error(), "");
  EXPECT_THAT(xml.content(), HasSubstr("Black wins"));
  const std::vector<json> lines = JsonLines(RunProgram({"analyze", kFinished, "--json"}).out);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["state"], "BlackWins");
  EXPECT_THAT(lines[0]["lines"], IsEmpty());
}

TEST(AnalyzeCommand, BadInputIsASentence) {
  const base::TemporaryDirectory directory;
  EXPECT_EQ(RunProgram({"analyze"}).code, 2);
  ExpectSentence(RunProgram({"analyze", "nonsense"}), 2, "'nonsense' is no game");
  ExpectSentence(RunProgram({"analyze", "Base;InProgress;White[2];wS1;bS9 wS1-"}), 2, "move 2");
  ExpectSentence(RunProgram({"analyze", "-"}, "\n \n"), 2, "standard input: there is no GameStr");
  ExpectSentence(RunProgram({"analyze", "-"}, kOpening + "\n" + kOpening), 2, "more than one line");
  ExpectSentence(RunProgram({"analyze", kOpening, "--model", directory / "none"}), 2,
                 "there is no such model");
  ExpectSentence(RunProgram({"analyze", kOpening, "--model", directory.path()}), 1,
                 directory.path());
  for (const char* option : {"--sims=0", "--time=0", "--time=nan", "--threads=0", "--memory=1",
                             "--lines=0", "--lines=x"})
    EXPECT_EQ(RunProgram({"analyze", kOpening, option}).code, 2) << option;
  ExpectSentence(RunProgram({"analyze", kOpening, "--model", kModel, "--sims", "2", "--svg",
                             directory / "no/such/folder.svg"}),
                 1, "no/such/folder.svg");
}

}  // namespace
}  // namespace apiary::app
