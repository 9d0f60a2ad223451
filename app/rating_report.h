// A table of ratings as text for people, JSON lines, CSV and an SVG curve. Values in, text out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/chart.h"
#include "play/rating.h"
#include "play/results_file.h"

namespace apiary::app {

struct RatingReport {
  std::vector<play::RatedPlayer> players;
  std::vector<std::string> labels;  // a name a player, all different
  play::RatingTable table;          // of these players
  std::map<int, double> cpu_hours;  // by generation, of a run
};

// Texts where they are different, else with options and weights.
std::vector<std::string> LabelsOf(const std::vector<play::RatedPlayer>& players);

// `players` and all others that the records of these conditions know.
std::vector<play::RatedPlayer> AllPlayers(std::vector<play::RatedPlayer> players,
                                          const std::vector<play::PairRecord>& records,
                                          const play::RatingConditions& conditions);
// The player of this label or text.
std::optional<std::size_t> FindPlayer(const RatingReport& report, const std::string& name);
// All that the records of these conditions say; the player `anchor`, else the first, is 0.
// Precondition: there is such a record.
RatingReport RateRecords(const std::vector<play::PairRecord>& records,
                         const play::RatingConditions& conditions, const std::string& anchor);

// In run mode a generation's text is "gen-000012": the name of its weights file.
std::string GenerationText(int generation);

std::string RatingsAsText(const RatingReport& report);
// One object a line, the strongest first: player, elo, elo_low, elo_high, games, ...
std::string RatingsAsJson(const RatingReport& report);
std::string RatingsAsCsv(const RatingReport& report);
// Strength over generations and over CPU hours; other players are horizontal lines.
std::vector<base::ChartPanel> StrengthPanels(const RatingReport& report, const std::string& title);
std::string RatingsAsSvg(const RatingReport& report, const std::string& title);

}  // namespace apiary::app
