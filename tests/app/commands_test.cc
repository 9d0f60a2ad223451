#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "nn/safetensors.h"
#include "nn/weights.h"
#include "tests/app/program.h"
#include "train/worker.h"

namespace apiary::app {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

namespace fs = std::filesystem;

// A directory of its own for each test.
class Commands : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = ::testing::TempDir() + "apiary_commands_XXXXXX";
    ASSERT_NE(::mkdtemp(path_.data()), nullptr);
  }
  void TearDown() override { fs::remove_all(path_); }
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  std::string WriteText(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }

 private:
  std::string path_;
};

// One sentence on stderr, nothing on stdout.
void ExpectSentence(const ProgramResult& result, int code, const std::string& part) {
  EXPECT_EQ(result.code, code) << result.err;
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, AllOf(HasSubstr("apiary: "), HasSubstr(part)));
}

TEST_F(Commands, HelpAndVersionExitWithZero) {
  EXPECT_EQ(RunProgram({"--help"}).code, 0);
  const ProgramResult version = RunProgram({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, StartsWith("apiary "));
  for (const char* command :
       {"train", "selfplay", "learn", "match", "rate", "report", "play", "uhp", "perft", "inspect",
        "config", "doctor", "bench", "crosscheck", "import", "analyze", "encode", "export"}) {
    const ProgramResult help = RunProgram({command, "--help"});
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_THAT(help.out, HasSubstr("Usage: ")) << command;
    EXPECT_THAT(help.err, IsEmpty()) << command;
  }
}

TEST_F(Commands, BadUsageExitsWithTwo) {
  const std::vector<std::vector<std::string>> lines = {
      {},
      {"nosuch"},
      {"match", "random"},
      {"match", "random", "crowd", "--nosuch"},
      {"match", "random", "crowd", "--games", "3"},
      {"match", "random", "crowd", "--games", "x"},
      {"match", "random", "crowd", "--openings", "book.txt"},
      {"match", "random", "crowd", "--openings", "random:x"},
      {"match", "random", "crowd", "--time-per-move", "0"},
      {"match", "random", "crowd", "--time-per-move", "nan"},
      {"match", "random", "crowd", "--time-per-move", "1", "--sims", "8"},
      {"match", "random", "crowd", "--sprt", "10"},
      {"match", "random", "crowd", "--sprt", "10,0"},
      {"match", "random", "crowd", "--sprt", "0,5000"},
      {"match", "random", "crowd", "--variant", "Base+X"},
      {"crosscheck"},
      {"crosscheck", "nokamute"},
      {"crosscheck", "uhp:nokamute uhp;sims=3"},
      {"crosscheck", "uhp:nokamute uhp", "--variant", "Base+X"},
      {"crosscheck", "uhp:nokamute uhp", "--games", "0"},
      {"crosscheck", "uhp:nokamute uhp", "--timeout", "0"},
      {"perft"},
      {"perft", "--depth", "0"},
      {"perft", "--depth", "2", "Bass"},
      {"perft", "--depth", "2", "--threads", "-1"},
      {"perft", "--depth", "2", "--hash", "x"},
      {"bench", "nosuch"},
      {"bench", "env", "--variant", "Base+X"},
      {"bench", "env", "--envs", "0"},
      {"bench", "selfplay", "--net", "32"},
      {"config", "nosuch"},
      {"config", "quick", "--set", "nosuch.key=1"},
      {"inspect", "no such file"},
      {"train"},
      {"play"},
      {"--log-level", "loud", "doctor"}};
  for (const auto& line : lines) {
    const ProgramResult result = RunProgram(line);
    EXPECT_EQ(result.code, 2) << ::testing::PrintToString(line) << result.err;
    EXPECT_THAT(result.err, Not(IsEmpty()));
  }
}

TEST_F(Commands, UnknownPlayersAreNamed) {
  ExpectSentence(RunProgram({"match", "nosuch", "crowd"}), 2,
                 "'nosuch' is neither a weights file nor a run directory");
  ExpectSentence(RunProgram({"match", "random", "ab:x"}), 2, "is not a whole number of plies");
  ExpectSentence(RunProgram({"match", "random;sims=2", "crowd"}), 2, "takes no keys");
}

TEST_F(Commands, MatchPrintsOneJsonObject) {
  const std::vector<std::string> line = {"match",  "crowd",  "random", "--games",  "10",
                                         "--json", "--seed", "5",      "--threads"};
  json first;
  for (const char* threads : {"1", "2"}) {
    std::vector<std::string> arguments = line;
    arguments.emplace_back(threads);
    const ProgramResult result = RunProgram(arguments);
    ASSERT_EQ(result.code, 0) << result.err;
    const std::vector<json> lines = JsonLines(result.out);
    ASSERT_EQ(lines.size(), 1U);
    json match = lines[0];
    for (const char* key : {"games", "wins", "draws", "losses", "capped", "duplicates", "score",
                            "elo", "elo_low", "elo_high"})
      EXPECT_TRUE(match.contains(key)) << key;
    EXPECT_EQ(match["games"], 10);
    EXPECT_GE(match["score"], 0.5);
    for (const char* key : {"seconds", "a_seconds", "b_seconds"}) match.erase(key);
    if (first.is_null()) first = match;
    EXPECT_EQ(match, first);
  }
}

TEST_F(Commands, MatchReadsOpenings) {
  const std::string two = WriteText("two.txt",
                                    "# two openings\n\nBase;InProgress;White[2];wS1;bS1 wS1-\n"
                                    "Base;InProgress;White[2];wG1;bG1 wG1-  # the second\n");
  const ProgramResult played = RunProgram(
      {"match", "crowd", "random", "--games", "4", "--json", "--print-games", "--openings", two});
  ASSERT_EQ(played.code, 0) << played.err;
  EXPECT_EQ(JsonLines(played.out).at(0)["games"], 4);
  EXPECT_THAT(played.err, HasSubstr(";wS1;bS1 wS1-;"));
  EXPECT_THAT(played.err, HasSubstr(";wG1;bG1 wG1-;"));
  const ProgramResult few =
      RunProgram({"match", "crowd", "random", "--games", "6", "--openings", two});
  ExpectSentence(few, 2, "2 openings, but 6 games need 3");
  const std::string bad =
      WriteText("bad.txt", "Base;InProgress;White[2];wS1;bS1 wS1-\nBase;InProgress;Black[1];wS9\n");
  ExpectSentence(RunProgram({"match", "crowd", "random", "--games", "2", "--openings", bad}), 1,
                 bad + ": line 2: ");
  ExpectSentence(RunProgram({"match", "crowd", "random", "--variant", "Base+M", "--games", "2",
                             "--openings", two}),
                 1, "line 3: the opening is a game of Base, but the match plays Base+M");
}

TEST_F(Commands, MatchStopsWhenTheTestIsDecided) {
  for (const std::vector<std::string>& sprt :
       std::vector<std::vector<std::string>>{{"--sprt", "-50,50"}, {"--sprt=-50,50"}}) {
    std::vector<std::string> line = {"match", "crowd", "random", "--games", "2000", "--json"};
    line.insert(line.end(), sprt.begin(), sprt.end());
    const ProgramResult result = RunProgram(line);
    ASSERT_EQ(result.code, 0) << result.err;
    const json match = JsonLines(result.out).at(0);
    EXPECT_EQ(match["sprt"], "H1");
    EXPECT_GT(match["llr"], 2.944);
    EXPECT_LT(match["games"], 200);
  }
  EXPECT_THAT(RunProgram({"match", "crowd", "random", "--games", "2", "--sprt", "0,5"}).out,
              HasSubstr("SPRT running: log likelihood ratio "));
}

TEST_F(Commands, MatchIsResumed) {
  const std::string file = path("games.jsonl");
  const std::vector<std::string> line = {"match", "ab:1",   "random",   "--games",
                                         "8",     "--json", "--resume", file};
  const auto counts = [](const ProgramResult& result) {
    json match = JsonLines(result.out).at(0);
    for (const char* key : {"seconds", "a_seconds", "b_seconds"}) match.erase(key);
    return match;
  };
  const ProgramResult first = RunProgram(line);
  ASSERT_EQ(first.code, 0) << first.err;
  const ProgramResult again = RunProgram(line);
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(counts(again), counts(first));
  EXPECT_THAT(again.err, HasSubstr("goes on after 8 games"));
  ExpectSentence(RunProgram({"match", "ab:1", "crowd", "--games", "8", "--resume", file}), 1,
                 "it is the record of another match: b is \"random\" there and \"crowd\" here");
}

TEST_F(Commands, MatchWithAForeignEngine) {
  const ProgramResult played =
      RunProgram({"match", std::string("uhp:") + APIARY_PROGRAM + " uhp;depth=0", "random",
                  "--games", "4", "--json"});
  ASSERT_EQ(played.code, 0) << played.err;
  const json match = JsonLines(played.out).at(0);
  EXPECT_EQ(match["games"], 4);
  EXPECT_TRUE(match["a_faults"].empty()) << match.dump();
  ExpectSentence(RunProgram({"match", "uhp:/nowhere/engine", "random", "--games", "2"}), 1,
                 "cannot start '/nowhere/engine'");
  ExpectSentence(RunProgram({"match", "uhp:true", "random", "--games", "2"}), 1, "its greeting");
  ExpectSentence(RunProgram({"match", "uhp:true;sims=3", "random"}), 2, "unknown key 'sims'");
}

TEST_F(Commands, PerftCountsAndDivides) {
  const std::vector<json> base = JsonLines(RunProgram({"perft", "--depth", "5", "--json"}).out);
  ASSERT_EQ(base.size(), 1U);
  EXPECT_EQ(base[0]["nodes"], 516240);
  EXPECT_TRUE(base[0].contains("seconds"));
  EXPECT_TRUE(base[0].contains("nodes_per_s"));
  const std::vector<json> divided = JsonLines(
      RunProgram({"perft", "--depth", "3", "--divide", "--json", "Base;InProgress;Black[1];wS1"})
          .out);
  ASSERT_EQ(divided.size(), 25U);  // Black's first moves: four types on six cells
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < divided.size(); ++i)
    sum += divided[i]["nodes"].get<std::uint64_t>();
  EXPECT_EQ(divided.back()["nodes"], sum);
  // Threads and a table change neither the lines nor their order.
  const auto without_times = [](std::vector<json> lines) {
    lines.back() = lines.back()["nodes"];
    return lines;
  };
  const std::vector<json> threaded =
      JsonLines(RunProgram({"perft", "--depth", "3", "--divide", "--json", "--threads", "3",
                            "--hash", "1", "Base;InProgress;Black[1];wS1"})
                    .out);
  EXPECT_EQ(without_times(threaded), without_times(divided));
}

