#include "play/uhp_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <memory>
#include <sstream>

#include "base/random.h"
#include "env/notation.h"
#include "nn/fake_evaluator.h"
#include "tests/play/positions.h"

namespace apiary::play {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

UhpEngine PlainEngine() { return UhpEngine("0.1.0", {}, 1); }
UhpEngine NetEngine() {
  return UhpEngine("0.1.0", {"gen-000003", [] { return std::make_unique<nn::FakeEvaluator>(); }},
                   1);
}

TEST(UhpEngine, TellsWhoItIs) {
  EXPECT_EQ(PlainEngine().Handle("info"),
            "id Apiary 0.1.0 (no model: alpha-beta)\nMosquito;Ladybug;Pillbug\nok\n");
  EXPECT_EQ(NetEngine().Handle("info"),
            "id Apiary 0.1.0 (gen-000003)\nMosquito;Ladybug;Pillbug\nok\n");
}

TEST(UhpEngine, PlaysAGame) {
  UhpEngine engine = PlainEngine();
  EXPECT_EQ(engine.Handle("newgame"), "Base;NotStarted;White[1]\nok\n");
  EXPECT_EQ(engine.Handle("newgame Base+MLP"), "Base+MLP;NotStarted;White[1]\nok\n");
  EXPECT_EQ(engine.Handle("validmoves"), "wS1;wB1;wG1;wA1;wM;wL;wP\nok\n");
  EXPECT_EQ(engine.Handle("play wS1"), "Base+MLP;InProgress;Black[1];wS1\nok\n");
  EXPECT_EQ(engine.Handle("play bG1 -wS1\r"), "Base+MLP;InProgress;White[2];wS1;bG1 -wS1\nok\n");
  EXPECT_EQ(engine.Handle("undo"), "Base+MLP;InProgress;Black[1];wS1\nok\n");
  EXPECT_EQ(engine.Handle("play bG1 wS1-"), "Base+MLP;InProgress;White[2];wS1;bG1 wS1-\nok\n");
  EXPECT_EQ(engine.Handle("undo 2"), "Base+MLP;NotStarted;White[1]\nok\n");
  EXPECT_EQ(engine.Handle(""), "");
  EXPECT_EQ(engine.Handle("exit"), "ok\n");
  EXPECT_TRUE(engine.exited());
}

TEST(UhpEngine, ReadsAGameString) {
  UhpEngine engine = PlainEngine();
  EXPECT_EQ(engine.Handle("newgame " + std::string(kRow)), std::string(kRow) + "\nok\n");
  EXPECT_EQ(engine.Handle("NEWGAME Base;NotStarted;Black[1]"), "Base;NotStarted;Black[1]\nok\n");
}

TEST(UhpEngine, PassesWhereItMust) {
  UhpEngine engine = PlainEngine();
  const std::string stuck =
      "Base;InProgress;White[7];wA1;bS1 wA1-;wQ -wA1;bQ bS1/;wQ \\wA1;bA1 bS1\\;wQ -wA1;bA2 "
      "bQ\\;wQ \\wA1;bA1 \\wQ;"
      "wG1 /wQ;bA2 /wG1";  // a hard position of the test data: White has no move
  ASSERT_THAT(engine.Handle("newgame " + stuck), EndsWith("ok\n"));
  EXPECT_EQ(engine.Handle("validmoves"), "pass\nok\n");
  EXPECT_EQ(engine.Handle("bestmove depth 1"), "pass\nok\n");
  EXPECT_THAT(engine.Handle("pass"), EndsWith(";bA2 /wG1;pass\nok\n"));
  EXPECT_THAT(engine.Handle("pass"), StartsWith("invalidmove "));
}

TEST(UhpEngine, AnswersErrorsAndKeepsTheGame) {
  UhpEngine engine = PlainEngine();
  for (const char* early : {"play wS1", "pass", "validmoves", "undo", "bestmove depth 1", "perft"})
    EXPECT_THAT(engine.Handle(early), AllOf(StartsWith("err "), EndsWith("\nok\n"))) << early;
  engine.Handle("newgame " + std::string(kRow));
  for (const char* move : {"play wQ", "play", "play wA2 -wQ", "play wA1 bQ-", "play bA1 bQ-",
                           "play xx", "play wS1 -wQ", "pass", "play pass"})
    EXPECT_THAT(engine.Handle(move), AllOf(StartsWith("invalidmove "), EndsWith("\nok\n"))) << move;
  for (const char* line : {"nonsense",
                           "undo 0",
                           "undo 5",
                           "undo x",
                           "undo -1",
                           "bestmove",
                           "bestmove depth",
                           "bestmove depth 99",
                           "bestmove depth -1",
                           "bestmove time",
                           "bestmove time 5",
                           "bestmove time 00:00:99",
                           "bestmove time a:b:c",
                           "newgame Base+X",
                           "newgame Base;InProgress;White[2];wS1;bS1",
                           "options get",
                           "options get Nope",
                           "options set Repetition maybe",
                           "options set NumThreads 0",
                           "options set MemoryMB 1e9",
                           "options frob Repetition",
                           "perft 0",
                           "perft 99",
                           "help nothing"})
    EXPECT_THAT(engine.Handle(line), AllOf(StartsWith("err "), EndsWith("\nok\n"))) << line;
  EXPECT_EQ(env::ToGameString(*engine.game()), kRow);
}

TEST(UhpEngine, KnowsTheEndOfAGame) {
  UhpEngine engine = PlainEngine();
  engine.Handle("newgame " + std::string(kBeforeSuicide));
  EXPECT_THAT(engine.Handle("play bA1 /bG1"), StartsWith("Base;WhiteWins;White[7];"));
  EXPECT_THAT(engine.Handle("validmoves"),
              StartsWith("err the game is over: WhiteWins by surround"));
  EXPECT_THAT(engine.Handle("bestmove depth 1"), StartsWith("err "));
  EXPECT_THAT(engine.Handle("play wG2 -wG1"), StartsWith("invalidmove "));
  EXPECT_THAT(engine.Handle("undo"), StartsWith("Base;InProgress;Black[6];"));
}

TEST(UhpEngine, ListsAndSetsOptions) {
  UhpEngine engine = PlainEngine();
  EXPECT_EQ(engine.Handle("options"),
            "Repetition;bool;False;False\nQueenFirstTurn;bool;False;False\nFirstPlayer;enum;White;"
            "White;White;Black\n"
            "Temperature;double;0;0;0;10\nSimulations;int;0;0;0;1000000\nNumThreads;int;1;1;1;256\n"
            "MemoryMB;int;1024;1024;16;65536\nModel;enum;none;none;none\nok\n");
  EXPECT_EQ(engine.Handle("options get repetition"), "Repetition;bool;False;False\nok\n");
  EXPECT_EQ(engine.Handle("options set QueenFirstTurn True"),
            "QueenFirstTurn;bool;True;False\nok\n");
  engine.Handle("newgame");
  EXPECT_EQ(engine.Handle("validmoves"), "wQ;wS1;wB1;wG1;wA1\nok\n");
  engine.Handle("play wQ");
  EXPECT_THAT(engine.Handle("options set QueenFirstTurn False"), StartsWith("err "));
  EXPECT_EQ(engine.Handle("options get QueenFirstTurn"), "QueenFirstTurn;bool;True;False\nok\n");
  engine.Handle("options set FirstPlayer Black");
  EXPECT_EQ(engine.Handle("newgame"), "Base;NotStarted;Black[1]\nok\n");
}

TEST(UhpEngine, ChangesItsModel) {
  const auto source = [] { return std::make_unique<nn::FakeEvaluator>(); };
  const UhpModelLoader loader = [&](const std::string& text) -> base::Result<UhpModel> {
    if (text != "a folder/other.safetensors") return base::Fail("{}: no such file", text);
    return UhpModel{"other", source};
  };
  UhpEngine engine("0.1.0", {"first", source}, 1, {}, loader);
  EXPECT_EQ(engine.Handle("options get Model"), "Model;enum;first;first;none;first\nok\n");
  EXPECT_EQ(engine.Handle("options set Model nosuch"), "err nosuch: no such file\nok\n");
  EXPECT_EQ(engine.Handle("options set model a folder/other.safetensors"),
            "Model;enum;other;first;none;first;other\nok\n");
  EXPECT_THAT(engine.Handle("info"), StartsWith("id Apiary 0.1.0 (other)\n"));
  engine.Handle("newgame");
  EXPECT_THAT(engine.Handle("bestmove depth 1"), EndsWith("\nok\n"));
  EXPECT_EQ(engine.Handle("options set Model NONE"), "Model;enum;none;first;none;first\nok\n");
  EXPECT_THAT(engine.Handle("info"), StartsWith("id Apiary 0.1.0 (no model: alpha-beta)\n"));
  EXPECT_THAT(engine.Handle("bestmove depth 1"), EndsWith("\nok\n"));
  EXPECT_THAT(engine.Handle("options set Model"), StartsWith("err "));
  EXPECT_EQ(engine.Handle("options set Model first"), "Model;enum;first;first;none;first\nok\n");
  EXPECT_THAT(PlainEngine().Handle("options set Model x"), StartsWith("err 'x': "));
}

TEST(UhpEngine, MakesTheSimulationsOfItsOption) {
  UhpEngine engine = NetEngine();
  engine.Handle("newgame " + std::string(kRow));
  engine.Handle("options set Simulations 64");
  const std::string always = engine.Handle("bestmove time 10:00:00");
  engine.Handle("options set Simulations 0");
  UhpEngine other = NetEngine();
  other.Handle("newgame " + std::string(kRow));
  EXPECT_EQ(other.Handle("bestmove depth 1"), always);  // 32 x 2^1
}

TEST(UhpEngine, RepetitionIsOffUnlessSet) {
  // The queens step to and fro; the position after ply 4 comes for the third time at ply 12.
  const std::string to_and_fro =
      "Base;InProgress;White[7];wS1;bB1 wS1-;wQ \\wS1;bQ bB1\\;wQ -wS1;bQ bB1-;wQ \\wS1;bQ "
      "bB1\\;wQ -wS1;bQ bB1-;"
      "wQ \\wS1;bQ bB1\\";
  UhpEngine engine = PlainEngine();
  EXPECT_EQ(engine.Handle("newgame " + to_and_fro), to_and_fro + "\nok\n");
  engine.Handle("options set Repetition True");
  EXPECT_THAT(engine.Handle("undo"), StartsWith("Base;InProgress;Black[6];"));
  EXPECT_THAT(engine.Handle("play bQ bB1\\"), StartsWith("Base;Draw;"));
}

TEST(UhpEngine, BestMoveIsLegalAndNotPlayed) {
  for (UhpEngine* engine : {new UhpEngine(PlainEngine()), new UhpEngine(NetEngine())}) {
    const std::unique_ptr<UhpEngine> owner(engine);
    engine->Handle("newgame " + std::string(kRow));
    for (const char* ask : {"bestmove depth 0", "bestmove depth 2", "bestmove time 00:00:00",
                            "bestmove time 00:00:00.1"}) {
      std::string move = engine->Handle(ask);
      ASSERT_THAT(move, EndsWith("\nok\n"));
      move.resize(move.size() - 4);
      EXPECT_TRUE(env::ParseMove(*engine->game(), move).ok()) << move;
      EXPECT_EQ(env::ToGameString(*engine->game()), kRow);
    }
  }
}

TEST(UhpEngine, ThinksUntilItIsInterrupted) {
  UhpEngine engine = NetEngine();
  engine.Handle("newgame " + std::string(kRow));
  for (const char* threads : {"1", "3"}) {
    engine.Handle("options set NumThreads " + std::string(threads));
    engine.Handle("options set MemoryMB 16");
    for (const char* ask : {"bestmove time 10:00:00", "bestmove depth 15"}) {
      int asked = 0;
      std::string move = engine.Handle(ask, [&asked] { return ++asked >= 2; });
      ASSERT_THAT(move, EndsWith("\nok\n"));
      EXPECT_EQ(asked, 2);
      move.resize(move.size() - 4);
      EXPECT_TRUE(env::ParseMove(*engine.game(), move).ok()) << move;
    }
  }
  EXPECT_EQ(engine.Handle("stop"), "ok\n");
}

TEST(UhpEngine, RefusesMoreMemoryThanThereIs) {
  const UhpSearch::Resources fits{.memory_mb = 16};
  EXPECT_TRUE(UhpSearch::Check(fits).ok());
  const UhpSearch::Resources never{.memory_mb = std::numeric_limits<int>::max()};
  const auto refused = UhpSearch::Check(never);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error(), HasSubstr("are more than the"));
}

