#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "mcts/gen0.h"
#include "nn/fake_evaluator.h"
#include "play/model_player.h"
#include "play/player.h"
#include "play/search_keys.h"
#include "tests/play/positions.h"

namespace apiary::play {
namespace {

using ::testing::HasSubstr;

env::MoveList LegalMoves(const env::Game& game) {
  env::MoveList moves;
  game.LegalMoves(moves);
  return moves;
}

// How often each move, as text, was chosen.
template <typename Choose>
std::map<std::string, int> Count(const env::Game& game, int draws, Choose choose) {
  const env::MoveList moves = LegalMoves(game);
  base::RandomStream random(7);
  std::map<std::string, int> counts;
  for (int i = 0; i < draws; ++i) ++counts[env::MoveToString(game.board(), choose(moves, random))];
  return counts;
}

TEST(RandomPlayer, IsUniform) {
  const env::Game game = GameOf(kRow);
  const int moves = LegalMoves(game).size();
  ASSERT_EQ(moves, 22);  // 5 cells x 4 types, 2 steps of the queen
  const auto counts =
      Count(game, 22'000, [](const auto& m, auto& random) { return ChooseRandom(m, random); });
  ASSERT_EQ(counts.size(), 22U);
  for (const auto& [text, count] : counts) EXPECT_NEAR(count, 1000, 160) << text;
}

TEST(Gen0Player, WeighsByTheSquareOfNeighboursWithTheMoverLifted) {
  const env::Game game = GameOf(kRow);
  // Around wQ and wS1: three cells touch one piece (weight 1), two touch two (weight 4); four
  // types: 44. The queen's own two steps touch wS1 only once she is lifted (weight 1 each): 46.
  const auto counts = Count(game, 46'000, [&game](const auto& moves, auto& random) {
    const mcts::Gen0Choice choice = mcts::ChooseGen0(game.board(), moves, random);
    EXPECT_FALSE(choice.win_in_one);
    return choice.move;
  });
  for (const char* two : {"wA1 \\wS1", "wA1 wQ\\"}) {
    EXPECT_NEAR(counts.at(two), 4000, 300) << two;
  }
  EXPECT_NEAR(counts.at("wA1 -wQ"), 1000, 160);
  EXPECT_NEAR(counts.at("wQ \\wS1"), 1000, 160);
  EXPECT_NEAR(counts.at("wQ /wS1"), 1000, 160);
}

TEST(Gen0Player, IsUniformWhereNothingTouches) {
  const env::Game game = GameOf("Base");
  const auto counts = Count(game, 4000, [&game](const auto& moves, auto& random) {
    return mcts::ChooseGen0(game.board(), moves, random).move;
  });
  ASSERT_EQ(counts.size(), 4U);
  for (const auto& [text, count] : counts) EXPECT_NEAR(count, 1000, 160) << text;
}

TEST(FixedPlayers, TakeAWinInOne) {
  env::Game game = FindWinnable(3);
  const env::MoveList moves = LegalMoves(game);
  const env::Result win =
      game.side_to_move() == env::Color::kWhite ? env::Result::kWhiteWins : env::Result::kBlackWins;
  base::RandomStream random(1);
  for (int i = 0; i < 20; ++i) {
    const mcts::Gen0Choice choice = mcts::ChooseGen0(game.board(), moves, random);
    EXPECT_TRUE(choice.win_in_one);
    for (const env::Move move : {choice.move, ChooseCrowd(game.board(), moves, random)}) {
      game.Apply(move);
      EXPECT_EQ(game.outcome().result, win);
      game.Undo();
    }
  }
}

TEST(CrowdPlayer, AvoidsALosingMove) {
  const env::Game game = GameOf(kBeforeSuicide);
  auto suicide = env::ParseMove(game, "bA1 /bG1");
  ASSERT_TRUE(suicide.ok()) << suicide.error();
  ASSERT_EQ(env::ResultAfter(game.board(), *suicide), env::Result::kWhiteWins);
  const auto counts = Count(game, 500, [&game](const auto& moves, auto& random) {
    const env::Move move = ChooseCrowd(game.board(), moves, random);
    EXPECT_NE(env::ResultAfter(game.board(), move), env::Result::kWhiteWins);
    return move;
  });
  EXPECT_FALSE(counts.empty());
}

TEST(CrowdPlayer, PrefersTheLargestDifferenceAndBreaksTiesAtRandom) {
  // Every placement touches the own queen (1 - 2), her own steps keep her at one neighbour (1 - 1).
  const env::Game game = GameOf(kRow);
  const auto counts = Count(game, 2000, [&game](const auto& moves, auto& random) {
    return ChooseCrowd(game.board(), moves, random);
  });
  ASSERT_EQ(counts.size(), 2U);
  EXPECT_NEAR(counts.at("wQ \\wS1"), 1000, 120);
  EXPECT_NEAR(counts.at("wQ /wS1"), 1000, 120);
}

PlayerSpec FakeModel(int simulations, double temperature) {
  PlayerSpec spec;
  spec.text = "fake";
  spec.kind = "model";
  spec.weights_path = "somewhere/gen-000012.safetensors";
  spec.simulations = simulations;
  spec.temperature = temperature;
  return spec;
}

base::Result<std::unique_ptr<nn::Evaluator>> MakeFake(const std::string&) {
  return std::unique_ptr<nn::Evaluator>(std::make_unique<nn::FakeEvaluator>());
}

// Moves chosen for the games, all in one call or one call a game.
std::vector<env::Move> Choose(const std::vector<env::Game>& games, const PlayerSpec& spec,
                              bool together) {
  auto player = MakePlayer(spec, MakeFake);
  EXPECT_TRUE(player.ok());
  std::vector<const env::Game*> pointers;
  std::vector<base::RandomStream> streams;
  for (std::size_t i = 0; i < games.size(); ++i) {
    pointers.push_back(&games[i]);
    streams.emplace_back(5, std::initializer_list<std::uint64_t>{i});
  }
  std::vector<env::Move> moves(games.size());
  const std::size_t step = together ? games.size() : 1;
  for (std::size_t i = 0; i < games.size(); i += step)
    (*player)->ChooseMoves(std::span(pointers).subspan(i, step),
                           std::span(streams).subspan(i, step), std::span(moves).subspan(i, step));
  return moves;
}

TEST(ModelPlayer, ChoosesTheSameInABatchAsAlone) {
  const std::vector<env::Game> games = {GameOf("Base+MLP"), GameOf(kRow), GameOf(kBeforeSuicide),
                                        GameOf("Base")};
  for (const double temperature : {0.0, 1.0}) {
    const std::vector<env::Move> moves = Choose(games, FakeModel(24, temperature), true);
    EXPECT_EQ(moves, Choose(games, FakeModel(24, temperature), false));
    for (std::size_t i = 0; i < games.size(); ++i)
      EXPECT_TRUE(LegalMoves(games[i]).Contains(moves[i]));
  }
}

TEST(ModelPlayer, TakesAWinInOne) {
  const env::Game game = FindWinnable(3);
  for (const int simulations : {1, 16, 200}) {
    const env::Move move = Choose({game}, FakeModel(simulations, 0), true)[0];
    EXPECT_EQ(env::ResultAfter(game.board(), move), game.side_to_move() == env::Color::kWhite
                                                        ? env::Result::kWhiteWins
                                                        : env::Result::kBlackWins);
  }
}

TEST(ModelPlayer, TemperatureDrawsFromTheImprovedPolicy) {
  mcts::SearchResult result;
  const env::MoveList legal = LegalMoves(GameOf("Base"));
  for (int i = 0; i < 3; ++i)
    result.moves.push_back({.move = legal[i], .improved = std::array{0.6f, 0.3f, 0.1f}[i]});
  result.best = legal[0];
  base::RandomStream random(11);
  std::map<int, int> at_one, at_half;
  for (int i = 0; i < 10'000; ++i) {
    ++at_one[PickMove(result, 1.0, random).bits()];
    ++at_half[PickMove(result, 0.5, random).bits()];
    EXPECT_EQ(PickMove(result, 0, random), legal[0]);
  }
  EXPECT_NEAR(at_one[legal[1].bits()], 3000, 200);
  EXPECT_NEAR(at_half[legal[0].bits()], 10'000 * 36 / 46, 200);  // 0.36 : 0.09 : 0.01
  result.proven = mcts::Proven::kWin;
  EXPECT_EQ(PickMove(result, 1.0, random), legal[0]);
}

TEST(TimedPlayer, ThinksInEveryGameAndTakesAWinInOne) {
  PlayerSpec spec = FakeModel(32, 0);
  spec.seconds = 0.01;
  const std::vector<env::Game> games = {GameOf("Base+MLP"), FindWinnable(3), GameOf(kRow)};
  const std::vector<env::Move> moves = Choose(games, spec, true);
  for (std::size_t i = 0; i < games.size(); ++i)
    EXPECT_TRUE(LegalMoves(games[i]).Contains(moves[i]));
  EXPECT_EQ(env::ResultAfter(games[1].board(), moves[1]),
            games[1].side_to_move() == env::Color::kWhite ? env::Result::kWhiteWins
                                                          : env::Result::kBlackWins);
  EXPECT_EQ(PlayerName(spec), "gen-000012.safetensors (time=0.01)");
}

TEST(TimedPlayer, AlwaysHasAMoveThatFollowsItsStream) {
  // No time: only the smallest search is made, which is the same on any machine.
  PlayerSpec spec = FakeModel(32, 1);
  spec.seconds = 1e-9;
  const std::vector<env::Game> games = {GameOf("Base+MLP"), GameOf(kRow), GameOf(kBeforeSuicide)};
  EXPECT_EQ(Choose(games, spec, true), Choose(games, spec, false));
}

TEST(SearchKeys, SetWhatTheyName) {
  mcts::SearchOptions options;
  for (const auto& [key, value] :
       std::vector<std::pair<const char*, const char*>>{{"root", "puct"},
                                                        {"interior", "puct"},
                                                        {"considered", "5"},
                                                        {"value_scale", "0.5"},
                                                        {"draw_value", "-0.5"},
                                                        {"visit_offset", "20"},
                                                        {"c_puct", "2.5"},
                                                        {"c_puct_base", "1000"},
                                                        {"fpu", "0.3"},
                                                        {"noise", "off"},
                                                        {"proofs", "off"}}) {
    ASSERT_TRUE(IsSearchKey(key)) << key;
    EXPECT_THAT(SearchKeyNames(), HasSubstr(key));
    const auto set = SetSearchKey(key, value, options);
    EXPECT_TRUE(set.ok()) << set.error();
  }
  const mcts::SearchOptions expected{.root = mcts::RootRule::kPuct,
                                     .interior = mcts::InteriorRule::kPuct,
                                     .considered = 5,
                                     .visit_offset = 20,
                                     .value_scale = 0.5,
                                     .draw_value = -0.5,
                                     .c_puct = 2.5,
                                     .c_puct_base = 1000,
                                     .first_play = mcts::FirstPlay::kReduced,
                                     .first_play_reduction = 0.3,
                                     .proofs = false,
                                     .root_noise = false};
  EXPECT_EQ(options, expected);
  EXPECT_TRUE(SetSearchKey("fpu", "mixed", options).ok());
  EXPECT_EQ(options.first_play, mcts::FirstPlay::kMixed);
}

TEST(SearchKeys, ArePartOfTheName) {
  PlayerSpec spec = FakeModel(8, 0);
  spec.search_keys = {{"c_puct", "2"}, {"fpu", "0.3"}};
  spec.keep_tree = false;
  EXPECT_EQ(PlayerName(spec), "gen-000012.safetensors (sims=8, reuse=off, c_puct=2, fpu=0.3)");
  EXPECT_TRUE(LegalMoves(GameOf(kRow)).Contains(Choose({GameOf(kRow)}, spec, true)[0]));
}

TEST(MakePlayer, SaysWhatIsMissing) {
  auto player = MakePlayer(FakeModel(8, 0), nullptr);
  ASSERT_FALSE(player.ok());
  EXPECT_THAT(player.error(), HasSubstr("no evaluator"));
  EXPECT_EQ(PlayerName(FakeModel(8, 0)), "gen-000012.safetensors (sims=8)");
  EXPECT_EQ(PlayerName(FakeModel(8, 0.5)), "gen-000012.safetensors (sims=8, temperature=0.5)");
}

TEST(ParsePlayer, ReadsFixedPlayers) {
  for (const char* name : {"random", "gen0", "crowd"}) {
    auto spec = ParsePlayer(name, 32);
    ASSERT_TRUE(spec.ok()) << spec.error();
    EXPECT_EQ(spec->kind, name);
    auto timed = ParsePlayer(name, 32, 5);
    ASSERT_TRUE(timed.ok());
    EXPECT_EQ(timed->seconds, 0);
  }
}

TEST(ParsePlayer, ReadsSearchPlayersThatIgnoreTheDefaults) {
  auto uct = ParsePlayer("mcts:1000", 32, 5);
  ASSERT_TRUE(uct.ok()) << uct.error();
  EXPECT_EQ(uct->kind, "mcts");
  EXPECT_EQ(uct->playouts, 1000);
  EXPECT_EQ(uct->seconds, 0);
  EXPECT_EQ(PlayerName(*uct), "mcts:1000");
  auto alpha_beta = ParsePlayer("ab:2", 32, 5);
  ASSERT_TRUE(alpha_beta.ok()) << alpha_beta.error();
  EXPECT_EQ(alpha_beta->kind, "ab");
  EXPECT_EQ(alpha_beta->depth, 2);
  EXPECT_EQ(alpha_beta->seconds, 0);
  EXPECT_EQ(PlayerName(*alpha_beta), "ab:2");
}

TEST(ParsePlayer, ReadsForeignEngines) {
  auto own = ParsePlayer("uhp:some engine;depth=1;set.A=b", 32, 5);
  ASSERT_TRUE(own.ok()) << own.error();
  EXPECT_EQ(own->kind, "uhp");
  EXPECT_EQ(own->engine->go, "depth 1");
  EXPECT_EQ(PlayerName(*own), "uhp:some engine;depth=1;set.A=b (bestmove depth 1)");
  EXPECT_EQ(ParsePlayer("uhp:engine", 32, 5)->engine->go, "time 00:00:05");
  EXPECT_EQ(ParsePlayer("uhp:engine", 32, 5)->engine->seconds, 5);
  EXPECT_EQ(ParsePlayer("uhp:engine", 32)->engine->go, "time 00:00:01");
  auto fraction = ParsePlayer("uhp:engine", 32, 0.5);
  ASSERT_FALSE(fraction.ok());
  EXPECT_THAT(fraction.error(), HasSubstr("whole seconds"));
  EXPECT_TRUE(ParsePlayer("uhp:engine;go=seconds 0.5", 32, 0.5).ok());
}

TEST(SearchPlayers, ChooseTheSameInABatchAsAlone) {
  const std::vector<env::Game> games = {FindWinnable(3), GameOf("Base+MLP"), GameOf(kRow)};
  for (const char* text : {"mcts:50", "ab:2"}) {
    const std::vector<env::Move> moves = Choose(games, *ParsePlayer(text, 32), true);
    EXPECT_EQ(moves, Choose(games, *ParsePlayer(text, 32), false));
    for (std::size_t i = 0; i < games.size(); ++i)
      EXPECT_TRUE(LegalMoves(games[i]).Contains(moves[i])) << text;
  }
}

std::string ErrorOf(const std::string& text) {
  auto spec = ParsePlayer(text, 32);
  EXPECT_FALSE(spec.ok()) << text;
  return spec.ok() ? "" : spec.error();
}

TEST(ParsePlayer, NamesWhatIsWrong) {
  for (const char* text : {"mcts:", "mcts:0", "mcts:-3", "mcts:1e3", "mcts:2000000", "mcts: 5"})
    EXPECT_THAT(ErrorOf(text), HasSubstr("is not a whole number of playouts from 1 to 1000000"));
  for (const char* text : {"ab:", "ab:0", "ab:33", "ab:x"})
    EXPECT_THAT(ErrorOf(text), HasSubstr("is not a whole number of plies from 1 to 32"));
  EXPECT_THAT(ErrorOf("ab:2;sims=3"), HasSubstr("takes no keys"));
  EXPECT_THAT(ErrorOf("mcts:10;time=3"), HasSubstr("takes no keys"));
  EXPECT_THAT(ErrorOf("uhp:"), HasSubstr("the command is empty"));
  EXPECT_THAT(ErrorOf("uhp:engine;sims=3"), HasSubstr("unknown key 'sims'"));
  EXPECT_THAT(ErrorOf("random;sims=3"), HasSubstr("takes no keys"));
  EXPECT_THAT(ErrorOf("nosuch"), HasSubstr("neither a weights file nor a run directory"));
  EXPECT_THAT(ErrorOf("nosuch;simulations=3"), HasSubstr("unknown key 'simulations'"));
  EXPECT_THAT(ErrorOf("nosuch;sims=0"), HasSubstr("sims=0"));
  EXPECT_THAT(ErrorOf("nosuch;sims=3x"), HasSubstr("sims=3x"));
  for (const char* time : {"0", "-1", "nan", "1e9", "1s", ""})
    EXPECT_THAT(ErrorOf(std::string("nosuch;time=") + time),
                HasSubstr("time=" + std::string(time) + " is not a number of seconds"));
  EXPECT_THAT(ErrorOf("nosuch;sims=3;time=1"), HasSubstr("not both"));
  EXPECT_THAT(ErrorOf("nosuch;reuse=maybe"), HasSubstr("reuse=maybe is not on or off"));
  EXPECT_THAT(ErrorOf("nosuch;c_puct=-1"), HasSubstr("c_puct=-1 is not a number from 0 to 100"));
  EXPECT_THAT(ErrorOf("nosuch;fpu=low"), HasSubstr("fpu=low is not mixed, or a reduction"));
  EXPECT_THAT(ErrorOf("nosuch;interior=x"), HasSubstr("interior=x is not improved or puct"));
  EXPECT_THAT(ErrorOf("nosuch;temperature=-1"), HasSubstr("temperature=-1"));
  EXPECT_THAT(ErrorOf("nosuch;temperature=nan"), HasSubstr("temperature=nan"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("empty"));
}

TEST(ParsePlayer, RefusesAFileThatIsNoWeightsFile) {
  const std::string path = ::testing::TempDir() + "play_players_test.safetensors";
  std::ofstream(path) << "these are not weights";
  EXPECT_THAT(ErrorOf(path), HasSubstr(path));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace apiary::play
