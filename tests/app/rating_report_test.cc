#include "app/rating_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/run_generations.h"
#include "tests/base/temporary_directory.h"

namespace apiary::app {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

RatingReport Sample() {
  RatingReport report;
  report.players = {{"random", "", "", 0},
                    {"uhp:x, \"y\"", "", "", 0},
                    {"gen-000001", "(sims=32)", std::string(64, 'a'), 1},
                    {"gen-000020", "(sims=32)", std::string(64, 'b'), 20},
                    {"gen-000020", "(sims=64)", std::string(64, 'b'), 20},
                    {"models/m.safetensors", "(sims=32)", std::string(64, 'c'), 81}};
  report.labels = LabelsOf(report.players);
  std::vector<play::OrderedResults> results;
  for (std::size_t i = 0; i + 1 < report.players.size(); ++i) {
    results.push_back({i, i + 1, 3, 2, 5});
    results.push_back({i + 1, i, 7, 1, 2});
  }
  report.table = play::Rate(report.players.size(), results, 0);
  report.cpu_hours = {{1, 0.01}, {20, 0.5}, {81, 2.0}};
  return report;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(RatingReportTest, LabelsAreTextsWhileTheyDiffer) {
  EXPECT_THAT(Sample().labels,
              ElementsAre("random", "uhp:x, \"y\"", "gen-000001", "gen-000020 (sims=32)",
                          "gen-000020 (sims=64)", "models/m.safetensors"));
  const std::vector<play::RatedPlayer> grown = {
      {"runs/first", "(sims=32)", std::string(64, 'a'), 1},
      {"runs/first", "(sims=32)", std::string(64, 'b'), 2}};
  EXPECT_THAT(LabelsOf(grown),
              ElementsAre("runs/first (sims=32) aaaaaaaa", "runs/first (sims=32) bbbbbbbb"));
}

TEST(RatingReportTest, JsonHasOneObjectAPlayerTheStrongestFirst) {
  const RatingReport report = Sample();
  const std::vector<std::string> lines = Lines(RatingsAsJson(report));
  ASSERT_EQ(lines.size(), 6U);
  double last = 1e9;
  for (const std::string& line : lines) {
    const json object = json::parse(line);
    for (const char* key : {"player", "elo", "elo_low", "elo_high", "games"})
      EXPECT_TRUE(object.contains(key)) << key;
    EXPECT_LT(object["elo"], last);
    last = object["elo"];
    EXPECT_TRUE(object["games"].is_number_integer());
  }
  const json first = json::parse(lines[0]);
  EXPECT_EQ(first["player"], "models/m.safetensors");
  EXPECT_FALSE(first.contains("cpu_hours"));  // no generation of the run
  EXPECT_EQ(json::parse(lines[1])["cpu_hours"], 0.5);
  const json zero = json::parse(lines[5]);
  EXPECT_EQ(zero["player"], "random");
  EXPECT_EQ(zero["elo"], 0);
  EXPECT_EQ(zero["anchor"], true);
  EXPECT_EQ(zero["games"], 20);
  EXPECT_EQ(zero["score"], 0.325);  // 3 + 2 wins, 3 draws of 20
}

TEST(RatingReportTest, CsvQuotesWhatMustBe) {
  const std::vector<std::string> lines = Lines(RatingsAsCsv(Sample()));
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0],
            "player,elo,elo_low,elo_high,games,wins,draws,losses,score,group,generation,cpu_hours");
  EXPECT_THAT(lines[5], testing::StartsWith("\"uhp:x, \"\"y\"\"\","));
  EXPECT_EQ(lines[6], "random,0.00,0.00,0.00,20,5,3,12,0.3250,1,,");
  EXPECT_THAT(lines[2], testing::EndsWith(",1,20,0.50000"));
}

TEST(RatingReportTest, TextShowsEveryPlayerAndTheZero) {
  const std::vector<std::string> lines = Lines(RatingsAsText(Sample()));
  ASSERT_EQ(lines.size(), 8U);
  EXPECT_THAT(lines[1], HasSubstr("models/m.safetensors"));
  EXPECT_THAT(lines[6], HasSubstr("(zero)"));
  EXPECT_THAT(lines[7], HasSubstr("moving first is worth"));
}

TEST(RatingReportTest, SvgHasCurvesOfTheRunAndLinesOfOthers) {
  const std::string svg = RatingsAsSvg(Sample(), "Strength of runs/first");
  for (const char* text :
       {">Strength of runs/first (bars: 95 %, against the mean of the generations)<",
        ">generation<", ">(sims=32)<", ">CPU hours of training, logarithmic<", ">Elo, random = 0<",
        ">random ", "(sims=32): 20, "})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(svg, Not(HasSubstr("models/m.safetensors:")));
}

TEST(RunGenerationsTest, ChoicesKeepRoundNumbers) {
  std::vector<int> present;
  for (int i = 1; i <= 81; ++i) present.push_back(i);
  EXPECT_EQ(*ChooseGenerations(present, "all"), present);
  EXPECT_THAT(*ChooseGenerations(present, "10"),
              ElementsAre(1, 10, 20, 30, 40, 50, 60, 70, 80, 81));
  EXPECT_THAT(*ChooseGenerations(present, "9"), ElementsAre(1, 20, 40, 60, 80, 81));
  EXPECT_THAT(*ChooseGenerations(present, "2"), ElementsAre(1, 81));
  EXPECT_THAT(*ChooseGenerations(present, "7,3,3"), ElementsAre(3, 7));
  EXPECT_THAT(*ChooseGenerations(present, "7,"), ElementsAre(7));
  EXPECT_THAT(*ChooseGenerations({1, 2, 3}, "10"), ElementsAre(1, 2, 3));
  for (const char* bad : {"", "0", "1", "-3", "x", "3,x", ",", "0,4", "99999999999"})
    EXPECT_FALSE(ChooseGenerations(present, bad)) << bad;
  EXPECT_THAT(ChooseGenerations(present, "5,82").error(), HasSubstr("no weights of generation 82"));
}

TEST(RunGenerationsTest, ReadsCpuTime) {
  const base::TemporaryDirectory run;
  EXPECT_TRUE(CpuHoursByGeneration(run.path()).empty());
  std::ofstream(run / "metrics.jsonl")
      << R"({"format":"apiary-metrics-1","step":1,"generation":1,"cpu_s":360})"
      << "\n"
      << "torn\n"
      << R"({"format":"apiary-metrics-1","step":2,"generation":2,"cpu_s":7200})"
      << "\n";
  EXPECT_THAT(CpuHoursByGeneration(run.path()), ElementsAre(Pair(1, 0.1), Pair(2, 2.0)));
}

}  // namespace
}  // namespace apiary::app
