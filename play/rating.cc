#include "play/rating.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/check.h"
#include "play/davidson.h"
#include "play/normal.h"

namespace apiary::play {
namespace {

// Adjacency as lists; deterministic orders.
using Graph = std::vector<std::vector<std::size_t>>;

// Players that are connected by games, each group in ascending order, the anchor's first.
std::vector<std::vector<std::size_t>> GroupsOf(std::size_t players,
                                               std::span<const OrderedResults> results,
                                               std::size_t anchor) {
  Graph met(players);
  for (const OrderedResults& result : results) {
    if (result.games() <= 0) continue;
    met[result.first].push_back(result.second);
    met[result.second].push_back(result.first);
  }
  std::vector<bool> seen(players, false);
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t k = 0; k <= players; ++k) {
    const std::size_t start = k == 0 ? anchor : k - 1;
    if (seen[start]) continue;
    std::vector<std::size_t> group = {start};
    seen[start] = true;
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (const std::size_t other : met[group[i]]) {
        if (seen[other]) continue;
        seen[other] = true;
        group.push_back(other);
      }
    }
    std::sort(group.begin(), group.end());
    groups.push_back(std::move(group));
  }
  return groups;
}

// Strongly connected parts by depth-first search (Tarjan 1972) of the edges "took a point from". A
// part is complete after all that it took points from, so the strongest come last.
class Tiers {
 public:
  Tiers(std::size_t players, std::span<const OrderedResults> results)
      : scored_(players), number_(players, 0), low_(players, 0), open_(players, false) {
    for (const OrderedResults& result : results) {
      if (result.wins + result.draws > 0) scored_[result.first].push_back(result.second);
      if (result.losses + result.draws > 0) scored_[result.second].push_back(result.first);
    }
  }

  std::vector<std::vector<std::size_t>> Of(const std::vector<std::size_t>& group) {
    tiers_.clear();
    for (const std::size_t player : group) {
      if (number_[player] == 0) Visit(player);
    }
    std::reverse(tiers_.begin(), tiers_.end());
    return tiers_;
  }

 private:
  void Visit(std::size_t player) {
    number_[player] = low_[player] = ++count_;
    stack_.push_back(player);
    open_[player] = true;
    for (const std::size_t other : scored_[player]) {
      if (number_[other] == 0) {
        Visit(other);
        low_[player] = std::min(low_[player], low_[other]);
      } else if (open_[other]) {
        low_[player] = std::min(low_[player], number_[other]);
      }
    }
    if (low_[player] != number_[player]) return;
    std::vector<std::size_t> tier;
    do {
      tier.push_back(stack_.back());
      open_[stack_.back()] = false;
      stack_.pop_back();
    } while (tier.back() != player);
    std::sort(tier.begin(), tier.end());
    tiers_.push_back(std::move(tier));
  }

  Graph scored_;
  std::vector<std::size_t> number_, low_, stack_;
  std::vector<bool> open_;
  std::size_t count_ = 0;
  std::vector<std::vector<std::size_t>> tiers_;
};

struct Fit {
  Eigen::VectorXd parameters;
  Eigen::MatrixXd covariance;  // [parameters, parameters]; zero for those held fixed
};

// Newton's method with step halving on the parameters in `free`; the others stay 0.
Fit Maximise(std::span<const OrderedResults> results, std::span<const PriorPair> pairs,
             const RatingPrior& prior, Eigen::Index size, const std::vector<Eigen::Index>& free) {
  constexpr int kMaxSteps = 200;
  constexpr double kPrecision = 1e-10;  // nats
  constexpr int kMaxHalvings = 40;
  Eigen::VectorXd at = Eigen::VectorXd::Zero(size);
  at[size - 1] = prior.log_draw_mean;
  LogPosterior here = EvaluateDavidson(results, pairs, prior, at);
  for (int step = 0; step < kMaxSteps; ++step) {
    // 1. The direction: concavity makes the free part of -H positive definite.
    const Eigen::MatrixXd curvature = -here.hessian(free, free);
    const Eigen::VectorXd direction = curvature.ldlt().solve(here.gradient(free));
    if (direction.lpNorm<Eigen::Infinity>() < kPrecision) break;
    // 2. The longest of the steps 1, 1/2, 1/4, ... that does not lower the value.
    double length = 1;
    LogPosterior next;
    Eigen::VectorXd trial;
    for (int halving = 0; halving < kMaxHalvings; ++halving, length /= 2) {
      trial = at;
      trial(free) += length * direction;
      next = EvaluateDavidson(results, pairs, prior, trial);
      if (next.value >= here.value) break;
    }
    if (!(next.value >= here.value)) break;  // only rounding is left
    at = std::move(trial);
    here = std::move(next);
  }
  Fit fit;
  fit.covariance = Eigen::MatrixXd::Zero(size, size);
  const Eigen::MatrixXd curvature = -here.hessian(free, free);
  const Eigen::MatrixXd inverse =
      curvature.ldlt().solve(Eigen::MatrixXd::Identity(curvature.rows(), curvature.cols()));
  fit.covariance(free, free) = inverse;
  fit.parameters = std::move(at);
  return fit;
}

