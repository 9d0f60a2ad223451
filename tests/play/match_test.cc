#include "play/match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "env/notation.h"
#include "nn/fake_evaluator.h"
#include "play/match_games.h"

namespace apiary::play {
namespace {

using ::testing::HasSubstr;

PlayerSpec Spec(const std::string& text) {
  if (text == "fake") {
    PlayerSpec spec;
    spec.text = text;
    spec.kind = "model";
    spec.weights_path = text;
    spec.simulations = 4;
    return spec;
  }
  auto spec = ParsePlayer(text, 32);
  EXPECT_TRUE(spec.ok());
  return *spec;
}

base::Result<std::unique_ptr<nn::Evaluator>> MakeFake(const std::string&) {
  return std::unique_ptr<nn::Evaluator>(std::make_unique<nn::FakeEvaluator>());
}

MatchOptions Options(int games) {
  MatchOptions options;
  options.rules.max_plies = 400;
  options.games = games;
  return options;
}

MatchResult Play(const std::string& a, const std::string& b, const MatchOptions& options) {
  const base::StopToken stop;
  auto result = PlayMatch(Spec(a), Spec(b), MakeFake, options, nullptr, stop);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error());
  return *result;
}

std::vector<std::string> GameStrings(const MatchResult& result) {
  std::vector<std::string> games;
  for (const PlayedGame& game : result.played) games.push_back(game.game_string);
  return games;
}

TEST(EstimateScore, IntervalComesFromTheSpreadOfPairs) {
  // Pair means 1, 0.5, 0.5, 0: mean 0.5, sample variance 1/6, standard error sqrt(1/24).
  const Estimate estimate = EstimateScore({2, 1, 1, 0});
  EXPECT_DOUBLE_EQ(estimate.score, 0.5);
  EXPECT_NEAR(estimate.score_low, 0.5 - 1.959964 * std::sqrt(1.0 / 24), 1e-6);
  EXPECT_NEAR(estimate.score_high, 0.5 + 1.959964 * std::sqrt(1.0 / 24), 1e-6);
  EXPECT_NEAR(estimate.elo, 0, 1e-9);
  EXPECT_NEAR(estimate.elo_low, -381.9, 0.1);  // 400 log10(0.099923 / 0.900077)
  EXPECT_NEAR(estimate.elo_high, 381.9, 0.1);
}

TEST(EstimateScore, ThreeQuartersAre190Elo) {
  EXPECT_NEAR(EstimateScore({1, 2}).elo, 190.848, 1e-3);  // 400 log10(3)
}

TEST(EstimateScore, WithoutSpreadIsWilsons) {
  const Estimate all_won = EstimateScore(std::vector<double>(100, 2.0));
  EXPECT_DOUBLE_EQ(all_won.score, 1);
  EXPECT_NEAR(all_won.score_low, 0.981154, 1e-5);  // 1 / (1 + 1.96^2 / 200)
  EXPECT_NEAR(all_won.score_high, 1, 1e-9);
  EXPECT_TRUE(std::isinf(all_won.elo));
  EXPECT_TRUE(std::isinf(all_won.elo_high));
  EXPECT_NEAR(all_won.elo_low, 686.6, 0.5);  // 400 log10(0.981154 / 0.018846)
  const Estimate all_shared = EstimateScore(std::vector<double>(50, 1.0));
  EXPECT_NEAR(all_shared.score_low, 0.40383, 1e-4);  // Wilson, 50 of 100
  EXPECT_NEAR(all_shared.score_high, 0.59617, 1e-4);
}

TEST(EstimateScore, LikelihoodOfSuperiority) {
  EXPECT_DOUBLE_EQ(EstimateScore({2, 1, 1, 0}).superiority, 0.5);
  // Pair means 1, 1, 0.5, 0.5: mean 0.75, standard error sqrt(1/12/4) = 0.1443; 0.25 of it is 1.732
  // errors above a half: 0.9584 of the normal distribution lie below.
  EXPECT_NEAR(EstimateScore({2, 2, 1, 1}).superiority, 0.9584, 1e-4);
  EXPECT_NEAR(EstimateScore({0, 0, 1, 1}).superiority, 1 - 0.9584, 1e-4);
  // Two pairs won: 4 / sqrt(4) = 2 errors.
  EXPECT_NEAR(EstimateScore({2, 2}).superiority, 0.97725, 1e-5);
  EXPECT_DOUBLE_EQ(EstimateScore({1, 1}).superiority, 0.5);
}

TEST(EstimateScore, OfNothingIsEverything) {
  const Estimate estimate = EstimateScore({});
  EXPECT_EQ(estimate.score_low, 0);
  EXPECT_EQ(estimate.score_high, 1);
  EXPECT_TRUE(std::isinf(estimate.elo_low));
}

PlayedGame Ended(int opening, bool a_is_first, env::Result result, env::Reason reason) {
  return {opening, a_is_first, "", 30, {result, reason}};
}

TEST(Match, CountsFromTheViewOfA) {
  MatchResult result;
  result.played = {Ended(0, true, env::Result::kWhiteWins, env::Reason::kSurround),   // A wins
                   Ended(0, false, env::Result::kWhiteWins, env::Reason::kSurround),  // A loses
                   Ended(1, true, env::Result::kDraw, env::Reason::kRepetition),
                   Ended(1, false, env::Result::kBlackWins, env::Reason::kSurround),  // A wins
                   Ended(2, true, env::Result::kUnfinished, env::Reason::kCap),
                   Ended(2, false, env::Result::kDraw, env::Reason::kBoth)};
  for (const PlayedGame& game : result.played) CountGame(game, result);
  EXPECT_EQ(result.games, 6);
  EXPECT_EQ(result.wins, 2);
  EXPECT_EQ(result.losses, 1);
  EXPECT_EQ(result.draws, 2);
  EXPECT_EQ(result.capped, 1);
  EXPECT_DOUBLE_EQ(result.score(), 3.5 / 6);
  // Pairs 1, 1.5, 1.
  EXPECT_DOUBLE_EQ(EstimateMatch(result).score, 3.5 / 6);
}

TEST(Match, CountsFaultsAndForeignEnds) {
  const auto faulty = [](int pair, bool a_is_first, FaultKind kind, bool of_a) {
    PlayedGame game = Ended(pair, a_is_first, env::Result::kInProgress, env::Reason::kNone);
    game.fault = PlayedGame::FaultOfPlayer{kind, of_a, "what"};
    return game;
  };
  MatchResult result;
  result.played = {faulty(0, true, FaultKind::kCrash, true),
                   faulty(0, false, FaultKind::kTimeout, false),
                   faulty(1, true, FaultKind::kForeignEnd, true),
                   faulty(1, false, FaultKind::kForeignEnd, false)};
  for (const PlayedGame& game : result.played) CountGame(game, result);
  EXPECT_EQ(result.wins, 1);
  EXPECT_EQ(result.losses, 1);
  EXPECT_EQ(result.draws, 2);
  EXPECT_EQ(result.foreign_ends, 2);
  EXPECT_EQ(Pentanomial(result.played, env::Color::kWhite), (PairCounts{0, 0, 2, 0, 0}));
  EXPECT_EQ(Reasons(result),
            (std::map<std::string, int>{{"crash", 1}, {"timeout", 1}, {"foreign_end", 2}}));
  const auto json = nlohmann::json::parse(MatchToJson(Spec("random"), Spec("gen0"), result));
  EXPECT_EQ(json.at("foreign_ends"), 2);
  EXPECT_EQ(json.at("a_faults").at("crash"), 1);
  EXPECT_EQ(json.at("b_faults").at("timeout"), 1);
  EXPECT_EQ(json.at("pentanomial"), (std::vector<int>{0, 0, 2, 0, 0}));
}

TEST(Match, CountsRightWhereBlackBegins) {
  MatchResult result;
  result.first_player = env::Color::kBlack;
  CountGame(Ended(0, true, env::Result::kBlackWins, env::Reason::kSurround), result);
  CountGame(Ended(0, false, env::Result::kBlackWins, env::Reason::kSurround), result);
  EXPECT_EQ(result.wins, 1);
  EXPECT_EQ(result.losses, 1);
}

TEST(Match, PairsShareAnOpeningWithColoursSwapped) {
  MatchOptions options = Options(20);
  options.opening_plies = 6;
  const MatchResult result = Play("random", "gen0", options);
  ASSERT_EQ(result.games, 20);
  ASSERT_EQ(result.wins + result.draws + result.losses + result.capped, 20);
  std::set<std::string> openings;
  for (std::size_t i = 0; i < result.played.size(); i += 2) {
    const PlayedGame& first = result.played[i];
    const PlayedGame& second = result.played[i + 1];
    EXPECT_EQ(first.opening, second.opening);
    EXPECT_TRUE(first.a_is_first);
    EXPECT_FALSE(second.a_is_first);
    auto opening = DrawOpening(options, {first.opening, 0});
    ASSERT_TRUE(opening.ok());
    ASSERT_EQ(opening->ply(), 6);
    for (const PlayedGame& game : {first, second}) {
      auto parsed = env::ParseGameString(game.game_string, options.rules);
      ASSERT_TRUE(parsed.ok()) << parsed.error();
      EXPECT_EQ(parsed->game.ply(), game.plies);
      EXPECT_EQ(parsed->game.outcome(), game.outcome);
      for (std::size_t ply = 0; ply < 6; ++ply)
        EXPECT_EQ(parsed->game.moves()[ply], opening->moves()[ply]);
    }
    openings.insert(env::ToGameString(*opening));
  }
  EXPECT_GT(openings.size(), 8U);
}

TEST(Match, SameSeedSameGamesWhateverTheThreads) {
  for (const char* a : {"crowd", "fake"}) {
    MatchOptions options = Options(12);
    options.rules.max_plies = 60;
    options.seed = 9;
    const std::vector<std::string> one = GameStrings(Play(a, "gen0", options));
    ASSERT_EQ(one.size(), 12U);
    options.threads = 2;
    EXPECT_EQ(GameStrings(Play(a, "gen0", options)), one);
    options.threads = 7;
    EXPECT_EQ(GameStrings(Play(a, "gen0", options)), one);
    options.seed = 10;
    EXPECT_NE(GameStrings(Play(a, "gen0", options)), one);
  }
}

TEST(Match, IdenticalGamesCountOnce) {
  // Two deterministic players without random openings can play one pair only.
  MatchOptions options = Options(8);
  options.opening_plies = 0;
  options.rules.max_plies = 20;
  const MatchResult result = Play("fake", "fake", options);
  EXPECT_EQ(result.games, 2);
  EXPECT_EQ(result.played.size(), 2U);
  // Three pairs repeat the first one, and again when they are replayed.
  EXPECT_EQ(result.duplicates, 12);
}

TEST(Match, ReplaysARepeatedPairFromANewOpening) {
  // One random ply: White has four first moves, so at most four different pairs; eight pairs find
  // them all.
  MatchOptions options = Options(16);
  options.opening_plies = 1;
  options.rules.max_plies = 12;
  const MatchResult result = Play("fake", "fake", options);
  EXPECT_EQ(result.games, 8);
  EXPECT_GT(result.duplicates, 0);
  const std::vector<std::string> games = GameStrings(result);
  std::map<std::string, int> times;
  for (const std::string& game : games) ++times[game];
  for (const auto& [game, count] : times) EXPECT_LE(count, 2) << game;  // once with each colour
}

TEST(Match, PlaysGivenOpeningsInOrder) {
  MatchOptions options = Options(6);
  options.opening_plies = 6;
  for (int pair = 0; pair < 3; ++pair) {
    auto opening = DrawOpening(options, {pair});
    ASSERT_TRUE(opening.ok());
    options.openings.push_back(*opening);
  }
  options.seed = 77;
  for (const int threads : {1, 3}) {
    options.threads = threads;
    const MatchResult result = Play("crowd", "gen0", options);
    ASSERT_EQ(result.games, 6);
    for (const PlayedGame& game : result.played) {
      auto parsed = env::ParseGameString(game.game_string, options.rules);
      ASSERT_TRUE(parsed.ok()) << parsed.error();
      const env::Game& opening = options.openings[static_cast<std::size_t>(game.opening)];
      for (std::size_t ply = 0; ply < 6; ++ply)
        EXPECT_EQ(parsed->game.moves()[ply], opening.moves()[ply]);
    }
  }
}

TEST(Match, ReplaysARepeatedPairFromTheNextGivenOpening) {
  MatchOptions options = Options(4);
  options.rules.max_plies = 20;
  options.opening_plies = 4;
  const auto first = DrawOpening(options, {0});
  const auto second = DrawOpening(options, {1});
  ASSERT_TRUE(first.ok() && second.ok());
  options.openings = {*first, *first, *second};
  const MatchResult result = Play("fake", "fake", options);
  EXPECT_EQ(result.games, 4);
  EXPECT_EQ(result.duplicates, 2);
  options.openings = {*first, *first};  // none is left
  EXPECT_EQ(Play("fake", "fake", options).games, 2);
}

TEST(Match, ATestEndsItWithTheSameGamesWhateverTheThreads) {
  MatchOptions options = Options(2000);
  options.sprt = SprtHypotheses{0, 100};
  const MatchResult one = Play("crowd", "random", options);
  ASSERT_TRUE(one.sprt);
  EXPECT_EQ(one.sprt->decision, SprtDecision::kH1);
  EXPECT_GE(one.sprt->llr, kSprtBound);
  EXPECT_LT(one.games, 100);  // 12 pairs of two wins are enough: 12 log(0.640065 / 0.5) = 2.96
  options.threads = 3;
  const MatchResult three = Play("crowd", "random", options);
  EXPECT_EQ(GameStrings(three), GameStrings(one));
  EXPECT_EQ(three.sprt->llr, one.sprt->llr);
  const MatchResult swapped = Play("random", "crowd", options);
  EXPECT_EQ(swapped.sprt->decision, SprtDecision::kH0);
  const auto json = nlohmann::json::parse(MatchToJson(Spec("random"), Spec("crowd"), swapped));
  EXPECT_EQ(json.at("sprt"), "H0");
  EXPECT_DOUBLE_EQ(json.at("llr"), swapped.sprt->llr);
}

TEST(Match, AnUndecidedTestRunsToTheEnd) {
  MatchOptions options = Options(10);
  options.sprt = SprtHypotheses{0, 5};
  const MatchResult result = Play("random", "random", options);
  EXPECT_EQ(result.games, 10);
  EXPECT_EQ(result.sprt->decision, SprtDecision::kRunning);
  EXPECT_FALSE(Play("random", "random", Options(2)).sprt);
}

TEST(Match, PlayersWithATimeFinishTheirGames) {
  MatchOptions options = Options(4);
  options.rules.max_plies = 12;
  PlayerSpec timed = Spec("fake");
  timed.seconds = 0.001;
  const base::StopToken stop;
  auto result = PlayMatch(timed, Spec("crowd"), MakeFake, options, nullptr, stop);
  ASSERT_TRUE(result.ok()) << result.error();
  EXPECT_EQ(result->games, 4);
}

TEST(Match, CrowdBeatsRandom) {
  const MatchResult result = Play("crowd", "random", Options(40));
  EXPECT_EQ(result.games, 40);
  EXPECT_GT(result.score(), 0.9);
  EXPECT_GT(EstimateMatch(result).score_low, 0.5);
}

TEST(Match, SkipsDecidedOpenings) {
  MatchOptions options = Options(4);
  options.opening_plies = 6;
  const auto first = DrawOpening(options, {0});
  ASSERT_TRUE(first.ok());
  env::Game over(options.rules);
  base::RandomStream random(1);
  env::MoveList moves;
  while (!over.outcome().over()) {
    over.LegalMoves(moves);
    over.Apply(ChooseRandom(moves, random));
  }
  options.openings = {over, *first};
  const MatchResult result = Play("random", "gen0", options);
  EXPECT_EQ(result.games, 2);
  EXPECT_EQ(result.skipped_openings, 1);
  options.openings = {over, over};
  const base::StopToken stop;
  auto none = PlayMatch(Spec("random"), Spec("gen0"), nullptr, options, nullptr, stop);
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.error(), HasSubstr("all 2 openings are won or lost already"));
}

