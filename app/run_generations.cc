#include "app/run_generations.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include "base/metrics.h"
#include "base/text.h"

namespace apiary::app {
namespace {

// A generation's number.
std::optional<int> ParseGeneration(std::string_view text) {
  return base::ParseWhole(text, 1, std::numeric_limits<int>::max());
}

base::Failure BadChoice(const std::string& choice) {
  return base::Fail(
      "--generations {}: expected all, a number of generations (2 or more), or their numbers with "
      "commas, for instance 1,10,20",
      choice);
}

// Steps 1, 2, 5, 10, 20, ...: the first that leaves at most `most` generations.
std::vector<int> Spread(const std::vector<int>& present, int most) {
  if (present.size() <= static_cast<std::size_t>(most)) return present;
  for (int decade = 1;; decade *= 10) {
    for (const int factor : {1, 2, 5}) {
      std::vector<int> chosen;
      for (const int generation : present) {
        if (generation % (factor * decade) == 0 || generation == present.front() ||
            generation == present.back())
          chosen.push_back(generation);
      }
      if (chosen.size() <= static_cast<std::size_t>(most)) return chosen;
    }
  }
}

}  // namespace

base::Result<std::vector<int>> ChooseGenerations(const std::vector<int>& present,
                                                 const std::string& choice) {
  if (choice == "all") return present;
  if (choice.find(',') == std::string::npos) {
    const auto most = base::ParseWhole(choice, 2, std::numeric_limits<int>::max());
    if (!most) return BadChoice(choice);
    return Spread(present, *most);
  }
  std::set<int> chosen;
  for (std::string_view rest = choice; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const auto generation = ParseGeneration(rest.substr(0, comma));
    if (!generation) return BadChoice(choice);
    if (!std::binary_search(present.begin(), present.end(), *generation))
      return base::Fail("--generations {}: the run has no weights of generation {}", choice,
                        *generation);
    chosen.insert(*generation);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return std::vector<int>(chosen.begin(), chosen.end());
}

std::map<int, double> CpuHoursByGeneration(const std::string& run) {
  std::map<int, double> hours;
  const auto history = base::ReadMetrics(run + "/metrics.jsonl");
  if (!history) return hours;
  for (const auto& line : history->lines) {
    const auto generation = line.find("generation");
    const auto cpu_s = line.find("cpu_s");
    if (generation != line.end() && cpu_s != line.end())
      hours[static_cast<int>(generation->second)] = cpu_s->second / 3600;
  }
  return hours;
}

}  // namespace apiary::app