TEST_F(Commands, UhpAnswersAScript) {
  const ProgramResult result =
      RunProgram({"uhp"}, "newgame Base+MLP\nplay wS1\nbestmove depth 1\nplay nonsense\nexit\n");
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, StartsWith("id Apiary "));
  EXPECT_THAT(result.out, HasSubstr("Mosquito;Ladybug;Pillbug\nok\n"));
  EXPECT_THAT(result.out, HasSubstr("\nBase+MLP;InProgress;Black[1];wS1\nok\n"));
  EXPECT_THAT(result.out, HasSubstr("\ninvalidmove "));
}

TEST_F(Commands, SignalsEndCleanly) {
  EXPECT_EQ(InterruptProgram({"uhp"}, "ok\n", SIGINT).code, 130);
  EXPECT_EQ(InterruptProgram({"uhp"}, "ok\n", SIGTERM).code, 143);
  const ProgramResult match = InterruptProgram(
      {"match", "random", "random", "--games", "1000000", "--threads", "1"}, "B: random", SIGINT);
  EXPECT_EQ(match.code, 130);
  EXPECT_THAT(match.err, HasSubstr("games "));
}

TEST_F(Commands, PlayTalksToAHuman) {
  const ProgramResult result = RunProgram({"play", "crowd"}, "moves\nwS9\nwS1\nundo\nwB1\nquit\n");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("wS1  wB1  wG1  wA1"));
  EXPECT_THAT(result.out, HasSubstr("wS9"));
  EXPECT_THAT(result.out, HasSubstr("crowd plays b"));
  EXPECT_THAT(result.out, HasSubstr("|wB1|"));
  EXPECT_THAT(result.out, HasSubstr("Base;InProgress;White[2];wB1;"));
}

