#include "play/uhp_player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "play/match.h"
#include "tests/play/fake_engine.h"
#include "tests/play/positions.h"

namespace apiary::play {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;

// Plays wS1 first and knows no more; notes what it was told in a file.
constexpr const char* kNewGame = "newgame) echo \"$rest;NotStarted;White[1]\";;\n";
constexpr const char* kPlay = "play|pass) echo 'Base;InProgress;Black[1];wS1';;\n";
constexpr const char* kSpider = "bestmove) echo wS1;;\n";

class UhpPlayers : public FakeEngines {
 protected:
  std::unique_ptr<Player> Make(const std::string& text,
                               milliseconds timeout = milliseconds(60'000)) {
    auto spec = ParsePlayer(text, 32);
    EXPECT_TRUE(spec.ok());
    auto player = MakePlayer(*spec, nullptr, {.timeout = timeout, .stop = &stop_});
    EXPECT_TRUE(player.ok()) << (player.ok() ? "" : player.error());
    return player.ok() ? *std::move(player) : nullptr;
  }
  // Asked in the first position, or that of `game`.
  env::Move Choose(Player& player, const env::Game& game = GameOf("Base")) {
    const env::Game* const games[] = {&game};
    env::Move moves[1];
    base::RandomStream stream(1);
    player.ChooseMoves(games, std::span(&stream, 1), moves);
    return moves[0];
  }
  // The only fault of an engine with these branches.
  Fault FaultOf(const std::string& branches, milliseconds timeout = milliseconds(60'000),
                const env::Game& game = GameOf("Base")) {
    const auto player = Make(Answering(branches), timeout);
    Choose(*player, game);
    EXPECT_EQ(player->faults().size(), 1U) << branches;
    return player->faults().empty() ? Fault{.kind = FaultKind::kStopped, .what = {}}
                                    : player->faults()[0];
  }
  MatchResult Match(const std::string& a, const std::string& b, int games) {
    MatchOptions options;
    options.games = games;
    options.opening_plies = 2;
    options.rules.max_plies = 12;
    options.threads = 2;
    auto result =
        PlayMatch(*ParsePlayer(a, 32), *ParsePlayer(b, 32), nullptr, options, nullptr, stop_);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error());
    return *result;
  }

  base::StopToken stop_;
};

TEST_F(UhpPlayers, PlaysWhatTheEngineSays) {
  const auto player = Make(Answering(std::string(kNewGame) + kPlay + kSpider) + ";depth=2");
  const env::Game game = GameOf("Base");
  EXPECT_EQ(env::MoveToString(game.board(), Choose(*player)), "wS1");
  EXPECT_TRUE(player->faults().empty());
  EXPECT_EQ(player->name(), "Fake 1.0 (depth 2)");
}

TEST_F(UhpPlayers, AsksForWhatItsKeysSay) {
  for (const auto& [keys, asked] :
       std::vector<std::pair<std::string, std::string>>{{";depth=2", "depth 2"},
                                                        {";time=3700", "time 01:01:40"},
                                                        {";go=seconds 0.1", "seconds 0.1"},
                                                        {"", "time 00:00:01"}}) {
    const Fault fault = [&] {
      const auto player =
          Make(Answering(std::string(kNewGame) + kPlay + "bestmove) echo \"$rest\";;") + keys);
      Choose(*player);
      return player->faults()[0];
    }();
    EXPECT_EQ(fault.kind, FaultKind::kIllegalMove);
    EXPECT_THAT(fault.what, HasSubstr("'" + asked + "'"));
  }
}

TEST_F(UhpPlayers, MisbehaviourIsAFault) {
  const std::string game = std::string(kNewGame) + kPlay;
  EXPECT_EQ(FaultOf(game + "bestmove) exit 3;;").kind, FaultKind::kCrash);
  EXPECT_EQ(FaultOf(game + "bestmove) kill -SEGV $$;;").kind, FaultKind::kCrash);
  EXPECT_EQ(FaultOf(game + "bestmove) echo bS1;;").kind, FaultKind::kIllegalMove);
  EXPECT_EQ(FaultOf(game + "bestmove) echo wQ;;").kind, FaultKind::kIllegalMove);
  EXPECT_EQ(FaultOf(game + "bestmove) echo '\1\2 garbage';;").kind, FaultKind::kIllegalMove);
  EXPECT_EQ(FaultOf(game + "bestmove) ;;").kind, FaultKind::kProtocol);
  EXPECT_EQ(FaultOf(game + "bestmove) echo err no idea;;").kind, FaultKind::kProtocol);
  EXPECT_EQ(FaultOf(game + "bestmove) yes;;").kind, FaultKind::kProtocol);
  EXPECT_EQ(FaultOf("newgame) echo hello;;").kind, FaultKind::kProtocol);
  EXPECT_EQ(FaultOf("newgame) echo err not now;;").kind, FaultKind::kProtocol);
  EXPECT_EQ(FaultOf(std::string(kNewGame) + kSpider + "play) echo invalidmove;;").kind,
            FaultKind::kProtocol);
  const Fault slow = FaultOf(game + "bestmove) sleep 600;;", milliseconds(300));
  EXPECT_EQ(slow.kind, FaultKind::kTimeout);
  EXPECT_FALSE(slow.moved);
  EXPECT_THAT(slow.what, HasSubstr("did not come within 1.3 s"));  // one second was given
}

TEST_F(UhpPlayers, ItsOwnEndIsReported) {
  const std::string ends =
      std::string(kNewGame) + "play) echo 'Base;Draw;Black[1];wS1';;\n" + kSpider;
  const auto player = Make(Answering(ends));
  EXPECT_FALSE(Choose(*player).is_pass());
  ASSERT_EQ(player->faults().size(), 1U);
  EXPECT_EQ(player->faults()[0].kind, FaultKind::kForeignEnd);
  EXPECT_TRUE(player->faults()[0].moved);
  EXPECT_THAT(player->faults()[0].what, HasSubstr("says Draw after 'play wS1'"));
  // Also before it has moved.
  const Fault before = FaultOf(ends, milliseconds(60'000), GameOf(kRow));
  EXPECT_EQ(before.kind, FaultKind::kForeignEnd);
  EXPECT_FALSE(before.moved);
}

TEST_F(UhpPlayers, StartsAnewAfterACrash) {
  const auto player = Make(Answering(std::string(kNewGame) + kPlay + "bestmove) exit 3;;"));
  for (int i = 0; i < 3; ++i) {
    Choose(*player);
    ASSERT_EQ(player->faults().size(), 1U);
    EXPECT_EQ(player->faults()[0].kind, FaultKind::kCrash);
    EXPECT_THAT(player->faults()[0].what, HasSubstr("ended with exit code 3"));
  }
}

TEST_F(UhpPlayers, TwoGamesTogetherHaveTwoProcessesThatGoOn) {
  // The process says its number as its move.
  const auto player =
      Make(Answering(std::string(kPlay) + "newgame) n=$((n + 1)); echo \"Base;NotStarted\";;\n"
                                          "bestmove) echo \"$$ game $n\";;"));
  const env::Game one = GameOf("Base;InProgress;Black[1];wS1");
  const env::Game two = GameOf("Base;InProgress;Black[1];wG1");
  const env::Game* const games[] = {&one, &two};
  env::Move moves[2];
  base::RandomStream streams[] = {base::RandomStream(1), base::RandomStream(2)};
  player->ChooseMoves(games, streams, moves);
  ASSERT_EQ(player->faults().size(), 2U);
  EXPECT_EQ(player->faults()[0].game, 0U);
  EXPECT_EQ(player->faults()[1].game, 1U);
  EXPECT_NE(player->faults()[0].what, player->faults()[1].what);
}

TEST_F(UhpPlayers, WhatCannotPlayIsRefusedAtTheStart) {
  auto none = MakePlayer(*ParsePlayer("uhp:/nowhere/engine", 32), nullptr, {});
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.error(), HasSubstr("cannot start '/nowhere/engine'"));
  const auto player = Make(Answering(""));  // Mosquito and Pillbug
  env::Rules rules;
  EXPECT_TRUE(player->CheckRules(rules).ok());
  rules.variant.ladybug = true;
  EXPECT_THAT(player->CheckRules(rules).error(), HasSubstr("does not play Base+L"));
  EXPECT_TRUE(MakePlayer(*ParsePlayer("crowd", 32), nullptr)->get()->CheckRules(rules).ok());
}

TEST_F(UhpPlayers, AStopIsNoFaultOfIts) {
  const auto player = Make(Answering(std::string(kNewGame) + "bestmove) sleep 600;;"));
  std::jthread other([this] {
    std::this_thread::sleep_for(milliseconds(50));
    stop_.Request();
  });
  Choose(*player);
  ASSERT_EQ(player->faults().size(), 1U);
  EXPECT_EQ(player->faults()[0].kind, FaultKind::kStopped);
}

TEST_F(UhpPlayers, AMatchScoresFaultsAsLosses) {
  const std::string crashes = Answering(std::string(kNewGame) + kPlay + "bestmove) exit 3;;");
  const MatchResult lost = Match(crashes, "random", 6);
  EXPECT_EQ(lost.games, 6);
  EXPECT_EQ(lost.losses, 6);
  EXPECT_EQ(Reasons(lost).at("crash"), 6);
  const MatchResult won = Match("random", crashes, 4);
  EXPECT_EQ(won.wins, 4);
  for (const PlayedGame& game : won.played) {
    ASSERT_TRUE(game.fault);
    EXPECT_FALSE(game.fault->of_a);
    EXPECT_FALSE(game.outcome.over());
  }
}

TEST_F(UhpPlayers, AMatchScoresAForeignEndAsAHalf) {
  const MatchResult result =
      Match(Answering(std::string(kNewGame) + "play) echo 'Base;WhiteWins;Black[1];wS1';;\n"),
            "random", 4);
  EXPECT_EQ(result.games, 4);
  EXPECT_EQ(result.draws, 4);
  EXPECT_EQ(result.foreign_ends, 4);
  EXPECT_EQ(result.score(), 0.5);
}

TEST_F(UhpPlayers, AnEngineThatCannotBeStartedAgainEndsTheMatch) {
  // Deletes itself when it is asked for a move.
  const std::string engine =
      Answering(std::string(kNewGame) + kPlay + "bestmove) rm \"$0\"; exit 1;;");
  MatchOptions options;
  options.games = 8;
  EXPECT_THROW((void)PlayMatch(*ParsePlayer(engine, 32), *ParsePlayer("random", 32), nullptr,
                               options, nullptr, stop_),
               Error);
}

}  // namespace
}  // namespace apiary::play