void CheckResults(std::size_t players, std::span<const OrderedResults> results,
                  std::size_t anchor) {
  APIARY_CHECK(anchor < players, "anchor {} of {} players", anchor, players);
  for (const OrderedResults& r : results) {
    APIARY_CHECK(r.first < players && r.second < players && r.first != r.second,
                 "result of players {} and {} of {}", r.first, r.second, players);
    APIARY_CHECK(r.wins >= 0 && r.draws >= 0 && r.losses >= 0, "{} wins, {} draws, {} losses",
                 r.wins, r.draws, r.losses);
  }
}

void Count(std::span<const OrderedResults> results, std::vector<Rating>& ratings) {
  for (const OrderedResults& result : results) {
    Rating& first = ratings[result.first];
    Rating& second = ratings[result.second];
    first.wins += result.wins;
    first.draws += result.draws;
    first.losses += result.losses;
    second.wins += result.losses;
    second.draws += result.draws;
    second.losses += result.wins;
  }
}

constexpr std::size_t kNamesShown = 6;

std::string Names(const std::vector<std::size_t>& players, std::span<const std::string> names) {
  std::vector<std::string> shown;
  for (const std::size_t player : players) {
    if (shown.size() == kNamesShown) break;
    shown.push_back(names[player]);
  }
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (players.size() > kNamesShown)
    text += fmt::format(" and {} more", players.size() - kNamesShown);
  return text;
}

}  // namespace

double RatingTable::DifferenceError(std::size_t a, std::size_t b) const {
  const std::size_t n = ratings.size();
  const double variance = covariance[a * n + a] + covariance[b * n + b] - 2 * covariance[a * n + b];
  return std::sqrt(std::max(0.0, variance));
}

double RatingTable::ErrorAgainstMean(std::size_t player,
                                     std::span<const std::size_t> others) const {
  APIARY_CHECK(!others.empty(), "player {} against nobody", player);
  const std::size_t n = ratings.size();
  const auto count = static_cast<double>(others.size());
  double variance = covariance[player * n + player];
  for (const std::size_t i : others) {
    variance -= 2 * covariance[player * n + i] / count;
    for (const std::size_t j : others) variance += covariance[i * n + j] / count / count;
  }
  return std::sqrt(std::max(0.0, variance));
}

double RatingTable::Superiority(std::size_t a, std::size_t b) const {
  const double error = DifferenceError(a, b);
  const double difference = ratings[a].elo - ratings[b].elo;
  if (error <= 0) return difference > 0 ? 1 : difference < 0 ? 0 : 0.5;
  return NormalBelow(difference / error);
}

RatingTable Rate(std::size_t players, std::span<const OrderedResults> results, std::size_t anchor,
                 const RatingPrior& prior) {
  RatingTable table;
  if (players == 0) return table;
  CheckResults(players, results, anchor);
  table.ratings.resize(players);
  Count(results, table.ratings);
  table.groups = GroupsOf(players, results, anchor);
  Tiers tiers(players, results);
  for (std::size_t group = 0; group < table.groups.size(); ++group) {
    table.tiers.push_back(tiers.Of(table.groups[group]));
    for (const std::size_t player : table.groups[group]) table.ratings[player].group = group;
    table.ratings[group == 0 ? anchor : table.groups[group].front()].anchor = true;
  }

  const auto size = static_cast<Eigen::Index>(players) + 2;
  std::vector<Eigen::Index> free;
  for (std::size_t player = 0; player < players; ++player) {
    if (!table.ratings[player].anchor) free.push_back(static_cast<Eigen::Index>(player));
  }
  free.push_back(size - 2);
  free.push_back(size - 1);
  const Fit fit = Maximise(results, PriorPairs(players, results, prior), prior, size, free);

  table.covariance.resize(players * players);
  for (std::size_t i = 0; i < players; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    for (std::size_t j = 0; j < players; ++j)
      table.covariance[i * players + j] =
          kEloOfNat * kEloOfNat * fit.covariance(row, static_cast<Eigen::Index>(j));
    Rating& rating = table.ratings[i];
    rating.elo = kEloOfNat * fit.parameters[row];
    rating.error = std::sqrt(table.covariance[i * players + i]);
    rating.elo_low = rating.elo - kZ95 * rating.error;
    rating.elo_high = rating.elo + kZ95 * rating.error;
  }
  table.first_move_elo = kEloOfNat * fit.parameters[size - 2];
  table.first_move_error = kEloOfNat * std::sqrt(fit.covariance(size - 2, size - 2));
  table.draw_share = DavidsonShares(0, fit.parameters[size - 1]).draw;
  return table;
}

std::vector<std::string> Caveats(const RatingTable& table, std::span<const std::string> names) {
  std::vector<std::string> sentences;
  if (table.groups.size() > 1) {
    std::vector<std::string> groups;
    for (const auto& group : table.groups)
      groups.push_back(fmt::format("{{{}}}", Names(group, names)));
    sentences.push_back(fmt::format(
        "not connected by any game: {}; ratings compare only inside such a group, and each has a "
        "zero of its own",
        fmt::join(groups, " and ")));
  }
  for (const auto& tiers : table.tiers) {
    if (tiers.size() < 2) continue;
    std::vector<std::string> parts;
    for (const auto& tier : tiers) parts.push_back(fmt::format("{{{}}}", Names(tier, names)));
    sentences.push_back(fmt::format(
        "nobody took a point from a player further left in {}: such distances are as large as the "
        "number of games allows, read them as 'at least'",
        fmt::join(parts, " > ")));
  }
  return sentences;
}

}  // namespace apiary::play
