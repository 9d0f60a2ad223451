#include <cmath>
#include <nlohmann/json.hpp>

#include "play/match.h"

namespace apiary::play {
namespace {

nlohmann::ordered_json FiniteOrNull(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

// Games that a player ended by a fault of its own, by kind.
nlohmann::ordered_json FaultsOf(bool a, const MatchResult& result) {
  auto faults = nlohmann::ordered_json::object();
  for (const PlayedGame& game : result.played) {
    if (!game.fault || game.fault->of_a != a) continue;
    auto& count = faults[std::string(ToString(game.fault->kind))];
    count = count.is_null() ? 1 : count.get<int>() + 1;
  }
  return faults;
}

}  // namespace

std::string MatchToJson(const PlayerSpec& a, const PlayerSpec& b, const MatchResult& result) {
  const Estimate estimate = EstimateMatch(result);
  nlohmann::ordered_json json;
  json["a"] = a.text;
  json["b"] = b.text;
  json["a_name"] = PlayerName(a);
  json["b_name"] = PlayerName(b);
  json["games"] = result.games;
  json["wins"] = result.wins;
  json["draws"] = result.draws;
  json["losses"] = result.losses;
  json["capped"] = result.capped;
  json["duplicates"] = result.duplicates;
  json["foreign_ends"] = result.foreign_ends;
  json["skipped_openings"] = result.skipped_openings;
  json["score"] =
      result.games == 0 ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(result.score());
  json["score_low"] = estimate.score_low;
  json["score_high"] = estimate.score_high;
  json["elo"] = result.games == 0 ? nlohmann::ordered_json(nullptr) : FiniteOrNull(estimate.elo);
  json["elo_low"] = FiniteOrNull(estimate.elo_low);
  json["elo_high"] = FiniteOrNull(estimate.elo_high);
  json["los"] = estimate.superiority;
  json["pentanomial"] = Pentanomial(result.played, result.first_player);
  json["reasons"] = Reasons(result);
  if (result.sprt) {
    json["llr"] = result.sprt->llr;
    json["sprt"] = ToString(result.sprt->decision);
  }
  json["mean_plies"] = result.mean_plies;
  json["seconds"] = result.seconds;
  const TimeUsed used = SumTimes(result);
  json["a_seconds"] = used.seconds_a;
  json["b_seconds"] = used.seconds_b;
  json["a_moves"] = used.moves_a;
  json["b_moves"] = used.moves_b;
  json["a_faults"] = FaultsOf(true, result);
  json["b_faults"] = FaultsOf(false, result);
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace apiary::play
