#include "nn/weights.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "base/files.h"
#include "env/encoder.h"
#include "env/rules.h"

namespace apiary::nn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLatestFormat = "apiary-latest-1";
constexpr int kMaxChannels = 1024;
constexpr int kMaxBlocks = 256;

std::string FileName(int generation) { return fmt::format("gen-{:06}.safetensors", generation); }
std::string Folder(const std::string& run) { return run + "/weights"; }
std::string LatestPath(const std::string& run) { return Folder(run) + "/LATEST"; }

std::optional<int> ParseInt(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

base::Result<int> Field(const TensorFile& file, const std::string& key, const std::string& name,
                        int low, int high) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end()) return base::Fail("{}: no \"{}\" in the metadata", name, key);
  const std::optional<int> value = ParseInt(found->second);
  if (!value || *value < low || *value > high)
    return base::Fail("{}: metadata \"{}\" is \"{}\", expected a number from {} to {}", name, key,
                      found->second, low, high);
  return *value;
}

// Generations of the files present, highest first.
// LATEST and the file it names, both verified.
base::Result<LatestWeights> ReadLatestOnce(const std::string& run) {
  const std::string path = LatestPath(run);
  auto text = base::ReadFile(path);
  if (!text) return text.failure();
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object()) return base::Fail("{}: not a JSON object", path);
  if (!json.contains("format") || json["format"] != kLatestFormat)
    return base::Fail("{}: \"format\" is not \"{}\"", path, kLatestFormat);
  for (const char* key : {"generation", "bytes"})
    if (!json.contains(key) || !json[key].is_number_unsigned())
      return base::Fail("{}: \"{}\" is missing or not a number", path, key);
  for (const char* key : {"file", "sha256"})
    if (!json.contains(key) || !json[key].is_string())
      return base::Fail("{}: \"{}\" is missing or not a string", path, key);
  LatestWeights latest;
  if (json["generation"] > std::uint64_t{999'999'999} || json["generation"] < std::uint64_t{1})
    return base::Fail("{}: generation {} is out of range", path, json["generation"].dump());
  latest.generation = json["generation"].get<int>();
  latest.bytes = json["bytes"].get<std::uint64_t>();
  latest.sha256 = json["sha256"].get<std::string>();
  latest.path = WeightsPath(run, latest.generation);
  if (json["file"] != FileName(latest.generation))
    return base::Fail("{}: \"file\" is {}, expected \"{}\" for generation {}", path,
                      json["file"].dump(), FileName(latest.generation), latest.generation);
  auto bytes = base::ReadFile(latest.path);
  if (!bytes) return base::Fail("{} names a file that cannot be read: {}", path, bytes.error());
  if (bytes->size() != latest.bytes)
    return base::Fail("{}: {} has {} bytes, expected {}", path, latest.path, bytes->size(),
                      latest.bytes);
  if (base::Sha256Hex(*bytes) != latest.sha256)
    return base::Fail("{}: the sha256 of {} is not the one expected", path, latest.path);
  return latest;
}

LatestWeights WriteLatest(const std::string& run, int generation, const std::string& bytes,
                          const base::DiskFullPolicy& policy) {
  const LatestWeights latest{generation, WeightsPath(run, generation), base::Sha256Hex(bytes),
                             bytes.size()};
  const nlohmann::ordered_json json = {{"format", kLatestFormat},
                                       {"generation", generation},
                                       {"file", FileName(generation)},
                                       {"sha256", latest.sha256},
                                       {"bytes", latest.bytes}};
  base::WriteDurablyOrWait(LatestPath(run), json.dump() + "\n", policy);
  return latest;
}

std::string NewestIntact(const std::string& run) {
  const std::vector<int> generations = PresentGenerations(run);
  for (auto newest = generations.rbegin(); newest != generations.rend(); ++newest) {
    if (ReadTensors(WeightsPath(run, *newest), kWeightsFormat))
      return fmt::format("the newest intact generation is {} ({})", *newest,
                         WeightsPath(run, *newest));
  }
  return "no generation in the folder is intact";
}

}  // namespace

void WriteSpec(const NetSpec& spec, TensorFile& file) {
  file.metadata["format"] = kWeightsFormat;
  file.metadata["architecture"] = kArchitecture;
  file.metadata["channels"] = std::to_string(spec.channels);
  file.metadata["blocks"] = std::to_string(spec.blocks);
  file.metadata["variant"] = spec.variant;
  file.metadata["encoder_version"] = std::to_string(spec.encoder_version);
  file.metadata["generation"] = std::to_string(spec.generation);
  file.metadata["program_version"] = APIARY_VERSION;
}

