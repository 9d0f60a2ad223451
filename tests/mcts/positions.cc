#include "tests/mcts/positions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <fstream>

#include "base/random.h"
#include "env/notation.h"

namespace apiary::mcts::testing {

env::Game Replay(std::string_view game_string, int repetition, int max_plies) {
  env::Rules rules;
  rules.repetition = repetition;
  rules.max_plies = max_plies;
  base::Result<env::ParsedGame> parsed = env::ParseGameString(game_string, rules);
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error());
  return parsed.ok() ? parsed->game : env::Game(rules);
}

std::vector<env::Game> StoredPositions(std::string_view kind) {
  std::ifstream file(APIARY_TEST_DATA "/mcts/positions.tsv");
  std::vector<env::Game> positions;
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos && line.substr(0, tab) == kind)
      positions.push_back(Replay(line.substr(tab + 1)));
  }
  EXPECT_FALSE(positions.empty()) << kind;
  return positions;
}

namespace {

// A random move; of three tries the one that leaves the enemy queen with most neighbours.
env::Move AttackingMove(env::Game& game, base::RandomStream& random) {
  env::MoveList moves;
  game.LegalMoves(moves);
  const env::Color enemy = env::Opponent(game.side_to_move());
  env::Move best = moves[0];
  int most = -1;
  for (int i = 0; i < 3; ++i) {
    const env::Move move =
        moves[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves.size())))];
    game.Apply(move);
    const int neighbors = game.board().QueenNeighbors(enemy);
    game.Undo();
    if (neighbors > most) best = move;
    most = std::max(most, neighbors);
  }
  return best;
}

}  // namespace

std::vector<env::Game> RandomPositions(const env::Rules& rules, std::size_t count,
                                       std::uint64_t seed, int min_ply,
                                       const std::function<bool(const env::Game&)>& wanted) {
  std::vector<env::Game> positions;
  for (std::uint64_t number = 0; positions.size() < count && number < 2000; ++number) {
    base::RandomStream random(seed, {number});
    env::Game game(rules);
    while (!game.outcome().over() && game.ply() < 120) {
      if (game.ply() >= min_ply && wanted(game)) {
        positions.push_back(game);
        break;
      }
      game.Apply(AttackingMove(game, random));
    }
  }
  EXPECT_EQ(positions.size(), count);
  return positions;
}

namespace {

bool QueenHasFiveNeighbors(const env::Board& board) {
  return std::max(board.QueenNeighbors(env::Color::kWhite),
                  board.QueenNeighbors(env::Color::kBlack)) >= 5;
}

bool MovesAQueen(env::Move move) {
  return !move.is_pass() && move.piece().type() == env::PieceType::kQueen;
}

Proven Solve(env::Game& game, int depth, bool quickly) {
  switch (game.outcome().result) {
    case env::Result::kDraw:
      return Proven::kDraw;
    case env::Result::kWhiteWins:
      return game.side_to_move() == env::Color::kWhite ? Proven::kWin : Proven::kLoss;
    case env::Result::kBlackWins:
      return game.side_to_move() == env::Color::kBlack ? Proven::kWin : Proven::kLoss;
    case env::Result::kUnfinished:
      return Proven::kUnknown;
    case env::Result::kInProgress:
      break;
  }
  if (depth == 0) return Proven::kUnknown;
  env::MoveList moves;
  game.LegalMoves(moves);
  const bool only_queens = quickly && depth == 1 && !QueenHasFiveNeighbors(game.board());
  bool unknown = false;
  bool draw = false;
  for (const env::Move move : moves) {
    if (only_queens && !MovesAQueen(move)) {
      unknown = true;
      continue;
    }
    game.Apply(move);
    const Proven reply = Solve(game, depth - 1, quickly);
    game.Undo();
    if (reply == Proven::kLoss) return Proven::kWin;
    unknown |= reply == Proven::kUnknown;
    draw |= reply == Proven::kDraw;
  }
  if (unknown) return Proven::kUnknown;
  return draw ? Proven::kDraw : Proven::kLoss;
}

}  // namespace

Proven Solve(env::Game& game, int depth) { return Solve(game, depth, false); }
Proven SolveQuickly(env::Game& game, int depth) { return Solve(game, depth, true); }

void ConstantEvaluator::Submit(const env::Block& block, nn::Evaluation& evaluation) {
  const auto positions = static_cast<std::size_t>(block.positions());
  evaluation.wdl.assign(positions, wdl_);
  evaluation.moves_left.assign(positions, 10.0F);
  evaluation.logits.resize(static_cast<std::size_t>(block.move_count()));
  for (std::size_t i = 0; i < positions; ++i)
    for (int m = block.move_begin[i]; m < block.move_begin[i + 1]; ++m)
      evaluation.logits[static_cast<std::size_t>(m)] =
          logits_[static_cast<std::size_t>(m - block.move_begin[i]) % logits_.size()];
}

SearchResult Finish(Search& search, nn::Evaluator& evaluator, int max_simulations) {
  env::Block block;
  nn::Evaluation evaluation;
  while (!search.done()) {
    block.Clear();
    if (search.SelectWave(block, max_simulations) > 0) evaluator.Evaluate(block, evaluation);
    search.BackupWave(evaluation, 0);
  }
  return search.result();
}

std::string Dump(const Tree& tree) {
  std::string text;
  for (std::uint32_t n = 0; n < tree.node_count(); ++n) {
    const Node& node = tree.node(NodeId{n});
    text += fmt::format("node {} raw {} win {:08x} draw {:08x}\n", n, node.raw_value_q15,
                        std::bit_cast<std::uint32_t>(node.win_sum),
                        std::bit_cast<std::uint32_t>(node.draw_sum));
    for (const Edge& edge : tree.edges(NodeId{n}))
      text +=
          fmt::format("  {} proven {} log prior {:08x} child {} visits {}\n", edge.move.bits(),
                      static_cast<int>(edge.proven), std::bit_cast<std::uint32_t>(edge.log_prior),
                      edge.child.value, edge.visits);
  }
  return text;
}

std::string Summary(const env::Game& game, const SearchResult& result) {
  constexpr const char* kNames[] = {"-", "win", "draw", "loss"};
  std::string text =
      fmt::format("best {} value {:.3f} simulations {} evaluations {} proven {}\n",
                  env::MoveToString(game.board(), result.best), result.root_wdl.value_stm(),
                  result.simulations, result.evaluations, kNames[static_cast<int>(result.proven)]);
  for (const RootMove& move : result.moves)
    if (move.visits > 0 || move.proven != Proven::kUnknown)
      text += fmt::format("{}: {} {} {:.3f}\n", env::MoveToString(game.board(), move.move),
                          move.visits, kNames[static_cast<int>(move.proven)], move.q);
  return text;
}

}  // namespace apiary::mcts::testing