TEST_F(Commands, ConfigPrintsWhatReadsBack) {
  const ProgramResult printed = RunProgram({"config", "quick", "--set", "seed=77"});
  ASSERT_EQ(printed.code, 0) << printed.err;
  const std::string file = WriteText("quick.toml", printed.out);
  const ProgramResult again = RunProgram({"config", file});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out, printed.out);
  EXPECT_THAT(again.out, HasSubstr("seed = 77"));
}

TEST_F(Commands, InspectShowsAPosition) {
  const std::vector<json> lines =
      JsonLines(RunProgram({"inspect", "--json", "Base+M;InProgress;White[2];wS1;bS1 wS1-"}).out);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["ply"], 2);
  EXPECT_EQ(lines[0]["legal_moves"], lines[0]["moves"].size());
  EXPECT_THAT(RunProgram({"inspect", "Base;NotStarted;White[1];wS1"}).out, HasSubstr("|wS1|"));
}

std::string WriteWeights(const std::string& path, const std::string& architecture) {
  nn::TensorFile file;
  nn::WriteSpec({}, file);
  if (!architecture.empty()) file.metadata["architecture"] = architecture;
  file.tensors["t"] = {nn::TensorType::kF32, {2}, std::vector<std::uint8_t>(8, 0)};
  EXPECT_TRUE(nn::WriteTensors(path, file).ok());
  return path;
}

