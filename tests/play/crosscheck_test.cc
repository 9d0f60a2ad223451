#include "play/crosscheck.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/notation.h"
#include "tests/play/fake_engine.h"

namespace apiary::play {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// An engine that lists one move at each ply, so that its games are these moves whatever is drawn.
// The first difference is then at the first ply, and the game goes on. `end` is shell code that may
// change $state after the i-th move.
std::string Scripted(const std::string& end) {
  return "newgame) i=0; echo 'Base;NotStarted;White[1]';;\n"
         "validmoves) case $i in 0) m='wS1';; 1) m='bS1 wS1-';; 2) m='wQ -wS1';;\n"
         "  3) m='bQ bS1-';; 4|8) m='wQ \\wS1';; 5|9) m='bQ bS1/';; 6|10) m='wQ -wS1';;\n"
         "  7|11) m='bQ bS1-';; esac; printf '%s\\n' \"$m\";;\n"
         "play) i=$((i+1)); side=White; [ $((i%2)) = 1 ] && side=Black; state=InProgress; " +
         end + "\n  echo \"Base;$state;$side[$((1+i/2))];more\";;";
}

class Crosschecks : public FakeEngines {
 protected:
  base::Result<CrosscheckResult> Run(const std::string& engine) {
    options_.variants = {env::Variant{}};
    options_.games = 1;
    options_.play.rules.repetition = 0;
    const auto spec = ParseUhpSpec(engine);
    if (!spec) return spec.failure();
    const base::StopToken stop;
    return Crosscheck(*spec, options_, nullptr, stop);
  }

  CrosscheckOptions options_;
};

TEST_F(Crosschecks, ADrawByForeignRepetitionIsCountedApart) {
  const auto result = Run(Answering(Scripted("[ $i = 8 ] && state=Draw")));
  ASSERT_TRUE(result.ok()) << result.error();
  ASSERT_FALSE(result->failure) << result->failure->message;
  EXPECT_EQ(result->engine, "Fake 1.0");
  const CrosscheckCounts total = result->total();
  EXPECT_EQ(total.games, 1);
  EXPECT_EQ(total.positions, 8);
  EXPECT_EQ(total.foreign_ends, 1);
  EXPECT_EQ(total.differences, 8);  // its lists
  ASSERT_TRUE(result->first.has_value());
  EXPECT_EQ(result->first->game_string, "Base;NotStarted;White[1]");
  EXPECT_THAT(result->first->only_ours, ElementsAre("wB1", "wG1", "wA1"));
  EXPECT_THAT(result->first->only_theirs, IsEmpty());
}

TEST_F(Crosschecks, ADrawWithoutRepetitionIsADifference) {
  const auto result = Run(Answering(Scripted("[ $i = 7 ] && state=Draw")));
  ASSERT_TRUE(result.ok()) << result.error();
  EXPECT_EQ(result->total().positions, 7);
  EXPECT_EQ(result->total().foreign_ends, 0);
  EXPECT_EQ(result->total().differences, 8);
}

TEST_F(Crosschecks, AWrongStateIsADifference) {
  for (const char* end : {"[ $i = 1 ] && state=WhiteWins", "[ $i = 1 ] && side=White"}) {
    const auto result = Run(Answering(Scripted(end)));
    ASSERT_TRUE(result.ok()) << result.error();
    EXPECT_EQ(result->total().positions, 1) << end;
    EXPECT_EQ(result->total().differences, 2) << end;
  }
}

TEST_F(Crosschecks, MovesAreComparedByPieceAndDestination) {
  // Another order, two spellings of one move, text that is no move, a move that is not legal.
  const auto result =
      Run(Answering("newgame) echo 'Base;NotStarted;White[1]';;\n"
                    "validmoves) echo 'wG1;wB1;wa1;wS1;wA1;nonsense;wQ';;\n"
                    "play) echo 'invalidmove no';;"));
  ASSERT_TRUE(result.ok()) << result.error();
  EXPECT_EQ(result->total().positions, 1);
  EXPECT_EQ(result->total().moves, 4);
  EXPECT_EQ(result->total().duplicates, 1);
  EXPECT_EQ(result->total().differences, 2);  // the list, and the refused move
  EXPECT_THAT(result->first->only_ours, IsEmpty());
  EXPECT_THAT(result->first->only_theirs,
              ElementsAre(StartsWith("'nonsense': unknown piece"), StartsWith("'wQ': not legal")));
}

TEST_F(Crosschecks, RefusalsAreDifferences) {
  const auto no_game = Run(Answering("newgame) echo 'err not today';;"));
  ASSERT_TRUE(no_game.ok()) << no_game.error();
  EXPECT_EQ(no_game->total().differences, 1);
  EXPECT_THAT(no_game->first->what, HasSubstr("refuses 'newgame Base': not today"));
  const auto no_list =
      Run(Answering("newgame) echo 'Base;NotStarted;White[1]';;\nvalidmoves) echo err;;"));
  ASSERT_TRUE(no_list.ok()) << no_list.error();
  EXPECT_THAT(no_list->first->what, HasSubstr("refuses 'validmoves'"));
}

TEST_F(Crosschecks, AnEngineThatBreaksLeavesWhatWasCounted) {
  const auto crash = Run(Answering(Scripted("[ $i = 2 ] && exit 9")));
  ASSERT_TRUE(crash.ok()) << crash.error();
  ASSERT_TRUE(crash->failure.has_value());
  EXPECT_THAT(crash->failure->message, HasSubstr("ended with exit code 9"));
  EXPECT_THAT(crash->failure->message, HasSubstr("Base;InProgress;White[2];wS1;bS1 wS1-"));
  const auto silent = Run(Answering("newgame) ;;"));
  ASSERT_TRUE(silent.ok()) << silent.error();
  ASSERT_TRUE(silent->failure.has_value());
  EXPECT_THAT(silent->failure->message, HasSubstr("answers 'newgame Base' without a GameString"));
}

TEST(ClimbWeight, PrefersClimbsAndThrows) {
  env::Rules rules;
  rules.repetition = 0;
  const auto weight = [&rules](const std::string& game, const std::string& move) {
    const auto parsed = env::ParseGameString(game, rules);
    EXPECT_TRUE(parsed.ok()) << parsed.error();
    const auto read = env::ParseMove(parsed->game, move);
    EXPECT_TRUE(read.ok()) << read.error();
    return ClimbWeight(parsed->game.board(), *read);
  };
  const std::string queens = "Base+P;InProgress;White[4];wP;bS1 wP-;wB1 -wP;bQ bS1-;wQ /wP;bA1 bQ-";
  EXPECT_EQ(weight("Base;NotStarted;White[1]", "wA1"), 1U);
  EXPECT_EQ(weight("Base;NotStarted;White[1]", "wB1"), 4U);
  EXPECT_EQ(weight(queens, "wB1 wP"), 12U);
  EXPECT_EQ(weight(queens, "wA1 -wB1"), 1U);
  EXPECT_EQ(weight(queens + ";wQ wP\\;bA1 /wP;wA1 -wB1;bG1 bQ-", "bA1 \\wP"), 12U);
}

}  // namespace
}  // namespace apiary::play
