#include "play/uct.h"

#include <cmath>
#include <utility>

#include "env/movegen.h"

namespace apiary::play {
namespace {

constexpr std::uint32_t kWin = 2;

std::uint32_t HalfPointsOfWhite(env::Result result) {
  if (result == env::Result::kWhiteWins) return kWin;
  return result == env::Result::kBlackWins ? 0 : 1;
}

}  // namespace

UctResult Uct::Search(const env::Game& game, int playouts, base::RandomStream& random) {
  APIARY_CHECK(!game.outcome().over() && playouts >= 1 && playouts <= kMaxPlayouts,
               "{} playouts, game {}", playouts, env::ToString(game.outcome().result));
  nodes_.clear();
  nodes_.emplace_back();
  env::Game line = game;
  Expand(0, line, random);
  for (int i = 0; i < playouts; ++i) {
    path_.assign(1, 0);
    while (nodes_[path_.back()].children > 0) {
      const std::size_t next = Select(nodes_[path_.back()]);
      path_.push_back(next);
      line.Apply(nodes_[next].move);
      const bool again = nodes_[next].visits > 0 && nodes_[next].children == 0;
      if (again && !line.outcome().over()) Expand(next, line, random);
    }
    const std::uint32_t white = line.outcome().over() ? HalfPointsOfWhite(line.outcome().result)
                                                      : Playout(line.board(), random);
    // Back up from the last move on: who made it is not who is to move after it.
    for (; path_.size() > 1; path_.pop_back()) {
      line.Undo();
      Node& node = nodes_[path_.back()];
      ++node.visits;
      node.half_points += line.side_to_move() == env::Color::kWhite ? white : kWin - white;
    }
    ++nodes_[0].visits;
  }
  const Node* best = &nodes_[nodes_[0].first_child];
  for (std::size_t i = 1; i < nodes_[0].children; ++i) {
    const Node& node = nodes_[nodes_[0].first_child + i];
    if (std::pair(node.visits, node.half_points) > std::pair(best->visits, best->half_points))
      best = &node;
  }
  return {best->move, static_cast<double>(best->half_points) / (kWin * best->visits)};
}

void Uct::Expand(std::size_t node, const env::Game& game, base::RandomStream& random) {
  game.LegalMoves(moves_);
  for (int i = moves_.size(); i > 1; --i)
    std::swap(moves_[i - 1], moves_[static_cast<int>(random.Below(static_cast<std::uint32_t>(i)))]);
  nodes_[node].first_child = static_cast<std::uint32_t>(nodes_.size());
  nodes_[node].children = static_cast<std::uint16_t>(moves_.size());
  for (const env::Move move : moves_) nodes_.push_back({.move = move});
}

std::size_t Uct::Select(const Node& parent) const {
  const double log_visits = std::log(static_cast<double>(parent.visits));
  std::size_t best = parent.first_child;
  double best_bound = -1;
  for (std::size_t i = parent.first_child; i < std::size_t{parent.first_child} + parent.children;
       ++i) {
    const Node& node = nodes_[i];
    if (node.visits == 0) return i;
    const double score = static_cast<double>(node.half_points) / (kWin * node.visits);
    const double bound = score + kUctExploration * std::sqrt(log_visits / node.visits);
    if (bound <= best_bound) continue;
    best = i;
    best_bound = bound;
  }
  return best;
}

std::uint32_t Uct::Playout(const env::Board& start, base::RandomStream& random) {
  env::Board board = start;
  for (int ply = 0; ply < kPlayoutPlies; ++ply) {
    env::GenerateLegalMoves(board, moves_);
    board.Apply(moves_[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves_.size())))]);
    const env::Outcome outcome = board.SurroundOutcome();
    if (outcome.over()) return HalfPointsOfWhite(outcome.result);
  }
  return 1;
}

}  // namespace apiary::play
