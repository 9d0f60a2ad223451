// What a run has to tell, as one HTML file without scripts or further files: curves, ladder,
// warnings. Values in, text out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/rating_report.h"
#include "base/metrics.h"

namespace apiary::app {

struct RunReport {
  std::string run;
  std::string config;  // its config.toml
  base::MetricsHistory metrics;
  std::optional<RatingReport> ratings;  // of the run's ratings.jsonl, where there is one
};

std::string RunReportAsHtml(const RunReport& report);

}  // namespace apiary::app
