#include "train/game_store.h"

#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <thread>
#include <tuple>

#include "train/clock.h"
#include "train/game_file.h"

namespace apiary::train {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".games.zst";
constexpr std::string_view kTemporarySuffix = ".tmp";

std::string GamesFolder(const std::string& run) { return run + "/games"; }
std::string GenerationName(int generation) { return fmt::format("g{:06}", generation); }

std::string RandomIncarnation() {
  std::random_device device;
  return fmt::format("{:08x}", static_cast<std::uint32_t>(device()));
}

std::optional<int> ParseNumber(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text.front() == '-' || error != std::errc() ||
      end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::optional<int> ParseGeneration(std::string_view folder) {
  if (folder.size() < 7 || folder.front() != 'g') return std::nullopt;
  const auto generation = ParseNumber(folder.substr(1));
  if (!generation || GenerationName(*generation) != folder) return std::nullopt;
  return generation;
}

// WORKER-INCARNATION-SEQ-nGAMES-pPOSITIONS.games.zst
bool ParseFile(std::string_view name, GameFileName& file) {
  if (!name.ends_with(kSuffix)) return false;
  name.remove_suffix(kSuffix.size());
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('-', begin), name.size());
    parts.push_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
  if (parts.size() != 5 || parts[0].empty() || parts[1].empty()) return false;
  if (!parts[3].starts_with('n') || !parts[4].starts_with('p')) return false;
  const auto sequence = ParseNumber(parts[2]);
  const auto games = ParseNumber(parts[3].substr(1));
  const auto positions = ParseNumber(parts[4].substr(1));
  if (!sequence || !games || !positions) return false;
  file.games = *games;
  file.positions = *positions;
  return true;
}

std::error_code ListFolder(const fs::path& folder, int generation, GameListing& listing) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.ends_with(kTemporarySuffix)) continue;
    GameFileName file;
    struct stat status {};
    if (!ParseFile(name, file)) {
      ++listing.foreign;
      continue;
    }
    file.path = it->path().string();
    // A file may be removed or quarantined while the folder is read.
    if (::stat(file.path.c_str(), &status) != 0) continue;
    file.key = folder.filename().string() + "/" + name;
    file.generation = generation;
    file.bytes = static_cast<std::uint64_t>(status.st_size);
    file.modified_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    listing.files.push_back(std::move(file));
  }
  return error;
}

// Makes the folder of a generation; waits while the disk is too full even for that, as
// DiskFullPolicy says for files.
void MakeFolderOrWait(const std::string& folder, const base::DiskFullPolicy& policy) {
  const double start_s = MonotonicSeconds();
  double next_message_s = start_s;
  while (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
    const int error = errno;
    const std::string message =
        fmt::format("{}: cannot create the directory: {}", folder, std::strerror(error));
    if (error != ENOSPC && error != EDQUOT) throw Error(message);
    const double now_s = MonotonicSeconds();
    if (policy.cancelled() || now_s - start_s >= policy.timeout_s())
      throw Error(message, base::kDiskFullExitCode);
    if (now_s >= next_message_s) {
      spdlog::warn("{}; trying again", message);
      next_message_s = now_s + 60;
    }
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

}  // namespace

std::int64_t GameListing::positions() const {
  std::int64_t sum = 0;
  for (const GameFileName& file : files) sum += file.positions;
  return sum;
}

std::int64_t GameListing::games() const {
  std::int64_t sum = 0;
  for (const GameFileName& file : files) sum += file.games;
  return sum;
}

base::Result<GameListing> ListGames(const std::string& run) {
  GameListing listing;
  const std::string games = GamesFolder(run);
  std::error_code error;
  fs::directory_iterator it(games, error);
  if (error == std::errc::no_such_file_or_directory) return listing;
  if (error) return base::Fail("{}: cannot list the games: {}", games, error.message());
  for (const fs::directory_iterator end; it != end; it.increment(error)) {
    const auto generation = ParseGeneration(it->path().filename().string());
    std::error_code ignored;
    if (generation && it->is_directory(ignored)) {
      const std::error_code failed = ListFolder(it->path(), *generation, listing);
      if (failed && failed != std::errc::no_such_file_or_directory)
        return base::Fail("{}: cannot list the games: {}", it->path().string(), failed.message());
    } else if (!it->path().filename().string().ends_with(kTemporarySuffix)) {
      ++listing.foreign;
    }
    if (error) return base::Fail("{}: cannot list the games: {}", games, error.message());
  }
  std::sort(listing.files.begin(), listing.files.end(),
            [](const GameFileName& a, const GameFileName& b) {
              return std::tie(a.generation, a.modified_ns, a.key) <
                     std::tie(b.generation, b.modified_ns, b.key);
            });
  return listing;
}

std::string WorkerFileName(std::string_view worker) {
  std::string name;
  for (const char c : worker) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '_';
    name += plain ? c : '_';
  }
  return name.empty() ? "_" : name;
}