TEST_F(Commands, WeightsOfAnotherArchitectureAreRefused) {
  const std::string file = WriteWeights(path("foreign.safetensors"), "dense-resnet-1");
  for (const std::vector<std::string>& line : std::vector<std::vector<std::string>>{
           {"match", file, "crowd"}, {"inspect", file}, {"play", file}})
    ExpectSentence(RunProgram(line), 1, "dense-resnet-1");
  const ProgramResult uhp = RunProgram({"uhp", "--model", file}, "exit\n");
  EXPECT_EQ(uhp.code, 1);
  EXPECT_THAT(uhp.err, StartsWith("apiary: "));
}

TEST_F(Commands, InspectShowsWeights) {
  const std::string file = WriteWeights(path("own.safetensors"), "");
  const std::vector<json> lines = JsonLines(RunProgram({"inspect", "--json", file}).out);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["channels"], 32);
  EXPECT_EQ(lines[0]["parameters"], 2);
  EXPECT_EQ(lines[0]["sha256"].get<std::string>().size(), 64U);
}

TEST_F(Commands, TornAndForeignFilesAreRefused) {
  const std::string weights = WriteWeights(path("own.safetensors"), "");
  fs::resize_file(weights, fs::file_size(weights) - 3);
  ExpectSentence(RunProgram({"inspect", weights}), 1, weights);
  const std::string games = WriteText("x-n1-p1.games.zst", "no games at all");
  ExpectSentence(RunProgram({"inspect", games}), 1, games);
}

TEST_F(Commands, ARunBelowARegularFileIsAnError) {
  const std::string file = WriteText("file", "");
  EXPECT_NE(RunProgram({"inspect", file + "/run"}).code, 0);
  ExpectSentence(RunProgram({"train", "--run", file + "/run", "--config", "smoke"}), 1, "");
  EXPECT_EQ(RunProgram({"doctor", "--run", file + "/run"}).code, 1);
}

TEST_F(Commands, InspectAndDoctorReadARun) {
  const std::string run = path("run");
  train::WorkerOptions options;
  options.run = run;
  options.name = "test";
  options.config.selfplay.gen0_games = 20;
  options.max_games = 20;
  fs::create_directories(run);
  const base::StopToken stop;
  train::WorkerStats stats;
  train::RunWorker(options, stop, stats);
  std::ofstream(run + "/config.toml") << RunProgram({"config", "smoke"}).out;

  const std::vector<json> lines = JsonLines(RunProgram({"inspect", "--json", run}).out);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["games"], 20);
  EXPECT_EQ(lines[0]["gen0_games"], 20);
  EXPECT_EQ(lines[0]["positions"], stats.positions.load());
  EXPECT_GT(lines[0]["bytes_per_position"], 0);
  EXPECT_TRUE(lines[0]["decisive"].is_null());
  EXPECT_EQ(lines[0]["generations"], 0);
  const ProgramResult doctor = RunProgram({"doctor", "--run", run});
  EXPECT_EQ(doctor.code, 0) << doctor.out << doctor.err;

  // A file is cut: both say so.
  for (const auto& entry : fs::recursive_directory_iterator(run + "/games")) {
    if (entry.is_regular_file()) fs::resize_file(entry.path(), entry.file_size() - 1);
  }
  EXPECT_EQ(RunProgram({"inspect", run}).code, 1);
  const ProgramResult sick = RunProgram({"doctor", "--run", run});
  EXPECT_EQ(sick.code, 1);
  EXPECT_THAT(sick.out, HasSubstr("  BAD  "));
}

