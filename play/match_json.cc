#include <cmath>
#include <nlohmann/json.hpp>

#include "play/match.h"

namespace apiary::play {
namespace {

nlohmann::ordered_json FiniteOrNull(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
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
  json["score"] =
      result.games == 0 ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(result.score());
  json["score_low"] = estimate.score_low;
  json["score_high"] = estimate.score_high;
  json["elo"] = result.games == 0 ? nlohmann::ordered_json(nullptr) : FiniteOrNull(estimate.elo);
  json["elo_low"] = FiniteOrNull(estimate.elo_low);
  json["elo_high"] = FiniteOrNull(estimate.elo_high);
  if (result.sprt) {
    json["llr"] = result.sprt->llr;
    json["sprt"] = ToString(result.sprt->decision);
  }
  json["mean_plies"] = result.mean_plies;
  json["seconds"] = result.seconds;
  return json.dump();
}

}  // namespace apiary::play
