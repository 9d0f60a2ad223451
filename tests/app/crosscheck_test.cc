// `apiary crosscheck` as a user runs it, against `apiary uhp` and against what a filter makes of
// it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/play/fake_engine.h"

namespace apiary::app {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

class CrosscheckCommand : public play::FakeEngines {
 protected:
  // `apiary uhp` whose answers pass through this sed script.
  std::string Filtered(const std::string& sed) {
    return Engine("'" APIARY_PROGRAM "' uhp | sed -u '" + sed + "'\n");
  }
};

const std::string kOurEngine = "uhp:'" APIARY_PROGRAM "' uhp";

TEST_F(CrosscheckCommand, OurEngineAgreesWithItself) {
  json first;
  for (const char* threads : {"1", "2"}) {
    const ProgramResult result =
        RunProgram({"crosscheck", kOurEngine, "--games", "1", "--threads", threads, "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    std::vector<json> lines = JsonLines(result.out);
    ASSERT_EQ(lines.size(), 9U);
    json& total = lines.back();
    EXPECT_EQ(total["variant"], "all");
    EXPECT_EQ(total["games"], 8);
    EXPECT_EQ(total["differences"], 0);
    EXPECT_EQ(total["duplicates"], 0);
    EXPECT_TRUE(total["first_difference"].is_null());
    EXPECT_THAT(total["engine"].get<std::string>(), HasSubstr("Apiary"));
    std::int64_t positions = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(lines[i]["games"], 1);
      EXPECT_GT(lines[i]["moves"], lines[i]["positions"]);
      positions += lines[i]["positions"].get<std::int64_t>();
    }
    EXPECT_EQ(total["positions"], positions);
    total.erase("seconds");
    if (first.is_null()) first = lines;
    EXPECT_EQ(json(lines), first);
  }
}

TEST_F(CrosscheckCommand, ClimbingGamesAndOneVariant) {
  const ProgramResult result = RunProgram({"crosscheck", kOurEngine, "--games", "2", "--variant",
                                           "Base+MLP", "--climb", "--max-plies", "80"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("variant"), HasSubstr("Base+MLP"), HasSubstr("all  ")));
}

TEST_F(CrosscheckCommand, OptionsReachTheEngine) {
  const std::string engine = kOurEngine + ";set.QueenFirstTurn=True";
  EXPECT_EQ(RunProgram({"crosscheck", engine, "--games", "1", "--variant", "Base"}).code, 1);
  EXPECT_EQ(
      RunProgram({"crosscheck", engine, "--games", "1", "--variant", "Base", "--queen-first-turn"})
          .code,
      0);
}

TEST_F(CrosscheckCommand, AWrongListIsShown) {
  const std::string engine = Filtered("/^[wb]/{/\\[/!s/;[^;]*$/;wQ wS9/}");
  const ProgramResult result = RunProgram({"crosscheck", engine, "--games", "1", "--variant",
                                           "Base", "--threads", "1", "--max-plies", "20"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("first difference: 1 moves are only ours, 1 only the"),
                                HasSubstr("\nBase;NotStarted;White[1]\nonly ours:\n  wA1\n"),
                                HasSubstr("only theirs:\n  'wQ wS9': unknown piece 'wS9'")));
  EXPECT_THAT(result.err, HasSubstr(" differences in "));
  const ProgramResult twice = RunProgram(
      {"crosscheck", engine, "--games", "1", "--variant", "Base", "--json", "--max-plies", "3"});
  EXPECT_EQ(twice.code, 1);
  const json total = JsonLines(twice.out).back();
  EXPECT_EQ(total["differences"], 3);
  EXPECT_EQ(total["first_difference"]["only_ours"], json({"wA1"}));
}

TEST_F(CrosscheckCommand, DuplicatesAreNoDifference) {
  const ProgramResult result =
      RunProgram({"crosscheck", Filtered("/^[wb]/s/^\\([^;]*\\)/\\1;\\1/"), "--games", "1",
                  "--variant", "Base", "--json", "--max-plies", "20"});
  EXPECT_EQ(result.code, 0) << result.err;
  const json total = JsonLines(result.out).back();
  EXPECT_EQ(total["duplicates"], total["positions"]);
}

TEST_F(CrosscheckCommand, BrokenEnginesGetASentence) {
  const auto expect = [](const std::string& engine, const std::string& sentence) {
    const ProgramResult result = RunProgram({"crosscheck", engine, "--games", "2", "--variant",
                                             "Base", "--timeout", "60", "--threads", "2"});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, AllOf(HasSubstr("apiary: engine '"), HasSubstr(sentence)));
  };
  expect("uhp:/nowhere/engine", "cannot start '/nowhere/engine'");
  expect("uhp:false", "ended with exit code 1 before its greeting was complete");
  expect(Answering("newgame) exit 7;;"), "ended with exit code 7 before the answer to 'newgame");
  expect(Answering("newgame) echo 'Base;NotStarted;White[1]';;\nvalidmoves) kill -KILL $$;;"),
         "was killed by signal 9");
  const ProgramResult hang = RunProgram({"crosscheck", Answering("newgame) sleep 600;;"), "--games",
                                         "1", "--variant", "Base", "--timeout", "0.5"});
  EXPECT_EQ(hang.code, 1);
  EXPECT_THAT(hang.err, HasSubstr("did not come within 0.5 s"));
}

TEST_F(CrosscheckCommand, UnsupportedVariantsAreSaid) {
  const std::string engine = Filtered("s/^Mosquito;Ladybug;Pillbug$/Ladybug/");
  const ProgramResult all =
      RunProgram({"crosscheck", engine, "--games", "1", "--max-plies", "10", "--json"});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_EQ(JsonLines(all.out).size(), 3U);
  EXPECT_EQ(JsonLines(all.out).back()["not_supported"].size(), 6U);
  EXPECT_THAT(all.err, HasSubstr("does not play Base+MLP: skipped"));
  const ProgramResult none = RunProgram({"crosscheck", engine, "--variant", "Base+P"});
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("nothing was compared"));
}

TEST_F(CrosscheckCommand, AStopEndsIt) {
  const std::vector<std::string> line = {"crosscheck", kOurEngine,  "--games",
                                         "100000",     "--threads", "2"};
  EXPECT_EQ(InterruptProgram(line, "seed 1", SIGINT).code, 130);
  EXPECT_EQ(InterruptProgram(line, "seed 1", SIGTERM).code, 143);
}

}  // namespace
}  // namespace apiary::app
