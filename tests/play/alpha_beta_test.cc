#include "play/alpha_beta.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "play/evaluation.h"
#include "play/player.h"
#include "tests/play/positions.h"

namespace apiary::play {
namespace {

env::Result WinOf(env::Color color) {
  return color == env::Color::kWhite ? env::Result::kWhiteWins : env::Result::kBlackWins;
}

// The value of plain minimax, of the side to move: no table, no bounds, no order.
int Minimax(env::Board& board, int depth, int ply) {
  if (depth == 0) return Evaluate(board, board.side_to_move());
  env::MoveList moves;
  env::GenerateLegalMoves(board, moves);
  const env::Color own = board.side_to_move();
  int best = -kWinScore;
  for (const env::Move move : moves) {
    const env::Undo undo = board.Apply(move);
    const env::Outcome outcome = board.SurroundOutcome();
    int score = 0;
    if (outcome.result == WinOf(own)) {
      score = kWinScore - (ply + 1);
    } else if (outcome.result == WinOf(env::Opponent(own))) {
      score = -(kWinScore - (ply + 1));
    } else if (!outcome.over()) {
      score = -Minimax(board, depth - 1, ply + 1);
    }
    board.Undo(undo);
    best = std::max(best, score);
  }
  return best;
}

// Positions of random games, so many plies apart, without repetition or cap.
std::vector<env::Game> RandomPositions(int count, int plies_apart, std::uint64_t seed) {
  std::vector<env::Game> positions;
  base::RandomStream random(seed);
  env::MoveList moves;
  for (int i = 0; static_cast<int>(positions.size()) < count; ++i) {
    env::Rules rules;
    rules.repetition = 0;
    rules.variant = env::Variant::FromIndex(i % 8);
    env::Game game(rules);
    while (!game.outcome().over() && game.ply() < 60) {
      if (game.ply() % plies_apart == i % plies_apart) positions.push_back(game);
      game.LegalMoves(moves);
      game.Apply(ChooseRandom(moves, random));
    }
  }
  positions.resize(static_cast<std::size_t>(count), env::Game());
  return positions;
}

AlphaBetaResult SearchTo(const env::Game& game, int depth, std::uint64_t seed = 1) {
  base::RandomStream random(seed);
  AlphaBeta search(std::size_t{1} << 20);
  return search.Search(game, {.depth = depth}, random);
}

void ExpectMinimax(const env::Game& game, int depth) {
  const AlphaBetaResult found = SearchTo(game, depth);
  env::Board board = game.board();
  EXPECT_EQ(found.score, Minimax(board, depth, 0)) << depth << " " << env::ToGameString(game);
  EXPECT_TRUE(found.depth == depth || IsProven(found.score));
  // The move is one that has this value.
  env::Game after = game;
  after.Apply(found.best);
  if (after.outcome().over()) return;
  env::Board below = after.board();
  EXPECT_EQ(-Minimax(below, found.depth - 1, 1), found.score) << env::ToGameString(game);
}

TEST(AlphaBeta, IsMinimax) {
  for (const env::Game& game : RandomPositions(60, 7, 11)) {
    ExpectMinimax(game, 1);
    ExpectMinimax(game, 2);
  }
}

TEST(AlphaBeta, IsMinimaxThreePliesDeep) {
  for (const env::Game& game : RandomPositions(16, 13, 12)) ExpectMinimax(game, 3);
}

TEST(AlphaBeta, IsMinimaxWithHardlyAnyTable) {
  for (const env::Game& game : RandomPositions(12, 9, 13)) {
    base::RandomStream random(1);
    AlphaBeta search(1);
    env::Board board = game.board();
    EXPECT_EQ(search.Search(game, {.depth = 2}, random).score, Minimax(board, 2, 0));
  }
}

// A position of a random game where the side to move wins in exactly `plies`, by minimax.
env::Game FindScore(int score, int depth, std::uint64_t seed) {
  base::RandomStream random(seed);
  env::MoveList moves;
  for (;;) {
    env::Rules rules;
    rules.repetition = 0;
    env::Game game(rules);
    while (!game.outcome().over() && game.ply() < 200) {
      const bool near_end = std::max(game.board().QueenNeighbors(env::Color::kWhite),
                                     game.board().QueenNeighbors(env::Color::kBlack)) >= 4;
      if (near_end && SearchTo(game, depth).score == score) return game;
      game.LegalMoves(moves);
      game.Apply(ChooseRandom(moves, random));
    }
  }
}

TEST(AlphaBeta, WinsInOne) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    env::Game game = FindScore(kWinScore - 1, 1, seed);
    for (const int depth : {1, 2, 5}) {
      const AlphaBetaResult found = SearchTo(game, depth);
      EXPECT_EQ(found.score, kWinScore - 1);
      EXPECT_EQ(found.depth, 1);
      EXPECT_EQ(env::ResultAfter(game.board(), found.best), WinOf(game.side_to_move()));
    }
  }
}

TEST(AlphaBeta, WinsInTwo) {
  env::Game game = FindScore(kWinScore - 3, 3, 5);
  EXPECT_FALSE(IsProven(SearchTo(game, 2).score));
  const env::Color winner = game.side_to_move();
  const AlphaBetaResult found = SearchTo(game, 8);
  EXPECT_EQ(found.score, kWinScore - 3);
  EXPECT_EQ(found.depth, 3);
  game.Apply(found.best);
  ASSERT_FALSE(game.outcome().over());
  // Whatever the answer, there is a win in one.
  env::MoveList answers;
  game.LegalMoves(answers);
  for (const env::Move answer : answers) {
    game.Apply(answer);
    if (!game.outcome().over()) {
      env::MoveList moves;
      game.LegalMoves(moves);
      EXPECT_GE(env::FindWinInOne(game.board(), moves), 0);
    } else {
      EXPECT_EQ(game.outcome().result, WinOf(winner));
    }
    game.Undo();
  }
}

