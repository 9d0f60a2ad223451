#include "app/rating_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_set>

#include "play/normal.h"
#include "play/pair_games.h"

namespace apiary::app {
namespace {

using play::RatedPlayer;
using play::Rating;

// What is printed; the digits behind it depend on the order of the players. No minus zero.
double ShownElo(double elo) { return std::round(elo * 100) / 100 + 0.0; }
double WholeElo(double elo) { return std::round(elo) + 0.0; }

// Groups in their order, inside each the strongest first, equals by name.
std::vector<std::size_t> ByStrength(const RatingReport& report) {
  std::vector<std::size_t> order(report.players.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&report](std::size_t i) {
    const Rating& rating = report.table.ratings[i];
    return std::tuple(rating.group, -ShownElo(rating.elo), report.labels[i]);
  };
  std::sort(order.begin(), order.end(),
            [&place](std::size_t a, std::size_t b) { return place(a) < place(b); });
  return order;
}

bool OfTheRun(const RatedPlayer& player) {
  return player.is_net() && player.text == GenerationText(player.generation);
}

std::optional<double> CpuHours(const RatingReport& report, const RatedPlayer& player) {
  const auto found = report.cpu_hours.find(player.generation);
  if (!OfTheRun(player) || found == report.cpu_hours.end()) return std::nullopt;
  return found->second;
}

// Quoted where it must be (RFC 4180).
std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted;
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return fmt::format("\"{}\"", quoted);
}

std::string Shortened(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

// Curves by search options: the same generation may have been measured with several. The bars say
// how well generations are told apart: against their mean, not against a zero far below.
std::vector<base::ChartSeries> Curves(const RatingReport& report, bool over_hours) {
  std::map<std::size_t, std::vector<std::size_t>> generations;  // by group
  for (std::size_t i = 0; i < report.players.size(); ++i) {
    if (OfTheRun(report.players[i])) generations[report.table.ratings[i].group].push_back(i);
  }
  std::map<std::string, std::vector<base::ChartPoint>> curves;
  for (std::size_t i = 0; i < report.players.size(); ++i) {
    const RatedPlayer& player = report.players[i];
    const Rating& rating = report.table.ratings[i];
    if (!OfTheRun(player)) continue;
    const auto hours = CpuHours(report, player);
    if (over_hours && !hours) continue;
    const double half = play::kZ95 * report.table.ErrorAgainstMean(i, generations[rating.group]);
    curves[player.options].push_back({over_hours ? *hours : player.generation, rating.elo,
                                      rating.elo - half, rating.elo + half});
  }
  std::vector<base::ChartSeries> series;
  for (auto& [options, points] : curves) {
    std::sort(points.begin(), points.end(),
              [](const base::ChartPoint& a, const base::ChartPoint& b) { return a.x < b.x; });
    series.push_back({options, std::move(points)});
  }
  return series;
}

// A factor of 30 in the hours is read better on a logarithmic axis.
bool WideRange(const std::vector<base::ChartSeries>& series) {
  double low = 1e300, high = 0;
  for (const base::ChartSeries& curve : series) {
    for (const base::ChartPoint& point : curve.points) {
      if (point.x > 0) low = std::min(low, point.x);
      high = std::max(high, point.x);
    }
  }
  return high > 30 * low;
}

}  // namespace

std::string GenerationText(int generation) { return fmt::format("gen-{:06}", generation); }

std::vector<std::string> LabelsOf(const std::vector<RatedPlayer>& players) {
  std::multiset<std::string> texts, longer;
  for (const RatedPlayer& player : players) {
    texts.insert(player.text);
    longer.insert(player.text + " " + player.options);
  }
  std::vector<std::string> labels;
  for (const RatedPlayer& player : players) {
    std::string label = player.text;
    if (texts.count(label) > 1) label += " " + player.options;
    if (texts.count(player.text) > 1 && longer.count(label) > 1)
      label += " " + player.sha256.substr(0, 8);
    labels.push_back(std::move(label));
  }
  return labels;
}

std::vector<RatedPlayer> AllPlayers(std::vector<RatedPlayer> players,
                                    const std::vector<play::PairRecord>& records,
                                    const play::RatingConditions& conditions) {
  std::unordered_set<std::string> known;
  for (const RatedPlayer& player : players) known.insert(player.key());
  for (const play::PairRecord& record : records) {
    if (record.conditions != conditions) continue;
    for (const RatedPlayer* player : {&record.a, &record.b}) {
      if (known.insert(player->key()).second) players.push_back(*player);
    }
  }
  return players;
}

std::optional<std::size_t> FindPlayer(const RatingReport& report, const std::string& name) {
  for (std::size_t i = 0; i < report.players.size(); ++i) {
    if (report.labels[i] == name || report.players[i].text == name) return i;
  }
  return std::nullopt;
}

RatingReport RateRecords(const std::vector<play::PairRecord>& records,
                         const play::RatingConditions& conditions, const std::string& anchor) {
  RatingReport report;
  report.players = AllPlayers({}, records, conditions);
  report.labels = LabelsOf(report.players);
  report.table =
      play::Rate(report.players.size(), play::CountResults(report.players, records, conditions),
                 FindPlayer(report, anchor).value_or(0));
  return report;
}

std::string RatingsAsText(const RatingReport& report) {
  const play::RatingTable& table = report.table;
  constexpr std::size_t kWidest = 48;
  std::size_t width = 6;
  for (const std::string& label : report.labels)
    width = std::max(width, std::min(kWidest, label.size()));
  std::string text = fmt::format("{:>3}  {:<{}}  {:>6}  {:>16}  {:>6}  {:>7}  {}\n", "#", "player",
                                 width, "Elo", "95 % interval", "games", "score", "> next");
  const std::vector<std::size_t> order = ByStrength(report);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    const Rating& rating = table.ratings[i];
    const std::string interval = rating.anchor
                                     ? "(zero)"
                                     : fmt::format("{:+.0f} .. {:+.0f}", WholeElo(rating.elo_low),
                                                   WholeElo(rating.elo_high));
    const bool has_next = k + 1 < order.size() && table.ratings[order[k + 1]].group == rating.group;
    if (k > 0 && table.ratings[order[k - 1]].group != rating.group) text += "\n";
    text += fmt::format(
        "{:>3}  {:<{}}  {:>+6.0f}  {:>16}  {:>6.0f}  {:>7}  {}\n", k + 1,
        Shortened(report.labels[i], kWidest), width, WholeElo(rating.elo), interval, rating.games(),
        rating.games() > 0 ? fmt::format("{:.1f} %", 100 * rating.score()) : "-",
        has_next ? fmt::format("{:.0f} %", 100 * table.Superiority(i, order[k + 1])) : "");
  }
  return text + fmt::format(
                    "moving first is worth {:+.0f} +- {:.0f} Elo; equals draw {:.1f} % of their "
                    "games\n",
                    WholeElo(table.first_move_elo), play::kZ95 * table.first_move_error,
                    100 * table.draw_share);
}

