// The stand-alone engine beside `apiary uhp`, as processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "env/notation.h"
#include "tests/env/random_positions.h"

namespace apiary::app {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Session {
  int code = -1;
  std::string out;
};

// Runs `command` with `input` as its standard input.
Session Talk(const std::string& command, const std::string& input) {
  const std::string path = testing::TempDir() + "/uhp_session.txt";
  std::ofstream(path) << input;
  Session session;
  std::FILE* const pipe = ::popen((command + " < '" + path + "'").c_str(), "r");
  if (pipe == nullptr) return session;
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;)
    session.out.append(buffer, n);
  session.code = WEXITSTATUS(::pclose(pipe));
  return session;
}

std::string Quoted(const std::string& path) { return "'" + path + "'"; }
const std::string kAlone = Quoted(APIARY_UHP_PROGRAM);
const std::string kWithin = Quoted(APIARY_PROGRAM) + " uhp";

std::string Questions() {
  std::string input;
  for (const env::Game& game : env::RandomPositions(60, 5)) {
    if (game.outcome().over()) continue;
    input += "newgame " + env::ToGameString(game) + "\nvalidmoves\nbestmove depth 0\n";
  }
  return input + "options\nbestmove depth 4\nexit\n";
}

TEST(StandaloneUhp, PlaysAsTheSubcommandDoes) {
  const std::string input = Questions();
  const Session within = Talk(kWithin, input), alone = Talk(kAlone, input);
  EXPECT_EQ(within.code, 0);
  EXPECT_EQ(alone.code, 0);
  EXPECT_THAT(alone.out, StartsWith("id Apiary "));
  EXPECT_THAT(alone.out, HasSubstr("(base-2core)"));
  EXPECT_EQ(alone.out, within.out);
  const std::string file = Quoted(APIARY_SOURCE_DIR "/models/base-2core.safetensors");
  EXPECT_EQ(Talk(kWithin + " --device cpu --model " + file, input).out, within.out);
}

TEST(StandaloneUhp, PlaysByAlphaBetaWhereItIsTold) {
  const std::string input = "newgame\nbestmove depth 2\noptions get Model\nexit\n";
  const Session within = Talk(kWithin + " --model none --seed 7", input);
  const Session alone = Talk(kAlone + " --model none --seed 7", input);
  EXPECT_THAT(alone.out, HasSubstr("(no model: alpha-beta)"));
  EXPECT_EQ(alone.out, within.out);
}

TEST(StandaloneUhp, RefusesWhatIsNoModel) {
  const Session missing = Talk(kAlone + " --model nosuch.safetensors 2>&1", "");
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.out, HasSubstr("nosuch.safetensors: no such file"));
  EXPECT_EQ(Talk(kAlone + " --threads 0 2>&1", "").code, 2);
  const Session within = Talk(kAlone, "options set Model nosuch\nbestmove depth 0\nexit\n");
  EXPECT_THAT(within.out, HasSubstr("err nosuch: no such file"));
}

TEST(StandaloneUhp, IsOneSmallFile) {
  if (!APIARY_UHP_STATIC)
    GTEST_SKIP() << "this build does not link it as it is shipped: sanitizers, or not optimised";
  struct stat file {};
  ASSERT_EQ(::stat(APIARY_UHP_PROGRAM, &file), 0);
  EXPECT_LE(file.st_size, 10'000'000);
}

}  // namespace
}  // namespace apiary::app
