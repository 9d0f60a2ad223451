#include <cmath>
#include <utility>

#include "play/match.h"

namespace apiary::play {

double PointsOfA(const PlayedGame& game, env::Color first_player) {
  if (game.fault) {
    if (game.fault->kind == FaultKind::kForeignEnd) return 0.5;
    return game.fault->of_a ? 0 : 1;
  }
  if (!game.outcome.decisive()) return 0.5;
  const env::Color a = game.a_is_first ? first_player : env::Opponent(first_player);
  const env::Result win =
      a == env::Color::kWhite ? env::Result::kWhiteWins : env::Result::kBlackWins;
  return game.outcome.result == win ? 1 : 0;
}

std::string_view ReasonOf(const PlayedGame& game) {
  return game.fault ? ToString(game.fault->kind) : env::ToString(game.outcome.reason);
}

double MatchResult::score() const {
  return games == 0 ? 0 : (wins + 0.5 * (draws + capped)) / games;
}

void CountGame(const PlayedGame& game, MatchResult& result) {
  ++result.games;
  const double points = PointsOfA(game, result.first_player);
  if (points == 1) {
    ++result.wins;
  } else if (points == 0) {
    ++result.losses;
  } else if (game.outcome.result == env::Result::kUnfinished) {
    ++result.capped;
  } else {
    ++result.draws;
    result.foreign_ends += game.fault.has_value();
  }
}

PairCounts Pentanomial(const std::vector<PlayedGame>& games, env::Color first_player) {
  struct Pair {
    double points = 0;
    int games = 0;
  };
  std::map<std::pair<int, int>, Pair> pairs;
  for (const PlayedGame& game : games) {
    Pair& pair = pairs[{game.opening, game.attempt}];
    pair.points += PointsOfA(game, first_player);
    ++pair.games;
  }
  PairCounts counts{};
  for (const auto& [number, pair] : pairs) {
    if (pair.games == 2) ++counts[static_cast<std::size_t>(std::lround(2 * pair.points))];
  }
  return counts;
}

std::map<std::string, int> Reasons(const MatchResult& result) {
  std::map<std::string, int> reasons;
  for (const PlayedGame& game : result.played) ++reasons[std::string(ReasonOf(game))];
  return reasons;
}

TimeUsed SumTimes(const MatchResult& result) {
  TimeUsed used;
  for (const PlayedGame& game : result.played) {
    used.seconds_a += game.seconds_a;
    used.seconds_b += game.seconds_b;
    used.moves_a += game.moves_a;
    used.moves_b += game.moves_b;
  }
  return used;
}

}  // namespace apiary::play