std::string RatingsAsJson(const RatingReport& report) {
  std::string text;
  for (const std::size_t i : ByStrength(report)) {
    const RatedPlayer& player = report.players[i];
    const Rating& rating = report.table.ratings[i];
    nlohmann::ordered_json line = {{"player", report.labels[i]},
                                   {"elo", ShownElo(rating.elo)},
                                   {"elo_low", ShownElo(rating.elo_low)},
                                   {"elo_high", ShownElo(rating.elo_high)},
                                   {"games", rating.games()},
                                   {"wins", rating.wins},
                                   {"draws", rating.draws},
                                   {"losses", rating.losses},
                                   {"score", nullptr},
                                   {"group", rating.group + 1},
                                   {"anchor", rating.anchor}};
    for (const char* count : {"games", "wins", "draws", "losses"})
      line[count] = static_cast<std::int64_t>(line[count].get<double>());
    if (rating.games() > 0) line["score"] = rating.score();
    if (player.is_net()) {
      line["options"] = player.options;
      line["generation"] = player.generation;
      line["sha256"] = player.sha256;
    }
    if (const auto hours = CpuHours(report, player)) line["cpu_hours"] = *hours;
    text += line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }
  return text;
}

std::string RatingsAsCsv(const RatingReport& report) {
  std::string text =
      "player,elo,elo_low,elo_high,games,wins,draws,losses,score,group,generation,cpu_hours\n";
  for (const std::size_t i : ByStrength(report)) {
    const RatedPlayer& player = report.players[i];
    const Rating& rating = report.table.ratings[i];
    const auto hours = CpuHours(report, player);
    text +=
        fmt::format("{},{:.2f},{:.2f},{:.2f},{:.0f},{:.0f},{:.0f},{:.0f},{},{},{},{}\n",
                    CsvField(report.labels[i]), ShownElo(rating.elo), ShownElo(rating.elo_low),
                    ShownElo(rating.elo_high), rating.games(), rating.wins, rating.draws,
                    rating.losses, rating.games() > 0 ? fmt::format("{:.4f}", rating.score()) : "",
                    rating.group + 1, player.is_net() ? std::to_string(player.generation) : "",
                    hours ? fmt::format("{:.5f}", *hours) : "");
  }
  return text;
}

std::vector<base::ChartPanel> StrengthPanels(const RatingReport& report, const std::string& title) {
  constexpr std::size_t kLongestName = 22;
  std::vector<base::ChartReference> ladder;
  for (std::size_t i = 0; i < report.players.size(); ++i) {
    const double elo = ShownElo(report.table.ratings[i].elo);
    if (!OfTheRun(report.players[i]))
      ladder.push_back(
          {fmt::format("{} {:+.0f}", Shortened(report.labels[i], kLongestName), WholeElo(elo)),
           elo});
  }
  const auto zero =
      std::find_if(report.table.ratings.begin(), report.table.ratings.end(),
                   [](const Rating& rating) { return rating.anchor && rating.group == 0; });
  const std::string y_title =
      zero == report.table.ratings.end()
          ? "Elo"
          : fmt::format(
                "Elo, {} = 0",
                Shortened(
                    report.labels[static_cast<std::size_t>(zero - report.table.ratings.begin())],
                    kLongestName));
  std::vector<base::ChartPanel> panels;
  for (const bool over_hours : {false, true}) {
    base::ChartPanel panel;
    panel.title = over_hours ? "Strength over CPU time"
                             : title + " (bars: 95 %, against the mean of the generations)";
    panel.x_title = over_hours ? "CPU hours of training" : "generation";
    panel.y_title = y_title;
    panel.series = Curves(report, over_hours);
    panel.references = ladder;
    panel.log_x = over_hours && WideRange(panel.series);
    if (panel.log_x) panel.x_title += ", logarithmic";
    panels.push_back(std::move(panel));
  }
  return panels;
}

std::string RatingsAsSvg(const RatingReport& report, const std::string& title) {
  return base::DrawChart(StrengthPanels(report, title));
}

}  // namespace apiary::app
