// Which published generations of a run are measured, and what each has cost. Reads files only; one
// thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace apiary::app {

// choice: "all"; a number N: at most N of them (2 or more), the first, the last and round numbers
// between, so that a run that grows keeps most of its choice; or numbers with commas ("7," is one).
base::Result<std::vector<int>> ChooseGenerations(const std::vector<int>& present,
                                                 const std::string& choice);

// CPU hours of the learner's process up to each generation, from metrics.jsonl; generations whose
// line is lost are absent.
std::map<int, double> CpuHoursByGeneration(const std::string& run);

}  // namespace apiary::app
