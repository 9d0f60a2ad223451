#include "play/match_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files.h"

namespace apiary::play {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class MatchRecords : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = ::testing::TempDir() + "apiary_record_XXXXXX";
    ASSERT_NE(::mkdtemp(path_.data()), nullptr);
    options_.games = 12;
    options_.rules.max_plies = 60;
    options_.seed = 5;
  }
  void TearDown() override { std::filesystem::remove_all(path_); }

  std::string file() const { return path_ + "/games.jsonl"; }
  base::Result<std::unique_ptr<MatchRecord>> Open(const MatchOptions& options,
                                                  const char* b = "random") const {
    return MatchRecord::Open(file(), *ParsePlayer("crowd", 32), *ParsePlayer(b, 32), options);
  }
  std::string OpenError(const MatchOptions& options, const char* b = "random") const {
    auto record = Open(options, b);
    return record ? "" : record.error();
  }
  // Plays with the record; how many games were played anew goes to `fresh`.
  MatchResult Play(MatchOptions options, int* fresh = nullptr) const {
    auto record = Open(options);
    EXPECT_TRUE(record.ok()) << (record.ok() ? "" : record.error());
    options.record = record->get();
    options.on_game = [fresh](const PlayedGame&) {
      if (fresh != nullptr) ++*fresh;
    };
    const base::StopToken stop;
    auto result = PlayMatch(*ParsePlayer("crowd", 32), *ParsePlayer("random", 32), nullptr, options,
                            nullptr, stop);
    EXPECT_TRUE(result.ok());
    return *result;
  }
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    std::ifstream in(file());
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
  void Write(const std::string& text) const { std::ofstream(file()) << text; }
  std::string Text() const { return *base::ReadFile(file()); }

  std::string path_;
  MatchOptions options_;
};

void ExpectSame(const MatchResult& one, const MatchResult& two) {
  ASSERT_EQ(one.played.size(), two.played.size());
  for (std::size_t i = 0; i < one.played.size(); ++i) {
    EXPECT_EQ(one.played[i].game_string, two.played[i].game_string);
    EXPECT_EQ(one.played[i].a_is_first, two.played[i].a_is_first);
    EXPECT_EQ(one.played[i].outcome, two.played[i].outcome);
    EXPECT_EQ(one.played[i].plies, two.played[i].plies);
  }
  EXPECT_EQ(one.wins, two.wins);
  EXPECT_EQ(one.draws, two.draws);
  EXPECT_EQ(one.losses, two.losses);
  EXPECT_EQ(one.capped, two.capped);
}

TEST_F(MatchRecords, KeepsEveryGame) {
  const MatchResult result = Play(options_);
  const std::vector<std::string> lines = Lines();
  ASSERT_EQ(lines.size(), 13U);
  EXPECT_EQ(nlohmann::json::parse(lines[0]).at("format"), "apiary-match-1");
  double points = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto game = nlohmann::json::parse(lines[i]);
    for (const char* key : {"pair", "white", "points_a", "reason", "plies", "game"})
      EXPECT_TRUE(game.contains(key)) << key;
    points += game.at("points_a").get<double>();
  }
  EXPECT_DOUBLE_EQ(points / 12, result.score());
}

TEST_F(MatchRecords, AResumedMatchPlaysOnlyWhatIsMissing) {
  const MatchResult whole = Play(options_);
  const std::vector<std::string> lines = Lines();
  std::string half;
  for (std::size_t i = 0; i < 7; ++i) half += lines[i] + "\n";
  Write(half);
  int fresh = 0;
  ExpectSame(Play(options_, &fresh), whole);
  EXPECT_EQ(fresh, 6);
  EXPECT_EQ(Lines().size(), 13U);
  fresh = 0;
  ExpectSame(Play(options_, &fresh), whole);
  EXPECT_EQ(fresh, 0);
  // More games of the same match.
  options_.games = 16;
  const MatchResult more = Play(options_, &fresh);
  EXPECT_EQ(more.games, 16);
  EXPECT_EQ(fresh, 4);
  std::filesystem::remove(file());
  ExpectSame(Play(options_), more);
}

TEST_F(MatchRecords, ATornLastLineIsPlayedAgain) {
  const MatchResult whole = Play(options_);
  const std::string text = Text();
  for (const std::size_t cut : {std::size_t{1}, std::size_t{40}, text.size() - 30}) {
    Write(text.substr(0, text.size() - cut));
    {
      auto record = Open(options_);
      ASSERT_TRUE(record.ok()) << record.error();
      EXPECT_GT((*record)->torn_bytes(), 0U);
    }
    ExpectSame(Play(options_), whole);
  }
}

// A full disk may let one line of two through.
TEST_F(MatchRecords, APairOfWhichOneGameIsThereIsPlayedAgain) {
  const MatchResult whole = Play(options_);
  const std::string text = Text();
  const std::size_t last_line = text.rfind('\n', text.size() - 2) + 1;
  for (const std::size_t end : {last_line, last_line + 9}) {
    Write(text.substr(0, end));
    int fresh = 0;
    ExpectSame(Play(options_, &fresh), whole);
    EXPECT_EQ(fresh, 2);
    EXPECT_EQ(Lines().size(), 13U);
    fresh = 0;
    ExpectSame(Play(options_, &fresh), whole);
    EXPECT_EQ(fresh, 0);
  }
}

