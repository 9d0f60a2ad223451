#include "train/checkpoint.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/files.h"

namespace apiary::train {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kLatestFormat = "apiary-ckpt-latest-1";
constexpr const char* kUsesTensor = "window.uses";

std::string Folder(const std::string& run) { return run + "/ckpt"; }
std::string LatestPath(const std::string& run) { return Folder(run) + "/LATEST"; }

json StateToJson(const LearnerState& state) {
  return {{"step", state.step},
          {"samples", state.samples},
          {"positions_seen", state.positions_seen},
          {"gen0_positions", state.gen0_positions},
          {"games_seen", state.games_seen},
          {"generation", state.generation},
          {"wall_s", state.wall_s},
          {"cpu_s", state.cpu_s},
          {"random", state.random},
          {"last_outcomes", state.last_outcomes},
          {"decisive_peak", state.decisive_peak},
          {"consumed", state.consumed}};
}

LearnerState StateFromJson(const json& object) {
  LearnerState state;
  object.at("step").get_to(state.step);
  object.at("samples").get_to(state.samples);
  object.at("positions_seen").get_to(state.positions_seen);
  object.at("gen0_positions").get_to(state.gen0_positions);
  object.at("games_seen").get_to(state.games_seen);
  object.at("generation").get_to(state.generation);
  object.at("wall_s").get_to(state.wall_s);
  object.at("cpu_s").get_to(state.cpu_s);
  object.at("random").get_to(state.random);
  object.at("last_outcomes").get_to(state.last_outcomes);
  object.at("decisive_peak").get_to(state.decisive_peak);
  object.at("consumed").get_to(state.consumed);
  return state;
}

nn::TensorFile Pack(const Checkpoint& checkpoint) {
  nn::TensorFile file = checkpoint.tensors;
  file.metadata["format"] = kCheckpointFormat;
  file.metadata["state"] = StateToJson(checkpoint.state).dump();
  json files = json::array();
  nn::Tensor uses{nn::TensorType::kU8, {}, {}};
  for (const auto& entry : checkpoint.window) {
    files.push_back({{"key", entry.key}, {"positions", entry.uses.size()}});
    uses.bytes.insert(uses.bytes.end(), entry.uses.begin(), entry.uses.end());
  }
  uses.shape = {static_cast<std::int64_t>(uses.bytes.size())};
  file.metadata["window"] = files.dump();
  file.tensors[kUsesTensor] = std::move(uses);
  return file;
}

base::Result<Checkpoint> Unpack(nn::TensorFile file, const std::string& path) {
  Checkpoint checkpoint;
  try {
    checkpoint.state = StateFromJson(json::parse(file.metadata.at("state")));
    const std::vector<std::uint8_t> uses = file.tensors.at(kUsesTensor).bytes;
    std::size_t begin = 0;
    for (const json& entry : json::parse(file.metadata.at("window"))) {
      const std::size_t count = entry.at("positions").get<std::size_t>();
      if (count > uses.size() - begin)
        return base::Fail("{}: window lists more positions than the {} of {}", path, uses.size(),
                          kUsesTensor);
      const auto first = uses.begin() + static_cast<std::ptrdiff_t>(begin);
      checkpoint.window.push_back({entry.at("key").get<std::string>(),
                                   {first, first + static_cast<std::ptrdiff_t>(count)}});
      begin += count;
    }
  } catch (const std::exception& error) {
    return base::Fail("{}: not a learner's checkpoint: {}", path, error.what());
  }
  file.metadata.erase("state");
  file.metadata.erase("window");
  file.tensors.erase(kUsesTensor);
  checkpoint.tensors = std::move(file);
  return checkpoint;
}

std::vector<std::string> CheckpointFiles(const std::string& run) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(Folder(run), error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("ckpt-") && name.ends_with(".safetensors")) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// File that LATEST names; empty where it is absent or corrupt.
std::string NamedByLatest(const std::string& run) {
  const auto text = base::ReadFile(LatestPath(run));
  if (!text) return "";
  const json latest = json::parse(*text, nullptr, false);
  if (!latest.is_object() || !latest.contains("file") || !latest["file"].is_string()) return "";
  return latest["file"];
}

// LATEST must fit its file at every moment, so a file that it may name is never replaced.
std::string UnusedName(const std::string& run, std::int64_t step) {
  std::string name = fmt::format("ckpt-{:09}.safetensors", step);
  std::error_code error;
  for (int n = 2; fs::exists(Folder(run) + "/" + name, error); ++n)
    name = fmt::format("ckpt-{:09}_{}.safetensors", step, n);
  return name;
}

std::string NewestIntact(const std::string& run) {
  std::vector<std::string> paths = CheckpointFiles(run);
  for (auto path = paths.rbegin(); path != paths.rend(); ++path)
    if (ReadCheckpointFile(*path).ok()) return "the newest intact checkpoint is " + *path;
  return "there is no intact checkpoint";
}

}  // namespace

