#include "app/run_summary.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "nn/weights.h"
#include "train/game_file.h"
#include "train/game_store.h"

namespace apiary::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWindow = 500;  // games a decisive share is taken over

double DecisiveShare(std::span<const env::Outcome> outcomes) {
  const auto decisive =
      std::count_if(outcomes.begin(), outcomes.end(), [](env::Outcome o) { return o.decisive(); });
  return static_cast<double>(decisive) / static_cast<double>(outcomes.size());
}

// Files come and go while a run is trained: what has vanished counts nothing.
std::uint64_t BytesBelow(const std::string& run) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator file(run, error), end; !error && file != end;
       file.increment(error)) {
    std::error_code vanished;
    const auto size = file->is_regular_file(vanished) ? file->file_size(vanished) : 0;
    if (!vanished) bytes += size;
  }
  return bytes;
}

void AddGames(const std::vector<train::GameRecord>& games, RunSummary& summary) {
  for (const train::GameRecord& game : games) {
    ++summary.games;
    summary.positions += static_cast<std::int64_t>(game.moves.size());
    if (game.first_generation == 0) {
      ++summary.gen0_games;
      summary.gen0_decisive += game.outcome.decisive();
    } else {
      summary.outcomes.push_back(game.outcome);
    }
  }
}

}  // namespace

double RunSummary::bytes_per_position() const {
  return positions == 0 ? 0 : static_cast<double>(game_bytes) / static_cast<double>(positions);
}

std::optional<double> RunSummary::decisive() const {
  if (outcomes.empty()) return std::nullopt;
  return DecisiveShare(outcomes);
}

std::optional<double> RunSummary::decisive_gen0() const {
  if (gen0_games == 0) return std::nullopt;
  return static_cast<double>(gen0_decisive) / static_cast<double>(gen0_games);
}

std::vector<double> RunSummary::decisive_windows() const {
  std::vector<double> windows;
  for (std::size_t begin = 0; begin + kWindow <= outcomes.size(); begin += kWindow)
    windows.push_back(DecisiveShare(std::span(outcomes).subspan(begin, kWindow)));
  return windows;
}

base::Result<RunSummary> SummarizeRun(const std::string& run) {
  auto listing = train::ListGames(run);
  if (!listing) return listing.failure();
  RunSummary summary;
  for (const train::GameFileName& file : listing->files) {
    std::error_code vanished;
    const auto bytes = fs::file_size(file.path, vanished);
    if (vanished) continue;
    ++summary.files;
    auto games = train::ReadGameFile(file.path);
    if (!games) {
      ++summary.bad_files;
      summary.errors.push_back(games.error());
      continue;
    }
    summary.game_bytes += bytes;
    AddGames(*games, summary);
  }
  summary.generations = nn::HighestGeneration(run);
  summary.run_bytes = BytesBelow(run);
  return summary;
}

bool IsRun(const std::string& path) {
  std::error_code error;
  return fs::exists(fs::path(path) / "config.toml", error) ||
         fs::is_directory(fs::path(path) / "games", error) ||
         fs::is_directory(fs::path(path) / "weights", error);
}

}  // namespace apiary::app
