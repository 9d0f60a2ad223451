#include "app/run_checks.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/run_summary.h"
#include "base/files.h"
#include "base/metrics.h"
#include "nn/weights.h"
#include "play/results_file.h"
#include "train/checkpoint.h"
#include "train/run_config.h"

namespace apiary::app {
namespace {

namespace fs = std::filesystem;

class Checks {
 public:
  void Good(std::string text) { findings_.push_back({true, std::move(text)}); }
  void Bad(std::string text) { findings_.push_back({false, std::move(text)}); }
  std::vector<Finding> Take() { return std::move(findings_); }

 private:
  std::vector<Finding> findings_;
};

std::vector<std::string> FilesIn(const fs::path& folder, const std::string& extension) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    if (file->path().extension() == extension) files.push_back(file->path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void CheckConfig(const std::string& run, Checks& checks) {
  const std::string path = run + "/config.toml";
  std::error_code error;
  if (!fs::exists(path, error)) return checks.Bad(path + ": missing");
  const auto config = train::LoadConfig(path, {});
  config ? checks.Good("config.toml: every key is known and in range") : checks.Bad(config.error());
}

void CheckWeights(const std::string& run, Checks& checks) {
  int good = 0;
  for (const std::string& path : FilesIn(run + "/weights", ".safetensors")) {
    const auto file = nn::ReadTensors(path, nn::kWeightsFormat);
    if (!file) {
      checks.Bad(file.error());
      continue;
    }
    const auto spec = nn::ReadSpec(*file, path);
    spec ? void(++good) : checks.Bad(spec.error());
  }
  checks.Good(fmt::format("weights: {} intact files, generation {} is the highest", good,
                          nn::HighestGeneration(run)));
  const auto latest = nn::ReadLatest(run, 0);
  if (!latest) return checks.Bad(latest.error());
  checks.Good(latest->has_value()
                  ? fmt::format("weights/LATEST: generation {}", (*latest)->generation)
                  : std::string("weights/LATEST: no weights were published yet"));
}

// LATEST of checkpoints: names a file in its folder and that file's sha256.
base::Result<std::string> ReadLatestCheckpoint(const std::string& folder) {
  const std::string path = folder + "/LATEST";
  const auto text = base::ReadFile(path);
  if (!text) return text.failure();
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("file") || !json["file"].is_string() ||
      !json.contains("sha256"))
    return base::Fail("{}: expected a JSON object with file and sha256", path);
  const std::string file = json["file"];
  const auto bytes = base::ReadFile(folder + "/" + file);
  if (!bytes) return base::Fail("{}: {}", path, bytes.error());
  if (json["sha256"] != base::Sha256Hex(*bytes))
    return base::Fail("{}: sha256 does not match {}", path, file);
  return file;
}

void CheckCheckpoints(const std::string& run, Checks& checks) {
  const std::vector<std::string> files = FilesIn(run + "/ckpt", ".safetensors");
  if (files.empty()) return checks.Good("ckpt: no checkpoint yet");
  int good = 0;
  for (const std::string& path : files) {
    const auto file = nn::ReadTensors(path, train::kCheckpointFormat);
    file ? void(++good) : checks.Bad(file.error());
  }
  checks.Good(fmt::format("ckpt: {} intact files", good));
  const auto latest = ReadLatestCheckpoint(run + "/ckpt");
  latest ? checks.Good(fmt::format("ckpt/LATEST: {}", *latest)) : checks.Bad(latest.error());
}

void CheckGames(const std::string& run, Checks& checks) {
  std::error_code error;
  if (!fs::is_directory(run + "/games", error)) return checks.Good("games: none yet");
  const auto summary = SummarizeRun(run);
  if (!summary) return checks.Bad(summary.error());
  for (const std::string& sentence : summary->errors) checks.Bad(sentence);
  checks.Good(fmt::format("games: {} intact files, {} games, {} positions, {:.1f} bytes a position",
                          summary->files - summary->bad_files, summary->games, summary->positions,
                          summary->bytes_per_position()));
}

void CheckMetrics(const std::string& run, Checks& checks) {
  const std::string path = run + "/metrics.jsonl";
  std::error_code error;
  if (!fs::exists(path, error)) return checks.Good("metrics.jsonl: none yet");
  const auto metrics = base::ReadMetrics(path);
  if (!metrics) return checks.Bad(metrics.error());
  checks.Good(fmt::format("metrics.jsonl: {} lines, {} torn or foreign ones skipped",
                          metrics->lines.size(), metrics->skipped));
}

// The games of `apiary rate`; most runs have none.
void CheckRatings(const std::string& run, Checks& checks) {
  const std::string path = run + "/ratings.jsonl";
  std::error_code error;
  if (!fs::exists(path, error)) return;
  const auto text = base::ReadFile(path);
  if (!text) return checks.Bad(text.error());
  const auto results = play::ParseResults(*text, path);
  if (!results) return checks.Bad(results.error());
  checks.Good(fmt::format("ratings.jsonl: {} pairs{}", results->records.size(),
                          results->whole_bytes < text->size() ? ", a torn last line" : ""));
}

void CheckQuarantine(const std::string& run, Checks& checks) {
  std::error_code error;
  std::ptrdiff_t files = 0;
  for (fs::recursive_directory_iterator file(run + "/bad", error), end; !error && file != end;
       file.increment(error))
    files += file->is_regular_file();
  if (files > 0) checks.Good(fmt::format("bad: {} quarantined files, which nothing reads", files));
}

}  // namespace

std::vector<Finding> CheckRun(const std::string& run) {
  Checks checks;
  std::error_code error;
  if (!fs::is_directory(run, error)) {
    checks.Bad(run + ": not a directory that can be read");
    return checks.Take();
  }
  CheckConfig(run, checks);
  CheckWeights(run, checks);
  CheckCheckpoints(run, checks);
  CheckGames(run, checks);
  CheckMetrics(run, checks);
  CheckRatings(run, checks);
  CheckQuarantine(run, checks);
  return checks.Take();
}

}  // namespace apiary::app
