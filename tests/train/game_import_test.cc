#include "train/game_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/env/rules_data.h"
#include "tests/train/foreign_texts.h"
#include "train/game_file.h"
#include "train/imported_game.h"

namespace apiary::train {
namespace {

// The rules of a run as the presets have them, the variant apart.
env::Rules RunRules() {
  env::Rules rules;
  rules.repetition = 3;
  rules.max_plies = 200;
  return rules;
}

struct Imported {
  std::vector<GameRecord> records;
  ImportReport report;
};

Imported Import(std::string_view text, const std::string& variant = "Base", bool keep = false) {
  Imported imported;
  GameImport import({RunRules(), variant, keep},
                    [&](GameRecord record) { imported.records.push_back(std::move(record)); });
  imported.report = import.Read(text);
  return imported;
}

int Skipped(const Imported& imported, SkipReason reason) {
  return imported.report.tally.skipped[static_cast<std::size_t>(reason)];
}

TEST(GameImport, HumanGamesSurviveUnchanged) {
  // The table names other neighbours as references than we write; State, Turn and moves are those
  // of the table.
  std::map<std::string, std::vector<std::string>> by_variant;
  for (const env::testing::Row& row : env::testing::ReadTable("human-games.tsv")) {
    const std::vector<std::string> fields = env::testing::Split(row[1], ';');
    const std::string strict = env::ToGameString(env::testing::Replay(row[1]));
    EXPECT_TRUE(strict.starts_with(fields[0] + ";" + fields[1] + ";" + fields[2] + ";"));
    by_variant[fields[0]].push_back(strict);
  }
  const std::string table = ReadTestFile("rules/human-games.tsv");
  std::size_t games = 0;
  for (const auto& [variant, expected] : by_variant) {
    const Imported imported = Import(table, variant, true);
    // As the learner reads them, from a file.
    const auto records = DecodeGames(EncodeGames(imported.records), "file");
    ASSERT_TRUE(records.ok()) << records.error();
    std::vector<std::string> strings;
    for (const GameRecord& record : *records) strings.push_back(GameStringOf(record));
    EXPECT_EQ(strings, expected) << variant;
    EXPECT_EQ(Skipped(imported, SkipReason::kOtherVariant),
              imported.report.tally.games - static_cast<int>(expected.size()));
    EXPECT_EQ(imported.report.tally.skipped_games(), Skipped(imported, SkipReason::kOtherVariant));
    games += strings.size();
  }
  EXPECT_EQ(games, 90U);
}

TEST(GameImport, GamesWithoutAResultAreSkippedUnlessWanted) {
  const std::string table = ReadTestFile("rules/human-games.tsv");
  const Imported with = Import(table, "Base", true);
  const Imported without = Import(table);
  EXPECT_EQ(Skipped(without, SkipReason::kNoResult), 3);
  EXPECT_EQ(without.report.tally.stored + 3, with.report.tally.stored);
  EXPECT_EQ(with.report.tally.without_result, 3);
  for (const GameRecord& record : without.records) EXPECT_TRUE(HasResult(record));
}

TEST(GameImport, TheTargetIsTheMovePlayed) {
  const Imported imported = Import(ReadTestFile("sgf/old-passes.sgf"));
  ASSERT_EQ(imported.records.size(), 1U);
  const GameRecord& record = imported.records[0];
  EXPECT_EQ(record.first_generation, 0);
  EXPECT_EQ(record.opening_plies, 0);
  EXPECT_EQ(record.outcome.result, env::Result::kBlackWins);
  EXPECT_EQ(record.outcome.reason, env::Reason::kSurround);
  EXPECT_EQ(record.rules.max_plies, 0);
  EXPECT_EQ(record.rules.repetition, 3);
  EXPECT_FALSE(record.cap_wdl.has_value());
  env::Game game(record.rules);
  for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
    const PositionRecord& position = record.positions[ply];
    ASSERT_TRUE(position.has_policy);
    EXPECT_FALSE(position.has_value);
    env::MoveList moves;
    game.LegalMoves(moves);
    const auto policy = record.Policy(position);
    ASSERT_EQ(static_cast<int>(policy.size()), moves.size());
    for (int i = 0; i < moves.size(); ++i)
      EXPECT_EQ(policy[static_cast<std::size_t>(i)],
                moves[i] == record.moves[ply] ? kProbabilityUnit : 0U);
    game.Apply(record.moves[ply]);
  }
}

TEST(GameImport, AnAgreedEndIsACapWithACertainValue) {
  const Imported resigned = Import(ReadTestFile("sgf/new-resignation.sgf"), "Base+MLP");
  ASSERT_EQ(resigned.records.size(), 1U);
  const auto read = DecodeGames(EncodeGames(resigned.records), "file");
  ASSERT_TRUE(read.ok()) << read.error();
  const GameRecord& record = (*read)[0];
  EXPECT_EQ(record.outcome.result, env::Result::kUnfinished);
  EXPECT_EQ(record.rules.max_plies, 40);
  // White was to move and had resigned.
  ASSERT_TRUE(record.cap_wdl.has_value());
  EXPECT_EQ(record.cap_wdl->loss, 1);
  EXPECT_EQ(AgreedResult(record), env::Result::kBlackWins);
  EXPECT_TRUE(GameStringOf(record).starts_with("Base+MLP;BlackWins;White[21];wA1;"));
  EXPECT_EQ(resigned.report.tally.agreed, 1);

  const Imported drawn = Import("Base;Draw;Black[1];wS1\n");
  ASSERT_EQ(drawn.records.size(), 1U);
  EXPECT_EQ(drawn.records[0].cap_wdl->draw, 1);
  EXPECT_EQ(GameStringOf(drawn.records[0]), "Base;Draw;Black[1];wS1");
  // The side to move has won: the other one gave up.
  const Imported won = Import("Base;BlackWins;Black[1];wS1\n");
  ASSERT_EQ(won.records.size(), 1U);
  EXPECT_EQ(won.records[0].cap_wdl->win, 1);
}

// Both queens step to and fro: the position of ply 4 comes back at plies 8 and 12.
const std::string kShuffle =
    "wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wQ \\wS1;bQ bS1/;wQ -wS1;bQ bS1-;wQ \\wS1;bQ bS1/;wQ -wS1;bQ "
    "bS1-";

TEST(GameImport, RepetitionDrawsOnlyWhereThePlayersStoppedForIt) {
  const Imported drawn = Import("Base;Draw;White[7];" + kShuffle + "\n");
  ASSERT_EQ(drawn.records.size(), 1U);
  EXPECT_EQ(drawn.records[0].outcome.reason, env::Reason::kRepetition);
  const Imported went_on = Import("Base;WhiteWins;White[8];" + kShuffle + ";wA1 -wQ;bA1 bQ-\n");
  ASSERT_EQ(went_on.records.size(), 1U);
  EXPECT_EQ(went_on.records[0].rules.repetition, 0);
  EXPECT_EQ(went_on.records[0].moves.size(), 14U);
  EXPECT_EQ(AgreedResult(went_on.records[0]), env::Result::kWhiteWins);
  ASSERT_TRUE(DecodeGames(EncodeGames(went_on.records), "file").ok());
}

TEST(GameImport, AnOpeningWithTheQueenKeepsItsRule) {
  const Imported imported = Import("Base;WhiteWins;White[2];wQ;bS1 wQ-\n");
  ASSERT_EQ(imported.records.size(), 1U);
  EXPECT_TRUE(imported.records[0].rules.queen_first_turn);
  ASSERT_TRUE(DecodeGames(EncodeGames(imported.records), "file").ok());
}

TEST(GameImport, BlackMayBegin) {
  const Imported imported = Import("Base;BlackWins;White[1];bS1\n");
  ASSERT_EQ(imported.records.size(), 1U);
  EXPECT_EQ(imported.records[0].rules.first_player, env::Color::kBlack);
  EXPECT_EQ(AgreedResult(imported.records[0]), env::Result::kBlackWins);
  EXPECT_EQ(GameStringOf(imported.records[0]), "Base;BlackWins;White[1];bS1");
}

TEST(GameImport, TheSameGameIsTakenOnce) {
  const std::string game = "Base;WhiteWins;White[2];wS1;bS1 wS1-\n";
  std::vector<GameRecord> records;
  GameImport import({RunRules(), "Base", false},
                    [&](GameRecord record) { records.push_back(record); });
  EXPECT_EQ(import.Read(game + game).tally.stored, 1);
  // In another notation, and out of number order.
  const ImportReport again =
      import.Read("[GameType \"Base\"]\n[Result \"1-0\"]\n\n1. wS2 2. bS2 wS2-\n");
  EXPECT_EQ(again.tally.stored, 0);
  EXPECT_EQ(again.tally.duplicates(), 1);
  EXPECT_EQ(records.size(), 1U);
  GameImport later({RunRules(), "Base", false}, [](const GameRecord&) { FAIL(); });
  later.Know(records[0]);
  EXPECT_EQ(later.Read(game).tally.duplicates(), 1);
}

TEST(GameImport, GamesOfOtherVariantsAreSkippedByName) {
  const Imported imported = Import("Base+M;WhiteWins;White[2];wS1;bS1 wS1-\n");
  EXPECT_TRUE(imported.records.empty());
  ASSERT_EQ(imported.report.skipped.size(), 1U);
  EXPECT_EQ(imported.report.skipped[0].reason, SkipReason::kOtherVariant);
  EXPECT_EQ(imported.report.skipped[0].why, "a game of Base+M, the run is of Base");
}

TEST(GameImport, ARunOfAllVariantsTakesEveryGame) {
  const Imported imported =
      Import("Base+M;InProgress;White[2];wS1;bS1 wS1-\nBase;InProgress;White[2];wS1;bS1 wS1-\n",
             std::string(env::kAllVariants), true);
  ASSERT_EQ(imported.records.size(), 2U);
  EXPECT_EQ(env::ToString(imported.records[0].rules.variant), "Base+M");
  EXPECT_EQ(env::ToString(imported.records[1].rules.variant), "Base");
}

TEST(GameImport, FilesStaySmall) {
  const Imported imported = Import(ReadTestFile("rules/human-games.tsv"));
  const std::size_t bytes = EncodeGames(imported.records).size();
  EXPECT_LE(bytes, 300 * static_cast<std::size_t>(imported.report.tally.positions));
}

}  // namespace
}  // namespace apiary::train
