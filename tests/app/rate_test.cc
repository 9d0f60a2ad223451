#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "base/files.h"
#include "nn/safetensors.h"
#include "nn/weights.h"
#include "tests/app/program.h"
#include "tests/base/temporary_directory.h"

namespace apiary::app {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class RateProgram : public testing::Test {
 protected:
  static std::vector<std::string> Line(std::vector<std::string> more) {
    std::vector<std::string> line = {"rate", "--games-per-pair", "4", "--max-plies", "60"};
    line.insert(line.end(), more.begin(), more.end());
    return line;
  }
  static ProgramResult Rate(const std::vector<std::string>& more) { return RunProgram(Line(more)); }
  std::string path(const std::string& name) const { return directory_ / name; }
  std::string Read(const std::string& name) const { return *base::ReadFile(path(name)); }

  // A run of published generations that differ in their number only.
  std::string WriteRun(std::initializer_list<int> generations) const {
    const std::string source = std::string(APIARY_SOURCE_DIR) + "/models/base-quick.safetensors";
    auto file = nn::ReadTensors(source, nn::kWeightsFormat);
    EXPECT_TRUE(file) << file.error();
    auto spec = nn::ReadSpec(*file, source);
    std::filesystem::create_directories(path("run/weights"));
    std::ofstream metrics(path("run/metrics.jsonl"));
    for (const int generation : generations) {
      spec->generation = generation;
      nn::WriteSpec(*spec, *file);
      EXPECT_TRUE(nn::PublishWeights(path("run"), generation, *file));
      metrics << R"({"format":"apiary-metrics-1","step":1,"generation":)" << generation
              << R"(,"cpu_s":)" << 36 * generation << "}\n";
    }
    return path("run");
  }

  base::TemporaryDirectory directory_;
};

TEST_F(RateProgram, PrintsTheContractsNames) {
  const ProgramResult result = Rate({"random", "crowd", "gen0", "--json", "--seed", "3"});
  ASSERT_EQ(result.code, 0) << result.err;
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_EQ(lines.size(), 3U);
  for (const std::string& line : lines) {
    const json object = json::parse(line);
    EXPECT_EQ(object["games"], 8);
    EXPECT_LE(object["elo_low"], object["elo"]);
    EXPECT_LE(object["elo"], object["elo_high"]);
    if (object["player"] == "random") {
      EXPECT_EQ(object["elo"], 0);
    }
  }
  EXPECT_EQ(Rate({"random", "crowd", "gen0", "--json", "--seed", "3", "--threads", "7"}).out,
            result.out);
  const ProgramResult table = Rate({"random", "crowd", "--anchor", "crowd"});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out,
              AllOf(HasSubstr("random"), HasSubstr("(zero)"), HasSubstr("moving first")));
}

TEST_F(RateProgram, OnlyMissingPairsArePlayed) {
  const std::string file = path("results.jsonl");
  EXPECT_EQ(Rate({"random", "crowd", "--results", file}).code, 0);
  const std::string first = Read("results.jsonl");
  EXPECT_EQ(Lines(first).size(), 1U);
  const ProgramResult more = Rate({"random", "crowd", "gen0", "--results", file});
  EXPECT_THAT(more.err, HasSubstr("3 players, 3 pairs, 2 of them to be played"));
  EXPECT_EQ(Lines(Read("results.jsonl")).size(), 3U);
  EXPECT_THAT(Read("results.jsonl"), testing::StartsWith(first));
  const ProgramResult none = Rate({"random", "crowd", "gen0", "--results", file});
  EXPECT_THAT(none.err, HasSubstr("0 of them to be played"));
  EXPECT_EQ(none.out, more.out);
  // The file alone, under its own conditions.
  const ProgramResult alone = RunProgram({"rate", "--results", file});
  EXPECT_EQ(alone.code, 0) << alone.err;
  EXPECT_EQ(alone.out, more.out);
  // A torn last line is cut off, and its pair played again: the same games.
  const std::string whole = Read("results.jsonl");
  std::ofstream(file, std::ios::binary) << whole.substr(0, whole.size() - 100);
  const ProgramResult again = Rate({"random", "crowd", "gen0", "--results", file});
  EXPECT_THAT(again.err, HasSubstr("1 of them to be played"));
  EXPECT_EQ(again.out, more.out);
}

TEST_F(RateProgram, AKilledProgramLosesNoFinishedPair) {
  const std::string file = path("results.jsonl");
  const std::vector<std::string> line = {
      "rate",   "random", "crowd",     "gen0", "--results",        file,
      "--seed", "9",      "--threads", "1",    "--games-per-pair", "600"};
  {
    StartedProgram program(line);
    while (program.Running() &&
           (!std::filesystem::exists(file) || Lines(Read("results.jsonl")).empty()))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    program.Signal(SIGKILL);
    program.Wait();
  }
  const std::string killed = Read("results.jsonl");
  ASSERT_GE(Lines(killed).size(), 1U);
  {
    StartedProgram program(line);
    ASSERT_TRUE(program.WaitForText("to be played"));
    program.Signal(SIGINT);
    const ProgramResult stopped = program.Wait();
    EXPECT_EQ(stopped.code, 130) << stopped.err;
    EXPECT_THAT(stopped.err, HasSubstr("the same command goes on"));
    EXPECT_THAT(stopped.out, HasSubstr("crowd"));  // the table so far
  }
  EXPECT_THAT(Read("results.jsonl"), testing::StartsWith(killed));
}