TEST(Match, CountsTimeAndMoves) {
  MatchOptions options = Options(4);
  options.opening_plies = 6;
  const MatchResult result = Play("ab:1", "random", options);
  std::int64_t plies = 0;
  for (const PlayedGame& game : result.played) {
    EXPECT_EQ(game.moves_a + game.moves_b, game.plies - 6);
    EXPECT_LE(std::abs(game.moves_a - game.moves_b), 1);
    EXPECT_GT(game.seconds_a, 0);
    plies += game.plies - 6;
  }
  const TimeUsed used = SumTimes(result);
  EXPECT_EQ(used.moves_a + used.moves_b, plies);
}

TEST(Match, AlphaBetaBeatsCrowd) {
  const MatchResult result = Play("ab:2", "crowd", Options(20));
  EXPECT_GE(result.score(), 0.85);
}

TEST(Match, RefusesWhatCannotBePlayed) {
  const base::StopToken stop;
  auto odd = PlayMatch(Spec("random"), Spec("gen0"), nullptr, Options(7), nullptr, stop);
  ASSERT_FALSE(odd.ok());
  EXPECT_THAT(odd.error(), HasSubstr("even number"));
  MatchOptions few_openings = Options(8);
  few_openings.openings.resize(3, env::Game(few_openings.rules));
  auto too_few = PlayMatch(Spec("random"), Spec("gen0"), nullptr, few_openings, nullptr, stop);
  ASSERT_FALSE(too_few.ok());
  EXPECT_THAT(too_few.error(), HasSubstr("8 games need 4 openings"));
  EXPECT_THAT(too_few.error(), HasSubstr("only 3"));
  MatchOptions no_test = Options(2);
  no_test.sprt = SprtHypotheses{5, 5};
  auto no_difference = PlayMatch(Spec("random"), Spec("gen0"), nullptr, no_test, nullptr, stop);
  ASSERT_FALSE(no_difference.ok());
  EXPECT_THAT(no_difference.error(), HasSubstr("ELO0 < ELO1"));
  MatchOptions long_opening = Options(2);
  long_opening.opening_plies = 400;
  auto no_room = PlayMatch(Spec("random"), Spec("gen0"), nullptr, long_opening, nullptr, stop);
  ASSERT_FALSE(no_room.ok());
  EXPECT_THAT(no_room.error(), HasSubstr("400 plies"));
  auto no_net = PlayMatch(Spec("random"), Spec("fake"), nullptr, Options(2), nullptr, stop);
  ASSERT_FALSE(no_net.ok());
  EXPECT_THAT(no_net.error(), HasSubstr("no evaluator"));
}