TEST(UhpEngine, CountsPositions) {
  UhpEngine engine = PlainEngine();
  engine.Handle("newgame");
  EXPECT_EQ(engine.Handle("perft 3"), "1: 4\n2: 96\n3: 1440\nok\n");
}

// Lines made of pieces of valid ones, of any bytes, and of valid ones with a byte changed.
std::string Garble(base::RandomStream& random) {
  static constexpr std::array<std::string_view, 16> kParts = {
      "play ",    "pass",       "wA1",
      " -wS1",    "bQ",         "\\",
      "/",        "-",          ";",
      "newgame ", "undo ",      "options set ",
      "Base+",    "validmoves", "Repetition True",
      "[1]"};
  std::string line;
  const std::uint32_t length = random.Below(8);
  for (std::uint32_t i = 0; i < length; ++i) {
    if (random.Below(3) == 0) {
      line += static_cast<char>(random.Below(256));
    } else {
      line += kParts[random.Below(kParts.size())];
    }
  }
  return line;
}

TEST(UhpEngine, SurvivesGarbledLines) {
  UhpEngine engine = NetEngine();
  base::RandomStream random(4);
  for (int i = 0; i < 100'000; ++i) {
    if (i % 50 == 0) engine.Handle("newgame " + std::string(kRow));
    const std::string before = engine.game() == nullptr ? "" : env::ToGameString(*engine.game());
    const std::string line = Garble(random);
    const std::string answer = engine.Handle(line);
    const std::string after = engine.game() == nullptr ? "" : env::ToGameString(*engine.game());
    if (answer.starts_with("err") || answer.starts_with("invalidmove")) {
      EXPECT_EQ(after, before) << line;
    }
    EXPECT_TRUE(answer.empty() || answer.ends_with("ok\n")) << line;
  }
  EXPECT_FALSE(engine.exited());
}

TEST(UhpEngine, ServesAStream) {
  UhpEngine engine = PlainEngine();
  std::istringstream in("newgame\nplay wS1\nexit\nnewgame\n");
  std::ostringstream out;
  const base::StopToken stop;
  StreamInput input(in, stop);
  ServeUhp(engine, input, out);
  EXPECT_EQ(out.str(),
            "id Apiary 0.1.0 (no model: "
            "alpha-beta)\nMosquito;Ladybug;Pillbug\nok\nBase;NotStarted;White[1]\nok\n"
            "Base;InProgress;Black[1];wS1\nok\nok\n");
}

}  // namespace
}  // namespace apiary::play
