// Proven values against full-width search and by re-checking every proof in the tree with nothing
// but Game::Apply.
#include <gtest/gtest.h>

#include "env/notation.h"
#include "mcts/search.h"
#include "mcts/tree.h"
#include "tests/mcts/check_proofs.h"
#include "tests/mcts/positions.h"

namespace apiary::mcts {
namespace {

using testing::CheckProofs;
using testing::FromEdges;
using testing::ProofCounts;
using testing::RandomPositions;
using testing::Solve;

bool QueenInDanger(const env::Game& game) {
  return std::max(game.board().QueenNeighbors(env::Color::kWhite),
                  game.board().QueenNeighbors(env::Color::kBlack)) >= 5;
}

// The same positions as with proofs, whose ends the search then meets as values only.
TEST(WithoutProofs, EndsAreValues) {
  nn::FakeEvaluator evaluator(nn::FakeEvaluator::Mode::kUniform);
  Search search;
  for (const env::Game& game : RandomPositions({}, 10, 7, 10, [](const env::Game& position) {
         env::Game copy = position;
         return Solve(copy, 1) == Proven::kWin;
       })) {
    for (const RootRule root : {RootRule::kGumbel, RootRule::kPuct}) {
      SearchOptions options;
      options.root = root;
      options.simulations = 1000;
      options.considered = 512;
      options.root_noise = false;
      options.proofs = false;
      search.Start(game, options, base::RandomStream(1));
      const SearchResult result = testing::Finish(search, evaluator, 1);
      EXPECT_EQ(result.proven, Proven::kUnknown);
      EXPECT_EQ(result.simulations, 1000);
      env::Game after = game;
      after.Apply(result.best);
      EXPECT_TRUE(after.outcome().over());
      for (const RootMove& move : result.moves) {
        EXPECT_EQ(move.proven, Proven::kUnknown);
        if (move.move == result.best) {
          EXPECT_FLOAT_EQ(move.q, 1);
        }
      }
    }
  }
}

class ProofsByVariant : public ::testing::TestWithParam<int> {};

TEST_P(ProofsByVariant, EveryProofInTheTreeHolds) {
  env::Rules rules;
  rules.variant = env::Variant::FromIndex(GetParam());
  nn::FakeEvaluator evaluator;
  ProofCounts counts;
  int solved = 0;
  Search search;
  for (env::Game game : RandomPositions(rules, 20, 31, 14, QueenInDanger)) {
    SearchOptions options;
    options.simulations = 150;
    options.considered = 16;
    search.Start(game, options, base::RandomStream(1));
    const SearchResult result = testing::Finish(search, evaluator, 100);
    CheckProofs(search.tree(), kRoot, game, counts);
    EXPECT_EQ(result.proven, FromEdges(search.tree(), kRoot));
    solved += result.proven != Proven::kUnknown;
    const Proven one = Solve(game, 1);
    if (one != Proven::kUnknown) {
      EXPECT_EQ(result.proven, one);
      EXPECT_EQ(result.evaluations, 0);
    }
    const Proven two = Solve(game, 2);
    if (two != Proven::kUnknown && result.proven != Proven::kUnknown) {
      EXPECT_EQ(result.proven, two);
    }
  }
  EXPECT_GT(counts.proofs, 100);
  EXPECT_GT(counts.open, 500);
  EXPECT_GT(solved, 2);
}

INSTANTIATE_TEST_SUITE_P(Variants, ProofsByVariant, ::testing::Values(0, 4, 7));

bool LostInTwo(const env::Game& game) {
  env::Game copy = game;
  return game.board().QueenNeighbors(game.side_to_move()) >= 5 &&
         Solve(copy, 1) == Proven::kUnknown && Solve(copy, 2) == Proven::kLoss;
}

// Every move allows a win in one: proven with one simulation a move, whatever the net says.
TEST(Proofs, ALossInTwoIsProvenWithOneVisitAMove) {
  nn::FakeEvaluator evaluator;
  SearchOptions options;
  options.simulations = 1000;
  options.considered = 4;
  for (const RootRule root : {RootRule::kGumbel, RootRule::kPuct}) {
    options.root = root;
    for (const env::Game& game : testing::StoredPositions("loss2")) {
      EXPECT_TRUE(LostInTwo(game));
      const SearchResult result = RunSearch(game, options, base::RandomStream(1), evaluator);
      EXPECT_EQ(result.proven, Proven::kLoss) << env::ToGameString(game);
      EXPECT_EQ(result.root_wdl, (nn::Wdl{0, 0, 1}));
      EXPECT_LE(result.simulations, static_cast<int>(result.moves.size()));
      for (const RootMove& move : result.moves)
        EXPECT_FLOAT_EQ(move.improved, 1.0F / static_cast<float>(result.moves.size()));
    }
  }
}

// A move after which every reply allows a win in one.
TEST(Proofs, AWinInThreeIsProven) {
  nn::FakeEvaluator evaluator;
  SearchOptions options;
  options.simulations = 20000;
  options.considered = 512;
  options.interior = InteriorRule::kPuct;
  for (env::Game game : testing::StoredPositions("win3")) {
    const SearchResult result = RunSearch(game, options, base::RandomStream(1), evaluator);
    ASSERT_EQ(result.proven, Proven::kWin) << env::ToGameString(game);
    game.Apply(result.best);
    EXPECT_TRUE(LostInTwo(game)) << env::ToGameString(game);
    game.Undo();
    for (const RootMove& move : result.moves) {
      EXPECT_EQ(move.improved > 0, move.proven == Proven::kWin);
      if (move.move == result.best) {
        EXPECT_EQ(move.proven, Proven::kWin);
      }
    }
  }
}

// The move played never allows a win in one if there is another, even where few moves were
// considered.
TEST(Proofs, AMoveThatLosesAtOnceIsNotChosen) {
  nn::FakeEvaluator evaluator;
  for (env::Game game : RandomPositions(env::Rules(), 10, 59, 12, [](const env::Game& position) {
         env::Game copy = position;
         return position.board().QueenNeighbors(position.side_to_move()) >= 5 &&
                Solve(copy, 1) == Proven::kUnknown && Solve(copy, 2) == Proven::kUnknown;
       })) {
    SearchOptions options;
    options.simulations = 100;
    const SearchResult result = RunSearch(game, options, base::RandomStream(1), evaluator);
    for (const RootMove& move : result.moves) {
      game.Apply(move.move);
      const bool loses = Solve(game, 1) == Proven::kWin;
      game.Undo();
      EXPECT_TRUE(!loses || move.visits == 0 || move.proven == Proven::kLoss);
      EXPECT_TRUE(!loses || result.best != move.move) << env::ToGameString(game);
    }
  }
}

// Sign: a win in one is found at once and for the right side, without any evaluation.
void ExpectWinInOne(const env::Rules& rules, env::Color mover) {
  nn::FakeEvaluator evaluator;
  for (env::Game game : RandomPositions(rules, 10, 41, 10, [&](const env::Game& position) {
         env::Game copy = position;
         return position.side_to_move() == mover && Solve(copy, 1) == Proven::kWin;
       })) {
    const SearchResult result = RunSearch(game, SearchOptions(), base::RandomStream(1), evaluator);
    EXPECT_EQ(result.proven, Proven::kWin);
    EXPECT_EQ(result.root_wdl, (nn::Wdl{1, 0, 0}));
    EXPECT_EQ(result.moves_left, 1.0F);
    EXPECT_EQ(result.evaluations, 0);
    int winning = 0;
    for (const RootMove& move : result.moves) {
      game.Apply(move.move);
      const bool wins =
          game.outcome().result ==
          (mover == env::Color::kWhite ? env::Result::kWhiteWins : env::Result::kBlackWins);
      game.Undo();
      winning += wins;
      EXPECT_EQ(move.proven == Proven::kWin, wins);
      EXPECT_EQ(move.improved > 0, wins);
      if (wins) {
        EXPECT_EQ(move.q, 1.0F);
      }
      if (move.move == result.best) {
        EXPECT_TRUE(wins);
      }
    }
    for (const RootMove& move : result.moves)
      if (move.improved > 0) {
        EXPECT_FLOAT_EQ(move.improved, 1.0F / static_cast<float>(winning));
      }
  }
}
TEST(Proofs, WinInOneForWhite) { ExpectWinInOne(env::Rules(), env::Color::kWhite); }
TEST(Proofs, WinInOneForBlack) { ExpectWinInOne(env::Rules(), env::Color::kBlack); }

// Some move does not allow the reply that ends the game, all others do: it is the one that is
// played.
TEST(Proofs, TheOnlyDefenceIsPlayed) {
  nn::FakeEvaluator evaluator;
  SearchOptions options;
  options.considered = 4;
  options.simulations = 16;
  for (env::Game game : testing::StoredPositions("defence")) {
    env::MoveList moves;
    game.LegalMoves(moves);
    env::Move defence;
    int defences = 0;
    for (const env::Move move : moves) {
      game.Apply(move);
      if (Solve(game, 1) != Proven::kWin) {
        defence = move;
        ++defences;
      }
      game.Undo();
    }
    ASSERT_EQ(defences, 1);
    const SearchResult result = RunSearch(game, options, base::RandomStream(1), evaluator);
    EXPECT_EQ(result.best, defence) << env::ToGameString(game);
  }
}

// Both sides walk a queen to and fro; with repetition = 2 the fourth move draws. wQ and bQ stay
// adjacent to their spiders.
constexpr const char* kShuffle = "Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-";

env::Move Played(env::Game& game, const char* text) {
  const base::Result<env::Move> move = env::ParseMove(game, text);
  EXPECT_TRUE(move.ok()) << (move.ok() ? "" : move.error());
  game.Apply(*move);
  return *move;
}

TEST(Proofs, ARepetitionIsADrawAtTheRoot) {
  env::Game game = testing::Replay(kShuffle, 2);
  Played(game, "wQ /wS1");
  Played(game, "bQ bS1\\");
  Played(game, "wQ -wS1");
  const base::Result<env::Move> drawing = env::ParseMove(game, "bQ bS1-");
  ASSERT_TRUE(drawing.ok());
  nn::FakeEvaluator evaluator;
  SearchOptions options;
  options.simulations = 400;
  options.considered = 512;
  const SearchResult result = RunSearch(game, options, base::RandomStream(1), evaluator);
  for (const RootMove& move : result.moves) {
    EXPECT_EQ(move.proven, move.move == *drawing ? Proven::kDraw : Proven::kUnknown);
    if (move.move == *drawing) {
      EXPECT_EQ(move.q, 0.0F);
      EXPECT_GT(move.visits, 0U);
    }
  }
}

// The net says even everywhere, so that the one draw decides.
TEST(Proofs, ADrawIsWorthWhatTheOptionSays) {
  env::Game game = testing::Replay(kShuffle, 2);
  Played(game, "wQ /wS1");
  Played(game, "bQ bS1\\");
  Played(game, "wQ -wS1");
  const base::Result<env::Move> drawing = env::ParseMove(game, "bQ bS1-");
  ASSERT_TRUE(drawing.ok());
  nn::FakeEvaluator evaluator;
  SearchOptions options;
  options.simulations = 400;
  options.considered = 512;
  options.root_noise = false;
  for (const double value : {-1.0, 1.0}) {
    options.draw_value = value;
    const SearchResult result = RunSearch(game, options, base::RandomStream(1), evaluator);
    EXPECT_EQ(result.best == *drawing, value > 0);
    for (const RootMove& move : result.moves) {
      if (move.move != *drawing) continue;
      EXPECT_EQ(move.q, static_cast<float>(value));
    }
    EXPECT_NEAR(result.root_wdl.win + result.root_wdl.draw + result.root_wdl.loss, 1, 1e-5);
  }
}

TEST(Proofs, ARepetitionIsSeenInsideTheTree) {
  env::Game game = testing::Replay(kShuffle, 2);
  Played(game, "wQ /wS1");
  Played(game, "bQ bS1\\");
  env::Game after = game;
  const env::Move back = Played(after, "wQ -wS1");
  const base::Result<env::Move> drawing = env::ParseMove(after, "bQ bS1-");
  ASSERT_TRUE(drawing.ok());
  // Good for whoever is to move, so that unvisited moves look best and all of them are tried.
  testing::ConstantEvaluator evaluator({0.0F}, {0.6F, 0.2F, 0.2F});
  SearchOptions options;
  options.simulations = 4000;
  options.root = RootRule::kPuct;
  options.interior = InteriorRule::kPuct;
  options.c_puct = 5;
  Search search;
  search.Start(game, options, base::RandomStream(1));
  testing::Finish(search, evaluator, 1000);
  const Tree& tree = search.tree();
  int draws = 0;
  for (const Edge& edge : tree.edges(kRoot)) {
    if (edge.move != back) continue;
    ASSERT_TRUE(edge.child.valid());
    for (const Edge& reply : tree.edges(edge.child)) {
      EXPECT_EQ(reply.proven,
                reply.move == *drawing && reply.visits > 0 ? Proven::kDraw : Proven::kUnknown);
      draws += reply.proven == Proven::kDraw;
    }
  }
  EXPECT_EQ(draws, 1);
}

// The cap does not hide a win in one, and what lies beyond the cap proves nothing.
TEST(Proofs, TheCapAndAWinInOne) {
  nn::FakeEvaluator evaluator;
  for (const env::Game& game :
       RandomPositions(env::Rules(), 5, 47, 10, [](const env::Game& position) {
         env::Game copy = position;
         return Solve(copy, 1) == Proven::kWin;
       })) {
    env::Rules rules = game.rules();
    rules.max_plies = game.ply() + 1;
    env::Game capped(rules);
    for (const env::Move move : game.moves()) capped.Apply(move);
    EXPECT_EQ(RunSearch(capped, SearchOptions(), base::RandomStream(1), evaluator).proven,
              Proven::kWin);
  }
}

}  // namespace
}  // namespace apiary::mcts