TEST_F(Commands, ReportWritesOneFileOfARun) {
  ExpectSentence(RunProgram({"report", "--run", path("nowhere")}), 2, "not a run directory");
  const std::string run = path("run");
  fs::create_directories(run + "/weights");
  ExpectSentence(RunProgram({"report", "--run", run}), 1, "config.toml");
  std::ofstream(run + "/config.toml") << "seed = 7\n";
  std::ofstream(run + "/metrics.jsonl")
      << R"({"format":"apiary-metrics-1","step":2,"generation":2,"cpu_s":360,"plies":31})"
      << "\ntorn";
  const ProgramResult result = RunProgram({"report", "--run", run});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, run + "/report.html\n");
  std::ifstream file(run + "/report.html");
  const std::string html(std::istreambuf_iterator<char>(file), {});
  EXPECT_THAT(html, HasSubstr("Length of games"));
  EXPECT_THAT(html, HasSubstr("could not be read</th><td>1</td>"));
  EXPECT_THAT(html, HasSubstr("seed = 7"));
  std::ofstream(run + "/ratings.jsonl") << "nonsense\n";
  ExpectSentence(RunProgram({"report", "--run", run}), 1, "ratings.jsonl");
  ExpectSentence(RunProgram({"report", "--run", run, "--to", path("none/report.html")}), 1, "");
}

TEST_F(Commands, BenchPrintsAnObjectASet) {
  const std::string games = WriteText("games.tsv",
                                      "# id\tgame\n1\tBase;InProgress;White[2];wS1;bS1 wS1-\n"
                                      "2\tBase+MLP;InProgress;White[2];wS1;bS1 wS1-\n");
  const std::vector<json> movegen = JsonLines(
      RunProgram({"bench", "movegen", "--json", "--seconds", "0.001", "--data", games}).out);
  ASSERT_EQ(movegen.size(), 2U);
  EXPECT_EQ(movegen[0]["set"], "Base");
  EXPECT_EQ(movegen[1]["set"], "Base+MLP");
  EXPECT_EQ(movegen[0]["positions"], 2);
  for (const char* key : {"movegens_per_s", "ns_per_movegen", "moves_per_s"})
    EXPECT_GT(movegen[0][key], 0) << key;
  const std::vector<json> encode = JsonLines(
      RunProgram({"bench", "encode", "--json", "--seconds", "0.001", "--data", games}).out);
  ASSERT_EQ(encode.size(), 2U);
  for (const char* key :
       {"ns_per_position", "bytes_per_position", "ns_per_movegen", "encode_per_movegen"})
    EXPECT_GT(encode[0][key], 0) << key;
}

TEST_F(Commands, BenchEnvPlaysWithoutAllocations) {
  const std::vector<json> both =
      JsonLines(RunProgram({"bench", "env", "--json", "--seconds", "0.001", "--envs", "4"}).out);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0]["set"], "Base");
  EXPECT_EQ(both[1]["set"], "Base+MLP");
  for (const json& line : both) {
    EXPECT_EQ(line["allocations_per_step"], 0);
    for (const char* key : {"steps_per_s", "steps_per_s_observe", "bytes_per_env"})
      EXPECT_GT(line[key], 0) << key;
  }
  const std::vector<json> one =
      JsonLines(RunProgram({"bench", "env", "--json", "--seconds", "0.001", "--envs", "1",
                            "--variant", "Base+P"})
                    .out);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0]["set"], "Base+P");
}

// Both rates are of processor time without the bare evaluator's turns, so that overhead is the
// search's alone.
TEST_F(Commands, BenchSelfplayLeavesTheBareEvaluatorOut) {
  const ProgramResult result = RunProgram({"bench", "selfplay", "--json", "--net", "8x1",
                                           "--threads", "1", "--no-cache", "--seconds", "0.5"});
  ASSERT_EQ(result.code, 0) << result.err;
  const json line = JsonLines(result.out).at(0);
  const double evaluations = line["evals_per_s"], bare = line["raw_evals_per_s"];
  ASSERT_GT(bare, 0);
  EXPECT_NEAR(
      evaluations * line["sims_per_eval"].get<double>() / line["sims_per_cpu_s"].get<double>(), 1,
      1e-6);
  EXPECT_NEAR(line["overhead"], 1 - evaluations / bare, 1e-6);
}

TEST_F(Commands, DoctorShowsTheMachine) {
  const ProgramResult result = RunProgram({"doctor"});
  EXPECT_EQ(result.code, 0);
  for (const char* word : {"processor", "cores", "memory", "device",
                           "kernels of the torch-free net", "self-play threads by default"})
    EXPECT_THAT(result.out, HasSubstr(word));
}

}  // namespace
}  // namespace apiary::app
