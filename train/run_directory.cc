#include "train/run_directory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files.h"

namespace apiary::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolders[] = {"weights", "games", "ckpt", "tb", "logs", "workers", "bad"};
constexpr std::string_view kEpochPrefix = "epoch-";

std::string ConfigPath(const std::string& run) { return run + "/config.toml"; }

std::vector<std::string> AllOverrides(const RunOptions& options) {
  std::vector<std::string> overrides = options.overrides;
  if (options.minutes >= 0) overrides.push_back(fmt::format("budget.minutes={}", options.minutes));
  if (options.generations >= 0)
    overrides.push_back(fmt::format("budget.generations={}", options.generations));
  if (options.threads >= 0) overrides.push_back(fmt::format("threads={}", options.threads));
  return overrides;
}

std::vector<base::Settings::Entry> EntriesOf(RunConfig config) {
  base::Settings settings;
  RegisterSettings(config, settings);
  return settings.Entries();
}

bool FixedForARun(const std::string& key) {
  return key.starts_with("net.") || key == "rules.variant";
}

base::Result<std::vector<std::string>> Changes(const RunConfig& before, const RunConfig& after,
                                               const std::string& run) {
  const auto old_entries = EntriesOf(before);
  const auto new_entries = EntriesOf(after);
  std::vector<std::string> changes;
  for (std::size_t i = 0; i < old_entries.size(); ++i) {
    if (old_entries[i].value == new_entries[i].value) continue;
    const std::string& key = old_entries[i].key;
    if (FixedForARun(key))
      return base::Fail("{}: {} is {} in this run and cannot become {}: start a new run for that",
                        run, key, old_entries[i].value, new_entries[i].value);
    changes.push_back(fmt::format("{}: {} -> {}", key, old_entries[i].value, new_entries[i].value));
  }
  return changes;
}

base::Result<void> MakeFolders(const std::string& run) {
  for (const char* folder : kFolders)
    if (auto made = base::MakeDirectories(run + "/" + folder); !made) return made;
  return {};
}

int HighestEpoch(const std::string& run) {
  int highest = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run + "/ckpt", error)) {
    const std::string name = entry.path().filename();
    int epoch = 0;
    if (name.starts_with(kEpochPrefix) &&
        std::from_chars(name.data() + kEpochPrefix.size(), name.data() + name.size(), epoch).ec ==
            std::errc())
      highest = std::max(highest, epoch);
  }
  return highest;
}

std::string EpochPath(const std::string& run, int epoch) {
  return fmt::format("{}/ckpt/{}{:06}", run, kEpochPrefix, epoch);
}

// Under a name of this process's own first: many workers may start on a run at the same moment.
base::Result<void> WriteConfig(const std::string& run, const RunConfig& config) {
  char host[64] = "host";
  ::gethostname(host, sizeof(host) - 1);
  const std::string own = fmt::format("{}.{}_{}", ConfigPath(run), host, ::getpid());
  base::WriteDurablyOrWait(own, ConfigToToml(config),
                           base::DiskFullPolicy(config.io.full_timeout_s, &base::ProcessStop()));
  std::error_code error;
  fs::rename(own, ConfigPath(run), error);
  if (error) return base::Fail("{}: cannot be written: {}", ConfigPath(run), error.message());
  return {};
}

base::Result<OpenedRun> ResumeRun(const RunOptions& options) {
  const auto own = LoadConfig(ConfigPath(options.run), {});
  if (!own) return own.failure();
  const std::string source = options.config.empty() ? ConfigPath(options.run) : options.config;
  auto wanted = LoadConfig(source, AllOverrides(options));
  if (!wanted) return wanted.failure();
  auto changes = Changes(*own, *wanted, options.run);
  if (!changes) return changes.failure();
  return OpenedRun{*std::move(wanted), true, *std::move(changes)};
}

}  // namespace

base::Result<OpenedRun> OpenRun(const RunOptions& options, bool create) {
  std::error_code error;
  const bool exists = fs::exists(ConfigPath(options.run), error);
  if (error) return base::Fail("{}: cannot be opened: {}", options.run, error.message());
  if (!exists && !create)
    return base::Fail(
        "{}: not a run directory (no config.toml): start one with apiary train or learn",
        options.run);

  OpenedRun opened;
  if (exists) {
    auto resumed = ResumeRun(options);
    if (!resumed) return resumed;
    opened = *std::move(resumed);
  } else {
    auto config =
        LoadConfig(options.config.empty() ? "quick" : options.config, AllOverrides(options));
    if (!config) return config.failure();
    opened.config = *std::move(config);
  }
  if (auto made = MakeFolders(options.run); !made) return made.failure();
  if (!exists || !opened.changes.empty()) {
    if (auto written = WriteConfig(options.run, opened.config); !written) return written.failure();
  }
  return opened;
}

std::string StopFile(const std::string& run) { return run + "/STOP"; }

bool StopFilePresent(const std::string& run) {
  std::error_code error;
  return fs::exists(StopFile(run), error);
}

bool RemoveStopFile(const std::string& run) {
  std::error_code error;
  return fs::remove(StopFile(run), error);
}

base::Result<LearnerFence> LearnerFence::Claim(const std::string& run) {
  for (;;) {
    const int epoch = HighestEpoch(run) + 1;
    const std::string path = EpochPath(run, epoch);
    const int descriptor = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
    if (descriptor >= 0) {
      ::close(descriptor);
      for (int old = epoch - 1; old > 0 && ::unlink(EpochPath(run, old).c_str()) == 0; --old) {
      }
      return LearnerFence(run, epoch);
    }
    if (errno != EEXIST) return base::Fail("{}: {}", path, std::strerror(errno));
  }
}

base::Result<void> LearnerFence::Check() const {
  const int highest = HighestEpoch(run_);
  if (highest > epoch_)
    return base::Fail(
        "{}: another learner (epoch {}) has taken this run over from epoch {}; this one "
        "ends and writes nothing more",
        run_, highest, epoch_);
  return {};
}

}  // namespace apiary::train