void Quarantine(const std::string& run, const GameFileName& file, const std::string& why) {
  const std::string folder = run + "/bad";
  const std::string target = folder + "/" + fs::path(file.path).filename().string();
  std::error_code error;
  auto made = base::MakeDirectories(folder);
  if (made) fs::rename(file.path, target, error);
  if (!made) {
    spdlog::error("{} (it could not be moved away: {})", why, made.error());
  } else if (error) {
    spdlog::error("{} (it could not be moved to {}: {})", why, target, error.message());
  } else {
    spdlog::error("{} (moved to {})", why, target);
  }
}

GameWriter::GameWriter(std::string run, std::string worker, const Limits& limits,
                       const base::StopToken* stop)
    : run_(std::move(run)),
      worker_(WorkerFileName(worker)),
      incarnation_(RandomIncarnation()),
      limits_(limits),
      stop_(stop) {
  if (auto made = base::MakeDirectories(GamesFolder(run_)); !made) throw Error(made.error());
}

void GameWriter::Append(GameRecord game, int generation) {
  if (held_.empty()) {
    generation_ = generation;
    opened_s_ = MonotonicSeconds();
  }
  positions_ += static_cast<int>(game.positions.size());
  held_.push_back(std::move(game));
  if (positions_ >= limits_.positions_per_file) {
    Seal();
  } else {
    SealIfOld();
  }
}

void GameWriter::Seal() {
  if (held_.empty()) return;
  const base::DiskFullPolicy policy(limits_.full_timeout_s, stop_);
  const std::string folder = GamesFolder(run_) + "/" + GenerationName(generation_);
  MakeFolderOrWait(folder, policy);
  const std::string path = fmt::format("{}/{}-{}-{:06}-n{}-p{}{}", folder, worker_, incarnation_,
                                       sequence_ + 1, held_.size(), positions_, kSuffix);
  base::WriteDurablyOrWait(path, EncodeGames(held_), policy);
  ++sequence_;
  positions_ = 0;
  if (spare_.size() < held_.size()) spare_.swap(held_);
  held_.clear();
}

GameRecord GameWriter::TakeSpare() {
  if (spare_.empty()) return {};
  GameRecord record = std::move(spare_.back());
  spare_.pop_back();
  return record;
}

void GameWriter::SealIfOld() {
  if (!held_.empty() && MonotonicSeconds() - opened_s_ >= limits_.seconds_per_file) Seal();
}

std::vector<std::string> RemoveOldGames(const std::string& run, std::uint64_t keep_bytes,
                                        const std::set<std::string>& removable) {
  const auto listing = ListGames(run);
  if (!listing) {
    spdlog::warn("no old games removed: {}", listing.error());
    return {};
  }
  std::uint64_t bytes = 0;
  for (const GameFileName& file : listing->files) bytes += file.bytes;
  std::vector<std::string> removed;
  for (const GameFileName& file : listing->files) {
    if (bytes <= keep_bytes) break;
    if (!removable.contains(file.key)) continue;
    std::error_code error;
    if (!fs::remove(file.path, error)) {
      if (error) spdlog::warn("{}: cannot remove the old file: {}", file.path, error.message());
      continue;
    }
    bytes -= file.bytes;
    removed.push_back(file.key);
  }
  return removed;
}

int RemoveStaleTemporaries(const std::string& run, double older_than_s) {
  int removed = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::recursive_directory_iterator it(GamesFolder(run), error), end; !error && it != end;
       it.increment(error)) {
    if (!it->path().string().ends_with(kTemporarySuffix)) continue;
    std::error_code ignored;
    const auto modified = fs::last_write_time(it->path(), ignored);
    if (ignored || std::chrono::duration<double>(now - modified).count() < older_than_s) continue;
    if (fs::remove(it->path(), ignored)) ++removed;
  }
  return removed;
}

}  // namespace apiary::train
