#include "play/uhp_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <thread>

#include "tests/play/fake_engine.h"

namespace apiary::play {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr milliseconds kLong{60'000};
constexpr milliseconds kShort{100};

class UhpClients : public FakeEngines {
 protected:
  base::Result<std::unique_ptr<UhpClient>> Start(const std::string& text,
                                                 milliseconds timeout = kLong) {
    const auto spec = ParseUhpSpec(text);
    if (!spec) return spec.failure();
    return UhpClient::Start(*spec, timeout, stop_);
  }
  std::string StartError(const std::string& text, milliseconds timeout = kLong) {
    const auto client = Start(text, timeout);
    return client ? "" : client.error();
  }
  // Why the engine of this script did not answer `validmoves`.
  std::string AskError(const std::string& script, milliseconds timeout = kLong) {
    auto client = Start(Engine(script));
    if (!client) return "at the start: " + client.error();
    const auto answer = (*client)->Ask("validmoves", timeout);
    return answer ? "" : answer.error();
  }

  base::StopToken stop_;
};

TEST_F(UhpClients, GreetsAndAnswers) {
  auto client =
      Start(Answering("newgame) echo \"  $rest;NotStarted \"; echo;;\n"
                      "play) echo \"invalidmove $rest is not legal\";;\n"
                      "undo) printf 'a line first\\r\\nerr no moves\\r\\n';;"));
  ASSERT_TRUE(client.ok()) << client.error();
  UhpClient& engine = **client;
  EXPECT_EQ(engine.name(), "Fake 1.0");
  EXPECT_TRUE(engine.Supports(*env::ParseVariant("Base")));
  EXPECT_TRUE(engine.Supports(*env::ParseVariant("Base+MP")));
  EXPECT_FALSE(engine.Supports(*env::ParseVariant("Base+L")));
  EXPECT_FALSE(engine.Supports(*env::ParseVariant("Base+MLP")));

  auto answer = engine.Ask("newgame Base+M");
  ASSERT_TRUE(answer.ok()) << answer.error();
  EXPECT_TRUE(answer->ok());
  EXPECT_THAT(answer->lines, ElementsAre("Base+M;NotStarted"));
  answer = engine.Ask("play wQ \\wS1");
  ASSERT_TRUE(answer.ok()) << answer.error();
  EXPECT_EQ(answer->kind, UhpAnswer::Kind::kInvalidMove);
  EXPECT_EQ(answer->message, "wQ \\wS1 is not legal");
  answer = engine.Ask("undo");
  ASSERT_TRUE(answer.ok()) << answer.error();
  EXPECT_EQ(answer->kind, UhpAnswer::Kind::kError);
  EXPECT_EQ(answer->message, "no moves");
  answer = engine.Ask("nothing");
  ASSERT_TRUE(answer.ok()) << answer.error();
  EXPECT_THAT(answer->lines, IsEmpty());
}

TEST_F(UhpClients, OptionsAreSetAtTheStart) {
  auto client =
      Start(Answering("options) said=\"$rest\";;\nsaid) echo \"$said\";;") + ";set.NumThreads=1");
  ASSERT_TRUE(client.ok()) << client.error();
  EXPECT_THAT((*client)->Ask("said")->lines, ElementsAre("set NumThreads 1"));
  EXPECT_THAT(StartError(Answering("options) echo err no such option;;") + ";set.A=b"),
              HasSubstr("set.A=b is refused: no such option"));
}

TEST_F(UhpClients, WhatIsNoEngineIsNamed) {
  EXPECT_THAT(StartError("uhp:/nowhere/engine"),
              AllOf(HasSubstr("cannot start '/nowhere/engine'"), HasSubstr("No such file")));
  EXPECT_THAT(StartError("uhp:echo ok"), HasSubstr("no UHP engine"));
  EXPECT_THAT(StartError("uhp:true"),
              HasSubstr("'uhp:true' ended with exit code 0 before its greeting was complete"));
  EXPECT_THAT(StartError("uhp:sleep 600", kShort),
              HasSubstr("its greeting did not come within 0.1 s"));
}

TEST_F(UhpClients, AnEngineThatEndsIsDescribed) {
  const std::string greeting = kGreeting;
  EXPECT_THAT(AskError(greeting + "read x; exit 3"),
              HasSubstr("ended with exit code 3 before the answer to 'validmoves' was complete"));
  EXPECT_THAT(AskError(greeting + "read x; echo wS1; exit 0"), HasSubstr("ended with exit code 0"));
  EXPECT_THAT(AskError(greeting + "read x; kill -SEGV $$"), HasSubstr("was killed by signal 11"));
  EXPECT_THAT(AskError(greeting + "read x; exec >&-; sleep 600"), HasSubstr("closed its output"));
  EXPECT_THAT(AskError(greeting + "read x; printf 'wS1\\nok'"), HasSubstr("ended with exit code"));
}

TEST_F(UhpClients, AnEngineThatDoesNotAnswerIsDescribed) {
  const std::string greeting = kGreeting;
  EXPECT_THAT(AskError(greeting + "sleep 600", kShort),
              HasSubstr("the answer to 'validmoves' did not come within 0.1 s"));
  EXPECT_THAT(AskError(greeting + "read x; echo wS1; sleep 600", kShort),
              HasSubstr("did not come within"));
  EXPECT_THAT(AskError(greeting + "read x; yes"), HasSubstr("does not end with 'ok'"));
  EXPECT_THAT(AskError(greeting + "read x; yes | tr -d '\\n'"), HasSubstr("a line of more than"));
}

TEST_F(UhpClients, WritingToADeadEngineRaisesNoSignal) {
  auto client = Start(Engine(std::string(kGreeting) + "exit 0"));
  ASSERT_TRUE(client.ok()) << client.error();
  for (int i = 0; i < 3; ++i) {
    const auto answer = (*client)->Ask("validmoves");
    ASSERT_FALSE(answer.ok());
    EXPECT_THAT(answer.error(), HasSubstr("ended with exit code 0"));
  }
}

TEST_F(UhpClients, AnEngineThatDoesNotReadTimesOut) {
  auto client = Start(Engine(std::string(kGreeting) + "sleep 600"));
  ASSERT_TRUE(client.ok()) << client.error();
  const auto answer = (*client)->Ask(std::string(1 << 20, 'x'), kShort);  // more than a pipe holds
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error(), HasSubstr("did not come within"));
}

TEST_F(UhpClients, NothingIsLeftBehind) {
  for (const char* script : {"read x", "trap '' HUP TERM INT; while :; do sleep 600; done",
                             "sleep 600 & wait", "kill -STOP $$"}) {
    auto client = Start(Engine(std::string(kGreeting) + script));
    ASSERT_TRUE(client.ok()) << client.error();
    const pid_t pid = (*client)->pid();
    client->reset();
    EXPECT_EQ(::waitpid(pid, nullptr, WNOHANG), -1) << script;
    EXPECT_EQ(errno, ECHILD) << script;
    EXPECT_EQ(::kill(pid, 0), -1) << script;
  }
}

TEST_F(UhpClients, AStopEndsTheWaiting) {
  auto client = Start(Engine(std::string(kGreeting) + "sleep 600"));
  ASSERT_TRUE(client.ok()) << client.error();
  std::jthread other([this] { stop_.Request(); });
  const auto answer = (*client)->Ask("validmoves");
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error(), HasSubstr("stopped"));
}

}  // namespace
}  // namespace apiary::play