base::Result<NetSpec> ReadSpec(const TensorFile& file, const std::string& name) {
  const auto architecture = file.metadata.find("architecture");
  if (architecture == file.metadata.end())
    return base::Fail("{}: no \"architecture\" in the metadata", name);
  if (architecture->second != kArchitecture)
    return base::Fail("{}: architecture \"{}\", this program reads \"{}\"", name,
                      architecture->second, kArchitecture);
  NetSpec spec;
  const auto read = [&](const char* key, int low, int high, int& value) -> base::Result<void> {
    auto field = Field(file, key, name, low, high);
    if (!field) return field.failure();
    value = *field;
    return {};
  };
  if (auto ok = read("channels", kChannelStep, kMaxChannels, spec.channels); !ok)
    return ok.failure();
  if (spec.channels % kChannelStep != 0)
    return base::Fail("{}: metadata \"channels\" is {}, expected a multiple of {}", name,
                      spec.channels, kChannelStep);
  if (auto ok = read("blocks", 1, kMaxBlocks, spec.blocks); !ok) return ok.failure();
  if (auto ok = read("encoder_version", 0, 1'000'000, spec.encoder_version); !ok)
    return ok.failure();
  if (auto ok = read("generation", 0, 999'999'999, spec.generation); !ok) return ok.failure();
  if (spec.encoder_version != env::kEncoderVersion)
    return base::Fail("{}: encoder version {}, this program has {}", name, spec.encoder_version,
                      env::kEncoderVersion);
  const auto variant = file.metadata.find("variant");
  if (variant == file.metadata.end()) return base::Fail("{}: no \"variant\" in the metadata", name);
  if (auto parsed = env::ParseVariants(variant->second); !parsed)
    return base::Fail("{}: metadata \"variant\": {}", name, parsed.error());
  spec.variant = variant->second;
  return spec;
}

std::string WeightsPath(const std::string& run, int generation) {
  return Folder(run) + "/" + FileName(generation);
}

base::Result<LatestWeights> PublishWeights(const std::string& run, int generation,
                                           const TensorFile& file,
                                           const base::DiskFullPolicy& policy) {
  APIARY_CHECK(generation >= 1, "generation {} published", generation);
  const std::string path = WeightsPath(run, generation);
  if (auto made = base::MakeDirectories(Folder(run)); !made) return made.failure();
  std::error_code error;
  if (fs::exists(path, error))
    return base::Fail("{}: exists already; a published generation is never overwritten", path);
  const std::string bytes = SerializeTensors(file);
  base::WriteDurablyOrWait(path, bytes, policy);
  return WriteLatest(run, generation, bytes, policy);
}

base::Result<LatestWeights> PointLatestAt(const std::string& run, int generation,
                                          const base::DiskFullPolicy& policy) {
  const std::string path = WeightsPath(run, generation);
  const auto bytes = base::ReadFile(path);
  if (!bytes) return bytes.failure();
  if (auto file = ParseTensors(*bytes, path, kWeightsFormat); !file) return file.failure();
  return WriteLatest(run, generation, *bytes, policy);
}

base::Result<std::optional<LatestWeights>> ReadLatest(const std::string& run, double retry_s) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(retry_s);
  while (true) {
    std::error_code error;
    if (!fs::exists(LatestPath(run), error) && !error) return std::optional<LatestWeights>();
    auto latest = ReadLatestOnce(run);
    if (latest) return std::optional<LatestWeights>(*latest);
    // Another machine may see LATEST before the file that it names; that passes.
    if (std::chrono::steady_clock::now() >= deadline)
      return base::Fail("{}; {}", latest.error(), NewestIntact(run));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

std::vector<int> PresentGenerations(const std::string& run) {
  std::vector<int> generations;
  std::error_code error;
  for (fs::directory_iterator it(Folder(run), error), end; !error && it != end;
       it.increment(error)) {
    const std::string file = it->path().filename().string();
    const std::string_view prefix = "gen-", suffix = ".safetensors";
    if (!file.starts_with(prefix) || !file.ends_with(suffix) ||
        file.size() <= prefix.size() + suffix.size())
      continue;
    const auto number = ParseInt(
        std::string_view(file).substr(prefix.size(), file.size() - prefix.size() - suffix.size()));
    if (number && *number > 0) generations.push_back(*number);
  }
  std::sort(generations.begin(), generations.end());
  return generations;
}

int HighestGeneration(const std::string& run) {
  const std::vector<int> generations = PresentGenerations(run);
  return generations.empty() ? 0 : generations.back();
}

int RemoveOldWeights(const std::string& run, std::uint64_t keep_bytes) {
  const std::vector<int> generations = PresentGenerations(run);
  std::error_code error;
  std::uint64_t bytes = 0;
  for (const int generation : generations) {
    const std::uint64_t size = fs::file_size(WeightsPath(run, generation), error);
    if (!error) bytes += size;
  }
  int removed = 0;
  for (const int generation : generations) {
    if (bytes <= keep_bytes) break;
    if (generation == 1 || generation % 10 == 0 || generation == generations.back()) continue;
    const std::string path = WeightsPath(run, generation);
    const std::uint64_t size = fs::file_size(path, error);
    if (error || !fs::remove(path, error)) continue;  // stays: costs disk only
    bytes -= size;
    ++removed;
  }
  return removed;
}

base::Result<std::string> ResolveWeights(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_regular_file(status)) return path;
  if (!fs::is_directory(status))
    return base::Fail("{}: no such file; expected a weights file (.safetensors) or a run directory",
                      path);
  const bool is_run =
      fs::is_directory(Folder(path), error) || fs::exists(path + "/config.toml", error);
  if (error && error != std::errc::no_such_file_or_directory)
    return base::Fail("{}: cannot be opened: {}", path, error.message());
  if (!is_run)
    return base::Fail("{}: neither a weights file nor a run directory (no weights/ in it)", path);
  auto latest = ReadLatest(path);
  if (!latest) return latest.failure();
  if (!latest->has_value())
    return base::Fail(
        "{}: the run has no weights yet (weights/LATEST is absent until generation 1)", path);
  return (*latest)->path;
}

}  // namespace apiary::nn
