#include "play/results_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/files.h"
#include "play/pair_games.h"
#include "tests/base/temporary_directory.h"

namespace apiary::play {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::string kSha(64, 'a');

PairRecord Sample() {
  PairRecord record;
  record.a = {"crowd", "", "", 0};
  record.b = {"runs/first;sims=8", "(sims=8)", kSha, 12};
  record.conditions = {"Base", 400, 4};
  record.seed = 18446744073709551615ULL;
  record.asked = 4;
  record.seconds = 1.5;
  record.games = {{true, 1, "surround", 31, "Base;WhiteWins;White[16];wS1"},
                  {false, 0.5, "cap", 400, "Base;InProgress;White[201];wS1"}};
  return record;
}

void ExpectSample(const PairRecord& record) {
  EXPECT_EQ(record.a.key(), "crowd");
  EXPECT_EQ(record.b.text, "runs/first;sims=8");
  EXPECT_EQ(record.b.key(), kSha + " (sims=8)");
  EXPECT_EQ(record.b.generation, 12);
  EXPECT_EQ(record.conditions, (RatingConditions{"Base", 400, 4}));
  EXPECT_EQ(record.seed, 18446744073709551615ULL);
  EXPECT_EQ(record.asked, 4);
  EXPECT_EQ(record.seconds, 1.5);
  ASSERT_EQ(record.games.size(), 2U);
  EXPECT_TRUE(record.games[0].a_is_first);
  EXPECT_EQ(record.games[0].points_a, 1);
  EXPECT_EQ(record.games[1].points_a, 0.5);
  EXPECT_EQ(record.games[1].reason, "cap");
  EXPECT_EQ(record.games[1].plies, 400);
  EXPECT_EQ(record.games[1].game, "Base;InProgress;White[201];wS1");
}

class ResultsFileTest : public testing::Test {
 protected:
  std::string path() const { return directory_ / "results.jsonl"; }
  void Write(const std::string& text) const { std::ofstream(path(), std::ios::binary) << text; }
  std::string Text() const { return *base::ReadFile(path()); }

  base::TemporaryDirectory directory_;
};

TEST_F(ResultsFileTest, AppendsLinesThatAreReadBack) {
  {
    auto file = ResultsFile::Open(path());
    ASSERT_TRUE(file) << file.error();
    EXPECT_THAT(file->records(), IsEmpty());
    file->Append(Sample());
    file->Append(Sample());
  }
  const auto file = ResultsFile::Open(path());
  ASSERT_TRUE(file) << file.error();
  ASSERT_EQ(file->records().size(), 2U);
  ExpectSample(file->records()[0]);
  ExpectSample(file->records()[1]);
}

// Cut anywhere, the whole lines before the cut are there, and the next one follows them.
TEST_F(ResultsFileTest, ALastLineTornAnywhereIsCutOff) {
  const std::string line = ToJsonLine(Sample()) + "\n";
  for (std::size_t cut = 0; cut < line.size(); cut += cut < 40 ? 1 : 37) {
    Write(line + line.substr(0, cut));
    {
      auto file = ResultsFile::Open(path());
      ASSERT_TRUE(file) << cut << ": " << file.error();
      ASSERT_EQ(file->records().size(), 1U);
      EXPECT_EQ(Text(), line) << cut;
      file->Append(Sample());
    }
    EXPECT_EQ(Text(), line + line);
  }
}

TEST_F(ResultsFileTest, ForeignFilesAreNamedWithTheirLine) {
  const std::string line = ToJsonLine(Sample()) + "\n";
  const auto expect = [&](const std::string& text, const std::string& part) {
    Write(text);
    const auto file = ResultsFile::Open(path());
    ASSERT_FALSE(file) << text;
    EXPECT_THAT(file.error(), StartsWith(path() + ": line "));
    EXPECT_THAT(file.error(), HasSubstr(part));
    EXPECT_EQ(Text(), text);  // untouched
  };
  expect("no results", "line 1: not a line of a results file");
  expect("no results\n", "line 1: not a line of a results file");
  expect(line + "\n" + line, "line 2: not a line of a results file");
  expect(line + "{\"format\":\"apiary-metrics-1\"}\n", "line 2: not a line");
  expect(line + "{\"format\":\"apiary-rate-2\"", "line 2: not a line");
  expect(line + line.substr(0, 200) + "\n", "line 2: not a line");
  expect("[1]\n", "line 1");
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = line;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  expect(replaced("\"seed\":18446744073709551615", "\"seed\":-1"), "'seed' is not a whole number");
  expect(replaced("\"asked\":4", "\"asked\":4.5"), "'asked' is not a whole number");
  expect(replaced("\"asked\":4", "\"asked\":-4"), "'asked' is not a whole number from 0");
  expect(replaced("\"variant\"", "\"variety\""), "'variant' is not a text");
  expect(replaced("\"points_a\":0.5", "\"points_a\":0.7"), "of game 2, 'points_a' is not 0, 0.5");
  expect(replaced("\"a_first\":true", "\"a_first\":1"), "of game 1, 'a_first' is not true or");
  expect(replaced("\"games\":[", "\"games\":0,\"g\":["), "'games' is not a list");
  expect(replaced("\"games\":[", "\"games\":[7,"), "of game 1, ");
  expect(replaced("\"player\":\"crowd\"", "\"player\":7"), "of a, 'player' is not a text");
  expect(replaced("\"a\":{", "\"c\":{"), "of a, 'player' is not a text");
  expect(replaced(kSha, "abc"), "of b, 'sha256' is not 64 hexadecimal digits");
}

TEST_F(ResultsFileTest, ASecondWriterIsRefused) {
  const auto first = ResultsFile::Open(path());
  ASSERT_TRUE(first);
  const auto second = ResultsFile::Open(path());
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error(), HasSubstr("another program is adding to this file"));
}