TEST(AlphaBeta, KnowsThatItIsLost) {
  const env::Game game = FindScore(-(kWinScore - 2), 2, 6);
  const AlphaBetaResult found = SearchTo(game, 4);
  EXPECT_EQ(found.score, -(kWinScore - 2));
  EXPECT_EQ(found.depth, 2);
}

TEST(AlphaBeta, AvoidsALosingMove) {
  const env::Game game = GameOf(kBeforeSuicide);
  for (const int depth : {1, 2, 3}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const AlphaBetaResult found = SearchTo(game, depth, seed);
      EXPECT_NE(env::ResultAfter(game.board(), found.best), env::Result::kWhiteWins);
      EXPECT_GT(found.score, -kWinScore / 2);
    }
  }
}

TEST(AlphaBeta, TheSameWhateverWasSearchedBefore) {
  AlphaBeta used(std::size_t{1} << 16);
  for (const env::Game& game : RandomPositions(10, 5, 14)) {
    base::RandomStream random(3);
    const AlphaBetaResult again = used.Search(game, {.depth = 3}, random);
    base::RandomStream fresh_random(3);
    AlphaBeta fresh(std::size_t{1} << 16);
    const AlphaBetaResult first = fresh.Search(game, {.depth = 3}, fresh_random);
    EXPECT_EQ(again.best, first.best);
    EXPECT_EQ(again.score, first.score);
    EXPECT_EQ(again.nodes, first.nodes);
  }
}

TEST(AlphaBeta, TheStreamBreaksTies) {
  std::set<std::uint16_t> moves;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    moves.insert(SearchTo(GameOf("Base"), 1, seed).best.bits());
  // wS1 and wG1 leave the most in hand for what they are worth outside: 6 - 4 and 8 - 5 count, but
  // beetles gain 5 and ants 6, so that an ant is best, alone.
  EXPECT_EQ(moves.size(), 1U);
  moves.clear();
  const env::Game second = GameOf("Base;InProgress;Black[1];wA1");
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    moves.insert(SearchTo(second, 1, seed).best.bits());
  EXPECT_EQ(moves.size(), 6U);  // bA1 on any of the six cells
}

TEST(AlphaBeta, ADrawAtTheRootIsWorthNothing) {
  // bQ bS1- would make the position after the fourth ply for the second time.
  env::Rules rules;
  rules.repetition = 2;
  auto parsed = env::ParseGameString(
      "Base;InProgress;Black[4];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wQ \\wS1;bQ bS1/;wQ -wS1", rules);
  ASSERT_TRUE(parsed.ok()) << parsed.error();
  env::Game& game = parsed->game;
  env::MoveList moves;
  game.LegalMoves(moves);
  int best = -kWinScore, draws = 0;
  for (const env::Move move : moves) {
    game.Apply(move);
    draws += game.outcome().over();
    best = std::max(best, game.outcome().over() ? 0 : Evaluate(game.board(), env::Color::kBlack));
    game.Undo();
  }
  EXPECT_EQ(draws, 1);
  EXPECT_EQ(SearchTo(game, 1).score, best);
  // Where every move ends the game by the cap, all are worth 0.
  rules.max_plies = 5;
  auto capped =
      env::ParseGameString("Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-", rules);
  ASSERT_TRUE(capped.ok());
  EXPECT_EQ(SearchTo(capped->game, 3).score, 0);
}

TEST(AlphaBeta, StopsOnRequestWithAMove) {
  const env::Game game = GameOf("Base+MLP;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-");
  base::RandomStream random(1);
  AlphaBeta search;
  int asked = 0;
  const AlphaBetaResult stopped =
      search.Search(game, {}, random, [&asked] { return ++asked >= 20; });
  EXPECT_EQ(asked, 20);
  EXPECT_GE(stopped.depth, 1);
  EXPECT_LT(stopped.depth, kMaxAlphaBetaDepth);
  env::MoveList moves;
  game.LegalMoves(moves);
  EXPECT_TRUE(moves.Contains(stopped.best));
  const AlphaBetaResult timed = search.Search(game, {.seconds = 1e-9}, random);
  EXPECT_GE(timed.depth, 1);
  EXPECT_LT(timed.depth, 5);
  EXPECT_TRUE(moves.Contains(timed.best));
}

TEST(TranspositionTable, KeepsTheDeeperAndTheNewerOfABucket) {
  using Bound = TranspositionTable::Bound;
  TranspositionTable table(1);
  ASSERT_EQ(table.bytes(), 32U);
  table.NewEpoch();
  table.Store(1, 5, 10, Bound::kExact, {});
  table.Store(2, 3, 20, Bound::kAtLeast, {});
  ASSERT_NE(table.Find(1), nullptr);
  EXPECT_EQ(table.Find(1)->score, 10);
  ASSERT_NE(table.Find(2), nullptr);
  EXPECT_EQ(table.Find(2)->depth, 3);
  table.Store(3, 4, 30, Bound::kExact, {});
  EXPECT_EQ(table.Find(2), nullptr);
  EXPECT_NE(table.Find(3), nullptr);
  table.Store(4, 6, 40, Bound::kExact, {});
  EXPECT_EQ(table.Find(4)->score, 40);
  EXPECT_EQ(table.Find(1)->score, 10);  // moved to the other place
  table.NewEpoch();
  EXPECT_EQ(table.Find(4), nullptr);
  for (int i = 0; i < 1 << 16; ++i) table.NewEpoch();
  EXPECT_EQ(table.Find(4), nullptr);
}

}  // namespace
}  // namespace apiary::play