TEST(Match, PassesOnWhatAThreadThrows) {
  const base::StopToken stop;
  const nn::EvaluatorFactory throws =
      [](const std::string&) -> base::Result<std::unique_ptr<nn::Evaluator>> {
    throw Error("the device is gone", 5);
  };
  EXPECT_THROW((void)PlayMatch(Spec("random"), Spec("fake"), throws, Options(8), nullptr, stop),
               Error);
}

TEST(Match, StopsOnRequest) {
  base::StopToken stop;
  MatchOptions options = Options(100'000);
  int reports = 0;
  auto result = PlayMatch(
      Spec("random"), Spec("random"), nullptr, options,
      [&](const MatchProgress& progress) {
        ++reports;
        EXPECT_EQ(progress.games, 100'000);
        stop.Request();
      },
      stop);
  ASSERT_TRUE(result.ok());
  EXPECT_GT(reports, 0);
  EXPECT_LT(result->games, 100'000);
  EXPECT_EQ(result->games % 2, 0);
}

TEST(Match, JsonHasTheContractsKeys) {
  const MatchResult result = Play("gen0", "random", Options(4));
  const auto json = nlohmann::json::parse(MatchToJson(Spec("gen0"), Spec("random"), result));
  EXPECT_EQ(json.at("games"), 4);
  EXPECT_EQ(json.at("wins"), result.wins);
  EXPECT_EQ(json.at("draws"), result.draws);
  EXPECT_EQ(json.at("losses"), result.losses);
  EXPECT_EQ(json.at("capped"), result.capped);
  EXPECT_EQ(json.at("duplicates"), result.duplicates);
  EXPECT_DOUBLE_EQ(json.at("score"), result.score());
  for (const char* key : {"elo", "elo_low", "elo_high"}) EXPECT_TRUE(json.contains(key)) << key;
  MatchResult won;
  won.played = {Ended(0, true, env::Result::kWhiteWins, env::Reason::kSurround),
                Ended(0, false, env::Result::kBlackWins, env::Reason::kSurround)};
  for (const PlayedGame& game : won.played) CountGame(game, won);
  const auto infinite = nlohmann::json::parse(MatchToJson(Spec("gen0"), Spec("random"), won));
  EXPECT_TRUE(infinite.at("elo").is_null());
  EXPECT_TRUE(infinite.at("elo_high").is_null());
  EXPECT_TRUE(infinite.at("elo_low").is_number());
}

}  // namespace
}  // namespace apiary::play