TEST_F(ResultsFileTest, AFolderOrNoFolderIsSaid) {
  EXPECT_THAT(ResultsFile::Open(directory_.path()).error(), HasSubstr("cannot open"));
  EXPECT_THAT(ResultsFile::Open(directory_ / "no/file").error(), HasSubstr("No such file"));
}

const std::vector<RatedPlayer> kPlayers = {
    {"random", "", "", 0}, {"crowd", "", "", 0}, {"elsewhere;sims=8", "(sims=8)", kSha, 12}};

TEST(PairGamesTest, OnlyWhatIsMissingIsPlayed) {
  const std::vector<PairRecord> records = {Sample()};  // four games of crowd and the net
  const RatingConditions conditions = Sample().conditions;
  const std::vector<std::pair<std::size_t, std::size_t>> wanted = {{0, 1}, {1, 2}, {2, 0}};
  const auto all = MissingPairs(kPlayers, wanted, 10, records, conditions);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].games, 10);
  EXPECT_EQ(all[1].games, 6);
  EXPECT_THAT(all[1].known, ElementsAre(GameKey("crowd", Sample().games[0].game),
                                        GameKey(kSha + " (sims=8)", Sample().games[1].game)));
  const auto rest = MissingPairs(kPlayers, wanted, 4, records, conditions);
  ASSERT_EQ(rest.size(), 2U);
  EXPECT_EQ(rest[1].a, 2U);
  EXPECT_EQ(rest[1].b, 0U);
  const RatingConditions others = {"Base+M", 400, 4};
  EXPECT_EQ(MissingPairs(kPlayers, wanted, 4, records, others).size(), 3U);
}

TEST(PairGamesTest, ResultsAreCountedFromTheFirstMoversView) {
  PairRecord swapped = Sample();  // the net is A now
  std::swap(swapped.a, swapped.b);
  swapped.games = {{true, 0, "surround", 9, "x"}, {false, 0, "surround", 9, "y"}};
  PairRecord others = Sample();
  others.conditions.max_plies = 10;
  const std::vector<PairRecord> records = {Sample(), swapped, others};
  const auto results = CountResults(kPlayers, records, Sample().conditions);
  ASSERT_EQ(results.size(), 2U);
  // crowd first against the net: won once as A, once as B.
  EXPECT_EQ(results[0].first, 1U);
  EXPECT_EQ(results[0].second, 2U);
  EXPECT_EQ(results[0].wins, 2);
  EXPECT_EQ(results[0].draws + results[0].losses, 0);
  // The net first: a draw, and a loss.
  EXPECT_EQ(results[1].first, 2U);
  EXPECT_EQ(results[1].wins, 0);
  EXPECT_EQ(results[1].draws, 1);
  EXPECT_EQ(results[1].losses, 1);
}

