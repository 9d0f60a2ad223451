#include "play/opening_judge.h"

#include <gtest/gtest.h>

#include "nn/fake_evaluator.h"
#include "tests/play/positions.h"

namespace apiary::play {
namespace {

// Says the same of every position.
class ConstantEvaluator : public nn::Evaluator {
 public:
  explicit ConstantEvaluator(nn::Wdl wdl) : wdl_(wdl) {}
  void Submit(const env::Block& block, nn::Evaluation& evaluation) override {
    nn::Resize(block, evaluation);
    std::fill(evaluation.wdl.begin(), evaluation.wdl.end(), wdl_);
  }
  void Wait(nn::Evaluation&) override {}
  std::string Describe() const override { return "constant"; }

 private:
  nn::Wdl wdl_;
};

// Nets whose names say what they think: "won", "lost" or "even".
base::Result<std::unique_ptr<nn::Evaluator>> MakeConstant(const std::string& path) {
  const nn::Wdl wdl = path == "won"    ? nn::Wdl{0.97f, 0.02f, 0.01f}
                      : path == "lost" ? nn::Wdl{0.01f, 0.02f, 0.97f}
                                       : nn::Wdl{0.3f, 0.4f, 0.3f};
  return std::unique_ptr<nn::Evaluator>(std::make_unique<ConstantEvaluator>(wdl));
}

PlayerSpec Net(const std::string& path) {
  PlayerSpec spec;
  spec.text = path;
  spec.kind = "model";
  spec.weights_path = path;
  return spec;
}

bool Decided(const PlayerSpec& a, const PlayerSpec& b, const env::Game& game) {
  auto judge = OpeningJudge::Make(a, b, MakeConstant);
  EXPECT_TRUE(judge.ok());
  return (*judge)->Decided(game);
}

TEST(OpeningJudge, BothPlayersMustAgreeOnTheWinner) {
  const env::Game game = GameOf(kRow);
  EXPECT_TRUE(Decided(Net("won"), Net("won"), game));
  EXPECT_TRUE(Decided(Net("lost"), Net("lost"), game));
  EXPECT_FALSE(Decided(Net("won"), Net("lost"), game));
  EXPECT_FALSE(Decided(Net("won"), Net("even"), game));
  EXPECT_FALSE(Decided(Net("even"), Net("won"), game));
  EXPECT_FALSE(Decided(Net("won"), *ParsePlayer("crowd", 32), game));
  EXPECT_FALSE(Decided(Net("won"), *ParsePlayer("ab:3", 32), game));
  EXPECT_FALSE(Decided(*ParsePlayer("mcts:50", 32), *ParsePlayer("ab:3", 32), game));
}

// A position of a random game that `wanted` holds for.
template <typename Wanted>
env::Game Find(Wanted wanted) {
  base::RandomStream random(9);
  env::MoveList moves;
  for (;;) {
    env::Game game;
    while (!game.outcome().over() && game.ply() < 200) {
      if (wanted(game)) return game;
      game.LegalMoves(moves);
      game.Apply(ChooseRandom(moves, random));
    }
  }
}

TEST(OpeningJudge, ForcedWinsAndLossesAreDecidedForAll) {
  const PlayerSpec random_player = *ParsePlayer("random", 32);
  AlphaBeta search(std::size_t{1} << 20);
  const auto score = [&search](const env::Game& game) {
    base::RandomStream random(1);
    return search.Search(game, {.depth = 3}, random).score;
  };
  EXPECT_TRUE(Decided(random_player, random_player,
                      Find([&](const env::Game& g) { return score(g) == kWinScore - 3; })));
  EXPECT_TRUE(Decided(random_player, random_player,
                      Find([&](const env::Game& g) { return score(g) == -(kWinScore - 2); })));
  const env::Game open =
      Find([&](const env::Game& g) { return g.ply() > 20 && !IsProven(score(g)); });
  EXPECT_FALSE(Decided(random_player, random_player, open));
}

}  // namespace
}  // namespace apiary::play