TEST_F(MatchRecords, ATestGoesOnAsIfItHadNotStopped) {
  options_.games = 400;
  options_.sprt = SprtHypotheses{0, 150};
  const MatchResult whole = Play(options_);
  ASSERT_NE(whole.sprt->decision, SprtDecision::kRunning);
  const std::vector<std::string> lines = Lines();
  Write(lines[0] + "\n" + lines[1] + "\n" + lines[2] + "\n" + lines[3] + "\n" + lines[4] + "\n");
  const MatchResult resumed = Play(options_);
  ExpectSame(resumed, whole);
  EXPECT_EQ(resumed.sprt->llr, whole.sprt->llr);
}

TEST_F(MatchRecords, AnotherMatchIsRefused) {
  Play(options_);
  const std::string before = Text();
  EXPECT_THAT(OpenError(options_, "gen0"),
              AllOf(HasSubstr("another match"), HasSubstr("b is \"random\" there"),
                    HasSubstr("\"gen0\" here")));
  MatchOptions other = options_;
  other.seed = 6;
  EXPECT_THAT(OpenError(other), HasSubstr("seed is 5 there and 6 here"));
  other = options_;
  other.rules.variant.mosquito = true;
  EXPECT_THAT(OpenError(other), HasSubstr("variant is \"Base\" there and \"Base+M\" here"));
  other = options_;
  other.opening_plies = 6;
  EXPECT_THAT(OpenError(other), HasSubstr("openings is \"random:4\" there"));
  other = options_;
  other.sprt = SprtHypotheses{0, 5};
  EXPECT_THAT(OpenError(other), HasSubstr("sprt is null there and [0.0,5.0] here"));
  EXPECT_EQ(Text(), before);
}

TEST_F(MatchRecords, WhatIsNoRecordIsRefusedAndLeftAlone) {
  for (const char* text : {"hello\n", "hello", "{\"format\":\"other\"}\n", "\n", "[1]\n"}) {
    Write(text);
    EXPECT_THAT(OpenError(options_), HasSubstr("not the record of a match")) << text;
    EXPECT_EQ(Text(), text);
  }
  EXPECT_THAT(
      MatchRecord::Open(path_, *ParsePlayer("crowd", 32), *ParsePlayer("random", 32), options_)
          .error(),
      HasSubstr("cannot open"));
}

TEST_F(MatchRecords, AWrongLineIsNamed) {
  Play(options_);
  const std::vector<std::string> lines = Lines();
  const auto with = [&](const std::string& line) {
    Write(lines[0] + "\n" + lines[1] + "\n" + line + "\n");
    return OpenError(options_);
  };
  EXPECT_THAT(with("nonsense"), HasSubstr("line 3: it is not a JSON object"));
  EXPECT_THAT(with(lines[1]),
              AllOf(HasSubstr("line 3: pair "), HasSubstr("has this game already")));
  EXPECT_THAT(with(lines[3]), HasSubstr("line 3: the other game of the pair before is missing"));
  auto game = nlohmann::json::parse(lines[2]);
  game["game"] = "Base;InProgress;Black[1];wS9";
  EXPECT_THAT(with(game.dump()), HasSubstr("line 3: game: "));
  game = nlohmann::json::parse(lines[2]);
  game["reason"] = "repetition";
  game["game"] = nlohmann::json::parse(lines[1])["game"];
  ASSERT_NE(nlohmann::json::parse(lines[1])["reason"], "repetition");
  EXPECT_THAT(with(game.dump()), HasSubstr("line 3: reason is \"repetition\", but"));
  game = nlohmann::json::parse(lines[2]);
  game["white"] = "c";
  EXPECT_THAT(with(game.dump()), HasSubstr("line 3: expected pair and attempt"));
}

TEST_F(MatchRecords, OneMatchAtATime) {
  auto first = Open(options_);
  ASSERT_TRUE(first.ok());
  EXPECT_THAT(OpenError(options_), HasSubstr("another program is adding to this file"));
}

TEST_F(MatchRecords, FaultsSurvive) {
  {
    auto record = Open(options_);
    ASSERT_TRUE(record.ok());
    PlayedGame game;
    game.game_string = "Base;InProgress;Black[1];wS1";
    game.plies = 1;
    game.fault = PlayedGame::FaultOfPlayer{FaultKind::kTimeout, true, "too \xff slow"};
    PlayedGame other = game;
    other.a_is_first = false;
    other.fault->of_a = false;
    (*record)->Keep(std::vector<PlayedGame>{game, other});
  }
  auto record = Open(options_);
  ASSERT_TRUE(record.ok()) << record.error();
  std::vector<PlayedGame> games;
  ASSERT_TRUE((*record)->Find(0, 0, games));
  ASSERT_EQ(games.size(), 2U);
  EXPECT_EQ(games[0].fault->kind, FaultKind::kTimeout);
  EXPECT_TRUE(games[0].fault->of_a);
  EXPECT_FALSE(games[1].fault->of_a);
  EXPECT_FALSE((*record)->Find(1, 0, games));
}

}  // namespace
}  // namespace apiary::play
