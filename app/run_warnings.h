// What looks wrong in the metrics of a run. Values in, text out.
#pragma once

#include <string>
#include <vector>

#include "base/metrics.h"

namespace apiary::app {

// A sentence for each trouble, with its usual causes; empty where there is none.
std::vector<std::string> RunWarnings(const base::MetricsHistory& metrics);

}  // namespace apiary::app
