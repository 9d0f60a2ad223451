#include <spdlog/spdlog.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/run_generations.h"
#include "app/run_report.h"
#include "app/run_summary.h"
#include "app/run_warnings.h"
#include "base/files.h"
#include "play/results_file.h"

namespace apiary::app {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string run;
  std::string to;
};

// Of the run's ratings.jsonl under the conditions of its last games; nothing where there are none.
std::optional<RatingReport> RatingsOf(const std::string& run) {
  const std::string path = run + "/ratings.jsonl";
  std::error_code error;
  if (!fs::exists(path, error)) return std::nullopt;
  const std::string text = OrThrow(base::ReadFile(path));
  const play::ResultsHistory history = OrThrow(play::ParseResults(text, path));
  if (history.records.empty()) return std::nullopt;
  RatingReport report = RateRecords(history.records, history.records.back().conditions, "random");
  report.cpu_hours = CpuHoursByGeneration(run);
  return report;
}

int RunReportCommand(const Arguments& arguments) {
  if (!IsRun(arguments.run))
    throw Error(fmt::format("{}: not a run directory", arguments.run), kBadUsage);
  RunReport report;
  report.run = arguments.run;
  report.config = OrThrow(base::ReadFile(arguments.run + "/config.toml"));
  const std::string metrics = arguments.run + "/metrics.jsonl";
  std::error_code error;
  if (fs::exists(metrics, error)) report.metrics = OrThrow(base::ReadMetrics(metrics));
  report.ratings = RatingsOf(arguments.run);
  const std::string to = arguments.to.empty() ? arguments.run + "/report.html" : arguments.to;
  OrThrow(base::WriteDurably(to, RunReportAsHtml(report)));
  for (const std::string& warning : RunWarnings(report.metrics)) spdlog::warn("{}", warning);
  std::cout << to << "\n";
  return 0;
}

}  // namespace

CommandBody AddReport(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("--run", arguments->run, "The run directory")->required();
  app.add_option("--to", arguments->to, "The file; without it RUN/report.html");
  app.footer(
      "One HTML file, readable without a network. Strength comes from the games that "
      "'apiary rate --run DIR' has played.");
  return [arguments] { return RunReportCommand(*arguments); };
}

}  // namespace apiary::app
