#include "train/heartbeat.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "train/clock.h"
#include "train/game_store.h"

namespace apiary::train {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kLearnerFormat = "apiary-learner-1";
constexpr const char* kWorkerFormat = "apiary-worker-1";

std::string Folder(const std::string& run) { return run + "/workers"; }
std::string LearnerPath(const std::string& run) { return Folder(run) + "/learner.json"; }

base::Result<void> Write(const std::string& run, const std::string& path, const Json& json) {
  if (auto made = base::MakeDirectories(Folder(run)); !made) return made;
  return base::WriteDurably(path, json.dump() + "\n");
}

base::Result<Json> Read(const std::string& path, const char* format) {
  const auto text = base::ReadFile(path);
  if (!text) return text.failure();
  Json json = Json::parse(*text, nullptr, false);
  if (!json.is_object()) return base::Fail("{}: not a JSON object", path);
  if (!json.contains("format") || json["format"] != format)
    return base::Fail("{}: \"format\" is not \"{}\"", path, format);
  return json;
}

// Reads a field of the type of `value`; false if it is missing or another type.
template <typename T>
bool Take(const Json& json, const char* key, T& value) {
  const auto found = json.find(key);
  if (found == json.end()) return false;
  if constexpr (std::is_same_v<T, std::string>) {
    if (!found->is_string()) return false;
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!found->is_number()) return false;
  } else {
    if (!found->is_number_integer()) return false;
  }
  value = found->template get<T>();
  return true;
}

std::optional<WorkerHeartbeat> ReadWorker(const std::string& path) {
  const auto json = Read(path, kWorkerFormat);
  if (!json) return std::nullopt;
  WorkerHeartbeat worker;
  const bool whole =
      Take(*json, "name", worker.name) && Take(*json, "state", worker.state) &&
      Take(*json, "time", worker.time_s) && Take(*json, "generation", worker.generation) &&
      Take(*json, "games", worker.games) && Take(*json, "positions", worker.positions) &&
      Take(*json, "simulations", worker.simulations) &&
      Take(*json, "evaluations", worker.evaluations) && Take(*json, "batches", worker.batches) &&
      Take(*json, "solved_roots", worker.solved_roots);
  if (!whole) return std::nullopt;
  return worker;
}

}  // namespace

base::Result<void> WriteLearnerHeartbeat(const std::string& run, LearnerHeartbeat heartbeat) {
  heartbeat.time_s = UnixTime();
  return Write(run, LearnerPath(run),
               {{"format", kLearnerFormat},
                {"time", heartbeat.time_s},
                {"positions_needed", heartbeat.positions_needed},
                {"positions_seen", heartbeat.positions_seen},
                {"step", heartbeat.step},
                {"generation", heartbeat.generation}});
}

base::Result<std::optional<LearnerHeartbeat>> ReadLearnerHeartbeat(const std::string& run) {
  using Found = std::optional<LearnerHeartbeat>;
  const std::string path = LearnerPath(run);
  std::error_code error;
  if (!fs::exists(path, error) && !error) return Found();
  const auto json = Read(path, kLearnerFormat);
  if (!json) return json.failure();
  LearnerHeartbeat learner;
  if (!Take(*json, "time", learner.time_s)) return base::Fail("{}: no number \"time\"", path);
  if (!Take(*json, "positions_needed", learner.positions_needed))
    return base::Fail("{}: no integer \"positions_needed\"", path);
  if (!Take(*json, "positions_seen", learner.positions_seen))
    return base::Fail("{}: no integer \"positions_seen\"", path);
  if (!Take(*json, "step", learner.step)) return base::Fail("{}: no integer \"step\"", path);
  if (!Take(*json, "generation", learner.generation))
    return base::Fail("{}: no integer \"generation\"", path);
  return Found(learner);
}

base::Result<void> WriteWorkerHeartbeat(const std::string& run, WorkerHeartbeat heartbeat) {
  heartbeat.time_s = UnixTime();
  // No worker may write over the learner's file.
  const std::string file =
      WorkerFileName(heartbeat.name) + (heartbeat.name == "learner" ? "_" : "") + ".json";
  return Write(run, Folder(run) + "/" + file,
               {{"format", kWorkerFormat},
                {"time", heartbeat.time_s},
                {"name", heartbeat.name},
                {"state", heartbeat.state},
                {"generation", heartbeat.generation},
                {"games", heartbeat.games},
                {"positions", heartbeat.positions},
                {"simulations", heartbeat.simulations},
                {"evaluations", heartbeat.evaluations},
                {"batches", heartbeat.batches},
                {"solved_roots", heartbeat.solved_roots}});
}

std::vector<WorkerHeartbeat> ReadWorkerHeartbeats(const std::string& run) {
  std::vector<WorkerHeartbeat> workers;
  std::error_code error;
  for (fs::directory_iterator it(Folder(run), error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() != ".json") continue;
    if (auto worker = ReadWorker(it->path().string())) workers.push_back(std::move(*worker));
  }
  std::sort(workers.begin(), workers.end(),
            [](const WorkerHeartbeat& a, const WorkerHeartbeat& b) { return a.name < b.name; });
  return workers;
}

}  // namespace apiary::train