class PlayPairsTest : public testing::Test {
 protected:
  PlayPairsTest() {
    for (const char* text : {"random", "crowd", "gen0"}) {
      specs_.push_back(*ParsePlayer(text, 1));
      players_.push_back(RatedPlayerOf(specs_.back()));
    }
    match_.rules.max_plies = 60;
    match_.seed = 5;
  }
  std::vector<PairRecord> Play(const std::vector<PairToPlay>& pairs, int threads,
                               int stop_after = -1) {
    std::vector<PairRecord> records;
    base::StopToken stop;
    match_.threads = threads;
    const auto done = [&](const PairRecord& record) {
      records.push_back(record);
      if (static_cast<int>(records.size()) == stop_after) stop.Request();
    };
    const auto progress = [&](const PairsProgress& p) { last_ = p; };
    const auto played = PlayPairs(specs_, pairs, nullptr, match_, done, progress, stop);
    EXPECT_TRUE(played) << played.error();
    return records;
  }

  std::vector<PlayerSpec> specs_;
  std::vector<RatedPlayer> players_;
  MatchOptions match_;
  PairsProgress last_;
  const std::vector<std::pair<std::size_t, std::size_t>> wanted_ = {{0, 1}, {0, 2}, {1, 2}};
  const RatingConditions conditions_ = {"Base", 60, 4};
};

std::set<std::string> GamesOf(const std::vector<PairRecord>& records) {
  std::set<std::string> games;
  for (const PairRecord& record : records) {
    for (const RatedGame& game : record.games)
      games.insert(GameKey((game.a_is_first ? record.a : record.b).key(), game.game));
  }
  return games;
}

TEST_F(PlayPairsTest, TheSameGamesWithAnyNumberOfThreads) {
  const auto pairs = MissingPairs(players_, wanted_, 4, {}, conditions_);
  const auto one = Play(pairs, 1);
  ASSERT_EQ(one.size(), 3U);
  EXPECT_EQ(last_.finished_games, 12);
  EXPECT_EQ(last_.games, 12);
  EXPECT_EQ(one[0].conditions, conditions_);
  const auto many = Play(pairs, 8);  // more than one pair can use: pairs at once
  EXPECT_EQ(GamesOf(one), GamesOf(many));
  EXPECT_EQ(GamesOf(one).size(), 12U);
  EXPECT_TRUE(MissingPairs(players_, wanted_, 4, many, conditions_).empty());
}

TEST_F(PlayPairsTest, AStoppedRunGoesOnWhereItWas) {
  const auto pairs = MissingPairs(players_, wanted_, 4, {}, conditions_);
  const auto whole = Play(pairs, 1);
  auto records = Play(pairs, 1, 1);
  ASSERT_EQ(records.size(), 1U);
  for (const PairRecord& record : Play(MissingPairs(players_, wanted_, 4, records, conditions_), 1))
    records.push_back(record);
  EXPECT_EQ(GamesOf(records), GamesOf(whole));
}

TEST_F(PlayPairsTest, MoreGamesOfAPairAreNewGames) {
  auto records = Play(MissingPairs(players_, wanted_, 4, {}, conditions_), 2);
  for (const PairRecord& record :
       Play(MissingPairs(players_, wanted_, 10, records, conditions_), 2)) {
    EXPECT_EQ(record.asked, 6);
    records.push_back(record);
  }
  EXPECT_EQ(GamesOf(records).size(), 30U);
}

TEST_F(PlayPairsTest, KnownGamesAreNotCountedAgain) {
  auto pairs =
      MissingPairs(players_, std::vector(wanted_.begin(), wanted_.begin() + 1), 4, {}, conditions_);
  const auto first = Play(pairs, 1);
  // The same seed as before, as if the games were known, but the first opening's are.
  PairToPlay again = pairs[0];
  const auto seed_of_none = first[0].seed;
  again.known = {"crowd|x", "crowd|y"};
  const auto fresh = Play({again}, 1);
  EXPECT_NE(fresh[0].seed, seed_of_none);
  EXPECT_EQ(fresh[0].games.size(), 4U);
  // Two known texts again, one of them a game that this seed gives: its pair of games is left out.
  again.known = {GameKey((fresh[0].games[0].a_is_first ? fresh[0].a : fresh[0].b).key(),
                         fresh[0].games[0].game),
                 "crowd|y"};
  const auto less = Play({again}, 1);
  EXPECT_EQ(less[0].seed, fresh[0].seed);
  EXPECT_EQ(less[0].asked, 4);
  EXPECT_EQ(less[0].games.size(), 2U);
}

}  // namespace
}  // namespace apiary::play