TEST_F(RateProgram, RatesTheGenerationsOfARun) {
  const std::string run = WriteRun({1, 2, 3});
  const std::vector<std::string> line = {"--run",  run,           "--ladder", "random,crowd",
                                         "--sims", "1",           "--csv",    path("t.csv"),
                                         "--svg",  path("t.svg"), "--json"};
  const ProgramResult result = Rate(line);
  ASSERT_EQ(result.code, 0) << result.err;
  // random - crowd, 3 x 2 of the ladder, 3 between generations.
  EXPECT_THAT(result.err, HasSubstr("5 players, 10 pairs, 10 of them to be played"));
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_EQ(lines.size(), 5U);
  int generations = 0;
  for (const std::string& text : lines) {
    const json object = json::parse(text);
    if (!object.contains("generation")) continue;
    ++generations;
    EXPECT_EQ(object["cpu_hours"], 0.01 * object["generation"].get<int>());
    EXPECT_THAT(object["player"].get<std::string>(), testing::StartsWith("gen-00000"));
  }
  EXPECT_EQ(generations, 3);
  EXPECT_EQ(Lines(Read("t.csv")).size(), 6U);
  EXPECT_THAT(Read("t.svg"), AllOf(HasSubstr("CPU hours"), HasSubstr("</svg>")));
  EXPECT_EQ(Lines(Read("run/ratings.jsonl")).size(), 10U);
  EXPECT_THAT(RunProgram({"doctor", "--run", run}).out, HasSubstr("ratings.jsonl: 10 pairs"));
  // The run may move: its games stay its own.
  std::filesystem::rename(run, path("moved"));
  std::vector<std::string> moved = line;
  moved[1] = path("moved");
  const ProgramResult again = Rate(moved);
  EXPECT_THAT(again.err, HasSubstr("0 of them to be played"));
  EXPECT_EQ(again.out, result.out);
  // Fewer are asked for, all that were measured are shown.
  moved.insert(moved.end(), {"--generations", "1,3", "--neighbours", "1"});
  EXPECT_EQ(Rate(moved).out, result.out);
}

TEST_F(RateProgram, OneSidedAndOtherResultsAreSaid) {
  const ProgramResult table = RunProgram({"rate", "crowd", "random", "--games-per-pair", "2"});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out, Not(HasSubstr("inf")));
  EXPECT_THAT(table.out, Not(HasSubstr("nan")));
  const std::string file = path("results.jsonl");
  EXPECT_EQ(Rate({"random", "crowd", "--results", file}).code, 0);
  EXPECT_EQ(Rate({"gen0", "--results", file}).code, 0);
  const ProgramResult apart = Rate({"gen0", "--results", file, "--json"});
  EXPECT_THAT(apart.err, HasSubstr("not connected by any game: {random, crowd} and {gen0}"));
  EXPECT_THAT(apart.out, Not(HasSubstr("null,\"elo_low\"")));
  const ProgramResult others = Rate({"random", "gen0", "--results", file, "--opening-plies", "2"});
  EXPECT_THAT(others.err, HasSubstr("1 results of other conditions"));
}

TEST_F(RateProgram, BadInputGivesOneSentence) {
  const std::string foreign = path("foreign.jsonl");
  std::ofstream(foreign) << "{\"format\":\"other\"}\n";
  struct Case {
    std::vector<std::string> line;
    int code;
    std::string part;
  };
  const std::vector<Case> cases = {
      {{}, 2, "give players"},
      {{"random", "--run", "x"}, 2, "not both"},
      {{"random", "random"}, 2, "player 'random' is given twice"},
      {{"random", "nosuch"}, 2, "'nosuch' is neither"},
      {{"random", "crowd", "--games-per-pair", "3"}, 2, "must be even"},
      {{"random", "crowd", "--games-per-pair", "0"}, 2, "--games-per-pair"},
      {{"random", "crowd", "--opening-plies", "60"}, 1, "do not fit"},
      {{"random", "crowd", "--anchor", "gen0"}, 2, "--anchor gen0: there is no such player"},
      {{"random", "crowd", "--variant", "Base+X"}, 2, "Base+X"},
      {{"random", "crowd", "--svg", "x.svg"}, 2, "needs --run"},
      {{"random", "crowd", "--csv", path("no/x.csv")}, 2, "there is no folder"},
      {{"random", "crowd", "--results", foreign}, 1, foreign + ": line 1: not a line of a results"},
      {{"random", "crowd", "--results", path("no/x")}, 1, "cannot open"},
      {{"--results", path("absent")}, 2, "there is no such file"},
      {{"--run", path("absent")}, 2, "no run with published weights"},
      {{"--run", directory_.path()}, 1, "no run with published weights"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> line = {"rate", "--max-plies", "60"};
    line.insert(line.end(), c.line.begin(), c.line.end());
    const ProgramResult result = RunProgram(line);
    EXPECT_EQ(result.code, c.code) << testing::PrintToString(c.line) << result.err;
    EXPECT_THAT(result.err, HasSubstr(c.part)) << testing::PrintToString(c.line);
    EXPECT_THAT(result.out, IsEmpty()) << testing::PrintToString(c.line);
  }
  const std::string run = WriteRun({1, 2});
  for (const auto& [choice, part] :
       {std::pair("x", "expected all"), std::pair("1,9", "no weights of generation 9")}) {
    const ProgramResult result = Rate({"--run", run, "--generations", choice, "--ladder", "none"});
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(part));
  }
  EXPECT_EQ(Rate({"--run", run, "--ladder", "random,nosuch"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(path("absent")));
}

}  // namespace
}  // namespace apiary::app
