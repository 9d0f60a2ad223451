#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>

#include "app/arguments.h"
#include "app/bench.h"
#include "base/files.h"
#include "base/random.h"
#include "env/notation.h"

namespace apiary::app {
namespace {

constexpr const char* kDataFile = "tests/data/rules/human-games.tsv";

// Below the working directory, else below the sources this binary was built from.
std::string DataFile(const BenchArguments& arguments) {
  if (!arguments.data.empty()) return arguments.data;
  std::error_code error;
  if (std::filesystem::exists(kDataFile, error)) return kDataFile;
  const std::string built_from = std::string(APIARY_SOURCE_DIR) + "/" + kDataFile;
  if (std::filesystem::exists(built_from, error)) return built_from;
  throw Error(
      fmt::format("{} not found: run this in the project's folder or give --data FILE", kDataFile),
      kBadUsage);
}

// The field of a line that looks like a GameString; empty if none does.
std::string GameStringField(const std::string& line) {
  std::size_t begin = 0;
  while (begin <= line.size()) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    if (line.compare(begin, 4, "Base") == 0) return line.substr(begin, end - begin);
    begin = end + 1;
  }
  return "";
}

void AddPositions(const env::Game& game, PositionSet& set) {
  env::Game position(game.rules());
  for (const env::Move move : game.moves()) {
    set.games.push_back(position);
    position.Apply(move);
  }
}

}  // namespace

std::vector<PositionSet> LoadPositions(const BenchArguments& arguments) {
  const std::string path = DataFile(arguments);
  const std::string text = OrThrow(base::ReadFile(path));
  env::Rules rules;
  rules.repetition = 0;
  std::vector<PositionSet> sets = {{"Base", {}}, {"Base+MLP", {}}};
  std::size_t begin = 0;
  for (int line = 1; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string game_string = GameStringField(text.substr(begin, end - begin));
    begin = end + 1;
    if (game_string.empty()) continue;
    const auto parsed = env::ParseGameString(game_string, rules);
    if (!parsed) throw Error(fmt::format("{}: line {}: {}", path, line, parsed.error()));
    for (PositionSet& set : sets) {
      if (set.name == env::ToString(parsed->game.rules().variant)) AddPositions(parsed->game, set);
    }
  }
  std::erase_if(sets, [](const PositionSet& set) { return set.games.empty(); });
  if (sets.empty()) throw Error(fmt::format("{}: no games of Base or Base+MLP in it", path));
  base::RandomStream random(arguments.seed);
  for (PositionSet& set : sets) std::shuffle(set.games.begin(), set.games.end(), random);
  return sets;
}

double WallSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double ThreadSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double Median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double MedianSeconds(double (*clock)(), double seconds, const std::function<void()>& pass) {
  constexpr std::size_t kLeast = 3;
  pass();
  std::vector<double> times;
  const double end = WallSeconds() + seconds;
  while (times.size() < kLeast || WallSeconds() < end) {
    const double begin = clock();
    pass();
    times.push_back(clock() - begin);
  }
  return Median(times);
}

}  // namespace apiary::app