void WriteCheckpoint(const std::string& run, const Checkpoint& checkpoint,
                     const base::DiskFullPolicy& policy) {
  const std::string before = NamedByLatest(run);
  const std::string name = UnusedName(run, checkpoint.state.step);
  const std::string bytes = nn::SerializeTensors(Pack(checkpoint));
  base::WriteDurablyOrWait(Folder(run) + "/" + name, bytes, policy);
  const json latest = {{"format", kLatestFormat},
                       {"file", name},
                       {"step", checkpoint.state.step},
                       {"sha256", base::Sha256Hex(bytes)},
                       {"bytes", bytes.size()}};
  base::WriteDurablyOrWait(LatestPath(run), latest.dump() + "\n", policy);
  for (const std::string& path : CheckpointFiles(run)) {
    const std::string file = fs::path(path).filename();
    std::error_code ignored;  // an old checkpoint that stays costs disk only
    if (file != name && file != before) fs::remove(path, ignored);
  }
}

void RemoveTemporaries(const std::string& run) {
  for (const std::string& folder : {Folder(run), run + "/weights"}) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      std::error_code ignored;
      if (it->path().extension() == ".tmp") fs::remove(it->path(), ignored);
    }
  }
}

base::Result<Checkpoint> ReadCheckpointFile(const std::string& path) {
  auto file = nn::ReadTensors(path, kCheckpointFormat);
  if (!file) return file.failure();
  return Unpack(*std::move(file), path);
}

base::Result<std::optional<Checkpoint>> ReadCheckpoint(const std::string& run) {
  std::error_code error;
  if (!fs::exists(LatestPath(run), error)) {
    if (CheckpointFiles(run).empty()) return std::optional<Checkpoint>{};
    // A kill between the first checkpoint and its LATEST: the file is whole, or it would still be a
    // .tmp.
    auto only = ReadCheckpointFile(CheckpointFiles(run).back());
    if (!only) return only.failure();
    return std::optional<Checkpoint>(*std::move(only));
  }
  const auto text = base::ReadFile(LatestPath(run));
  if (!text) return text.failure();
  std::string path;
  std::string sha256;
  try {
    const json latest = json::parse(*text);
    if (latest.at("format") != kLatestFormat)
      return base::Fail("{}: format is {}, expected {}", LatestPath(run),
                        latest.at("format").dump(), kLatestFormat);
    path = Folder(run) + "/" + latest.at("file").get<std::string>();
    latest.at("sha256").get_to(sha256);
  } catch (const std::exception&) {
    return base::Fail(
        "{}: corrupt, expected one JSON object with format, file, step, sha256, bytes; {}",
        LatestPath(run), NewestIntact(run));
  }
  const auto bytes = base::ReadFile(path);
  if (!bytes) return base::Fail("{}: {}; {}", LatestPath(run), bytes.error(), NewestIntact(run));
  if (base::Sha256Hex(*bytes) != sha256)
    return base::Fail("{}: sha256 does not match {}; {}", LatestPath(run), path, NewestIntact(run));
  auto file = nn::ParseTensors(*bytes, path, kCheckpointFormat);
  if (!file) return file.failure();
  auto checkpoint = Unpack(*std::move(file), path);
  if (!checkpoint) return checkpoint.failure();
  return std::optional<Checkpoint>(*std::move(checkpoint));
}

}  // namespace apiary::train
