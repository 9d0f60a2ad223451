#include "play/analysis.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "env/notation.h"
#include "mcts/edge_table.h"
#include "mcts/proven.h"

namespace apiary::play {
namespace {

// The edge that play is expected to take: a proven win, else the most visited one that does not
// lose, else the most visited. nullptr where the search has not been.
const mcts::Edge* Expected(std::span<const mcts::Edge> edges) {
  const mcts::Edge* best = nullptr;
  const auto rank = [](const mcts::Edge& edge) {
    const bool wins = edge.proven == mcts::Proven::kWin;
    const bool loses = edge.proven == mcts::Proven::kLoss;
    return std::tuple(wins, !loses && edge.visits > 0, edge.visits);
  };
  for (const mcts::Edge& edge : edges)
    if (best == nullptr || rank(edge) > rank(*best)) best = &edge;
  if (best == nullptr || (best->visits == 0 && best->proven != mcts::Proven::kWin)) return nullptr;
  return best;
}

std::vector<env::Move> FollowLine(const mcts::Tree& tree, const mcts::Edge& first, int most_plies) {
  std::vector<env::Move> moves;
  const mcts::Edge* edge = &first;
  while (edge != nullptr) {
    moves.push_back(edge->move);
    if (static_cast<int>(moves.size()) >= most_plies || !edge->child.valid()) break;
    edge = Expected(tree.edges(edge->child));
  }
  return moves;
}

std::optional<nn::Wdl> WdlOf(const mcts::Tree& tree, const mcts::Edge& edge) {
  if (edge.proven != mcts::Proven::kUnknown) return mcts::ExactWdl(edge.proven);
  if (edge.visits == 0 || !edge.child.valid()) return std::nullopt;
  return nn::Flip(mcts::AverageWdl(tree.node(edge.child), edge.visits));
}

}  // namespace

std::vector<AnalysisLine> BestLines(const mcts::Tree& tree, const mcts::SearchResult& result,
                                    int count, int most_plies) {
  const std::span<const mcts::Edge> edges = tree.edges(mcts::kRoot);
  APIARY_CHECK(edges.size() == result.moves.size(), "{} edges and {} moves of one search",
               edges.size(), result.moves.size());
  std::vector<std::size_t> order(edges.size());
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&](std::size_t i) {
    return std::tuple(edges[i].move == result.best, edges[i].proven == mcts::Proven::kWin,
                      edges[i].proven != mcts::Proven::kLoss, edges[i].visits,
                      result.moves[i].prior);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
  order.resize(std::min(order.size(), static_cast<std::size_t>(std::max(count, 0))));
  std::uint64_t visits = 0;
  for (const mcts::Edge& edge : edges) visits += edge.visits;
  std::vector<AnalysisLine> lines;
  for (const std::size_t i : order) {
    AnalysisLine line{FollowLine(tree, edges[i], most_plies), WdlOf(tree, edges[i]),
                      edges[i].proven, edges[i].visits};
    if (visits > 0) line.share = static_cast<double>(line.visits) / static_cast<double>(visits);
    line.prior = result.moves[i].prior;
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> LineToStrings(const env::Game& game, const std::vector<env::Move>& moves) {
  std::vector<std::string> texts;
  env::Game follow = game;
  for (const env::Move move : moves) {
    texts.push_back(env::MoveToString(follow.board(), move));
    follow.Apply(move);
  }
  return texts;
}

}  // namespace apiary::play
