#include "app/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/run_warnings.h"
#include "base/chart.h"
#include "base/xml.h"

namespace apiary::app {
namespace {

using base::EscapeXml;

using Line = std::map<std::string, double>;

std::optional<double> Find(const Line& line, const char* name) {
  const auto found = line.find(name);
  if (found == line.end()) return std::nullopt;
  return found->second;
}

struct Curve {
  const char* metric;
  const char* name;   // in the legend
  double factor = 1;  // 100 for shares
};

struct Panel {
  const char* title;
  const char* y_title;
  std::vector<Curve> curves;
};

// Of metrics.jsonl, in the order in which one asks.
const std::vector<Panel>& Panels() {
  static const std::vector<Panel> panels = {
      {"Score against fixed players",
       "%",
       {{"strength_random", "random", 100}, {"strength_crowd", "crowd", 100}}},
      {"How self-play games end",
       "% of a generation's games",
       {{"share_surround", "surround", 100},
        {"share_both", "both queens", 100},
        {"share_repetition", "repetition", 100},
        {"share_cap", "length cap", 100}}},
      {"Decisive games", "% of the last 500", {{"decisive_500", "decisive", 100}}},
      {"Who wins",
       "% of a generation's games",
       {{"share_white", "white", 100},
        {"share_black", "black", 100},
        {"share_draw", "drawn", 100}}},
      {"Length of games", "plies", {{"plies", "plies"}}},
      {"Policy",
       "nats",
       {{"policy_loss", "loss"},
        {"target_entropy", "entropy of the target"},
        {"policy_kl", "KL of target to prior"}}},
      {"Value",
       "nats",
       {{"value_loss", "loss"}, {"value_loss_of_base_rate", "loss of guessing the base rate"}}},
      {"Calibration",
       "draws, %; value, points of 100",
       {{"draw_predicted", "draws predicted", 100},
        {"draw_target", "draws in targets", 100},
        {"value_bias", "value minus target", 100}}},
      {"Solved roots", "% of searches", {{"solved_share", "solved", 100}}},
      {"Uses of a position", "mean", {{"uses", "uses"}}},
      {"Throughput",
       "positions a second",
       {{"selfplay_positions_per_s", "self-play"}, {"learn_positions_per_s", "learning"}}},
      {"Learning rate", "", {{"learning_rate", "rate"}}},
      {"Gradient norm", "before clipping", {{"gradient_norm", "norm"}}},
      {"Memory", "MiB", {{"rss_bytes", "resident", 1.0 / (1 << 20)}}},
  };
  return panels;
}

base::ChartPanel ToChart(const Panel& panel, const base::MetricsHistory& metrics) {
  base::ChartPanel chart;
  chart.title = panel.title;
  chart.x_title = "CPU hours of training";
  chart.y_title = panel.y_title;
  for (const Curve& curve : panel.curves) {
    base::ChartSeries series{curve.name, {}};
    for (const Line& line : metrics.lines) {
      if (Find(line, "generation") < 2) continue;  // no search has played yet
      const auto value = Find(line, curve.metric);
      const auto cpu_s = Find(line, "cpu_s");
      if (!value || !cpu_s) continue;
      const double y = *value * curve.factor;
      series.points.push_back({*cpu_s / 3600, y, y, y});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

void AddRow(std::string& html, const std::string& name, const std::string& value) {
  html += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", EscapeXml(name), EscapeXml(value));
}

void AddSummary(const RunReport& report, std::string& html) {
  html += "<table>\n";
  AddRow(html, "run", report.run);
  if (!report.metrics.lines.empty()) {
    const Line& last = report.metrics.lines.back();
    const auto add = [&](const char* name, const char* metric, double factor, const char* unit,
                         int digits) {
      if (const auto value = Find(last, metric))
        AddRow(html, name, fmt::format("{:.{}f}{}", *value * factor, digits, unit));
    };
    add("generation", "generation", 1, "", 0);
    add("CPU time", "cpu_s", 1.0 / 3600, " h", 2);
    add("time by the clock", "elapsed_s", 1.0 / 3600, " h", 2);
    add("games", "games", 1, "", 0);
    add("positions", "positions", 1, "", 0);
    add("training steps", "step", 1, "", 0);
    add("decisive, of the last 500 games", "decisive_500", 100, " %", 1);
  }
  if (report.metrics.skipped > 0)
    AddRow(html, "lines of metrics.jsonl that could not be read",
           std::to_string(report.metrics.skipped));
  html += "</table>\n";
}

void AddWarnings(const RunReport& report, std::string& html) {
  const std::vector<std::string> warnings = RunWarnings(report.metrics);
  html += "<h2>Warnings</h2>\n";
  if (warnings.empty()) html += "<p>None.</p>\n";
  for (const std::string& warning : warnings)
    html += fmt::format("<p class=\"warning\">{}</p>\n", EscapeXml(warning));
}

void AddLadder(const RunReport& report, std::string& html) {
  html += "<h2>Strength</h2>\n";
  if (!report.ratings) {
    html +=
        fmt::format("<p>Not rated yet: <code>apiary rate --run {}</code> plays the games.</p>\n",
                    EscapeXml(report.run));
    return;
  }
  html += base::DrawChart(StrengthPanels(*report.ratings, "Strength"));
  html += fmt::format("<pre>{}</pre>\n", EscapeXml(RatingsAsText(*report.ratings)));
}

constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{0}</title>
<style>
body {{ font-family: sans-serif; max-width: 940px; margin: 2em auto; padding: 0 1em; color: #222; }}
th {{ text-align: left; padding-right: 2em; font-weight: normal; color: #555; }}
pre {{ background: #f6f6f6; padding: 1em; overflow-x: auto; }}
svg {{ max-width: 100%; height: auto; }}
.warning {{ background: #fff3d6; border-left: 4px solid #e69f00; padding: 0.6em 1em; }}
</style></head><body>
<h1>{0}</h1>
)";

}  // namespace

std::string RunReportAsHtml(const RunReport& report) {
  std::string html = fmt::format(kHead, EscapeXml("Training run " + report.run));
  AddSummary(report, html);
  AddWarnings(report, html);
  AddLadder(report, html);
  html += "<h2>Curves</h2>\n";
  std::vector<base::ChartPanel> charts;
  for (const Panel& panel : Panels()) {
    base::ChartPanel chart = ToChart(panel, report.metrics);
    const bool empty = std::all_of(chart.series.begin(), chart.series.end(),
                                   [](const auto& series) { return series.points.empty(); });
    if (!empty) charts.push_back(std::move(chart));
  }
  if (charts.empty())
    html += "<p>No metrics yet.</p>\n";
  else
    html += base::DrawChart(charts, 900, 300);
  html += fmt::format("<h2>Configuration</h2>\n<pre>{}</pre>\n</body></html>\n",
                      EscapeXml(report.config));
  return html;
}

}  // namespace apiary::app
