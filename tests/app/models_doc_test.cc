// The Python programs of docs/models.md run and say what the program's own net says. Each is left
// out where this machine's Python (APIARY_PYTHON, else python3) lacks its package.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/files.h"
#include "nn/safetensors.h"
#include "tests/app/program.h"
#include "tests/base/temporary_directory.h"
#include "tests/nn/busy_weights.h"

namespace apiary::app {
namespace {

using nlohmann::json;

constexpr const char* kGame =
    "Base+M;InProgress;White[4];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wM \\wQ;bM bQ/";
constexpr std::ptrdiff_t kMostLines = 30;

std::string Python() {
  const char* const given = std::getenv("APIARY_PYTHON");
  return given != nullptr ? given : "python3";
}

// Output and exit code of a shell's command line.
std::pair<std::string, int> Shell(const std::string& line) {
  std::FILE* const pipe = ::popen((line + " 2>&1").c_str(), "r");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  return {text, ::pclose(pipe)};
}

// The program of the page that uses `package`.
std::string Example(const std::string& package) {
  const auto text = base::ReadFile(APIARY_SOURCE_DIR "/docs/models.md");
  if (!text) return {};
  const std::string fence = "```python\n";
  for (std::size_t at = text->find(fence); at != std::string::npos;
       at = text->find(fence, at + 1)) {
    const std::size_t begin = at + fence.size();
    const std::string program = text->substr(begin, text->find("```", begin) - begin);
    const std::string imports = program.substr(0, program.find("\n\n"));
    if (imports.ends_with(package)) return program;
  }
  return {};
}

// The four numbers of "win 0.1 draw 0.2 loss 0.7 plies left 30.25".
std::vector<double> Outlook(const std::string& printed) {
  static const std::regex pattern(R"(win (\S+) draw (\S+) loss (\S+) plies left (\S+))");
  std::smatch match;
  std::vector<double> numbers;
  if (std::regex_search(printed, match, pattern))
    for (std::size_t i = 1; i < match.size(); ++i) numbers.push_back(std::stod(match[i]));
  return numbers;
}

void RunExample(const std::string& package, const std::string& ending, bool with_policy) {
  const std::string program = Example(package);
  ASSERT_FALSE(program.empty()) << package;
  EXPECT_LE(std::count(program.begin(), program.end(), '\n'), kMostLines);
  if (const auto [text, code] = Shell(Python() + " -c 'import " + package + "'"); code != 0)
    GTEST_SKIP() << Python() << " has no " << package.substr(0, package.find(' '))
                 << ": set APIARY_PYTHON to one that has, to run the example";
  const base::TemporaryDirectory folder;
  const nn::NetSpec spec = {.channels = 16, .blocks = 4, .variant = "Base+M"};
  const std::string model = folder / "model.safetensors", to = folder / ("net" + ending);
  ASSERT_TRUE(nn::WriteTensors(model, nn::BusyWeights(spec, 6)).ok());
  const ProgramResult exported = RunProgram({"export", model, "--to", to});
  ASSERT_EQ(exported.code, 0) << exported.err;
  ASSERT_TRUE(base::WriteDurably(folder / "example.py", program).ok());
  const auto [printed, code] =
      Shell(fmt::format("APIARY='{}' {} -W ignore '{}' '{}' '{}'", APIARY_PROGRAM, Python(),
                        folder / "example.py", to, kGame));
  ASSERT_EQ(code, 0) << printed;

  const json own = json::parse(RunProgram({"encode", kGame, "--json", "--model", model}).out);
  std::vector<double> expected = own["wdl"][0].get<std::vector<double>>();
  expected.push_back(own["moves_left"][0].get<double>());
  EXPECT_THAT(Outlook(printed), ::testing::Pointwise(::testing::DoubleNear(0.006), expected))
      << printed;
  if (!with_policy) return;
  const auto logits = own["logits"].get<std::vector<double>>();
  const auto best = std::max_element(logits.begin(), logits.end());
  EXPECT_TRUE(printed.starts_with(
      own["move_texts"][static_cast<std::size_t>(best - logits.begin())].get<std::string>()))
      << printed;
}

TEST(ModelsDoc, OnnxExampleRuns) {
  if (!APIARY_ONNX) GTEST_SKIP() << "this build writes no .onnx";
  RunExample("onnxruntime", ".onnx", true);
}
TEST(ModelsDoc, TorchExampleRuns) {
  if (!APIARY_PT) GTEST_SKIP() << "this build writes no .pt";
  RunExample("torch", ".pt", true);
}
TEST(ModelsDoc, NumPyExampleRuns) { RunExample("numpy as np", ".safetensors", false); }

}  // namespace
}  // namespace apiary::app
