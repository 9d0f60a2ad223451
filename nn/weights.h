// Weights files and the weights/ folder of a run (design: RUN/weights/gen-000123.safetensors,
// immutable, and LATEST). Torch-free. Any thread and process: readers see whole files only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/files.h"
#include "base/result.h"
#include "nn/safetensors.h"

namespace apiary::nn {

inline constexpr const char* kWeightsFormat = "apiary-weights-1";

// What a net is, from the metadata of its weights file.
struct NetSpec {
  int channels = 32;
  int blocks = 4;
  std::string variant = "Base";  // what it was trained on: a variant's name or env::kAllVariants
  int encoder_version = 1;
  int generation = 0;
  friend bool operator==(const NetSpec&, const NetSpec&) = default;
};
inline constexpr const char* kArchitecture = "hive-conv-1";
inline constexpr int kChannelStep = 8;  // channels are a multiple of it
// Metadata keys: format, architecture, channels, blocks, variant, encoder_version, generation,
// program_version.
void WriteSpec(const NetSpec& spec, TensorFile& file);
// Refuses another architecture or encoder version by name.
base::Result<NetSpec> ReadSpec(const TensorFile& file, const std::string& name);

struct LatestWeights {
  int generation = 0;
  std::string path;    // absolute or relative to the caller, RUN/weights/gen-....safetensors
  std::string sha256;  // of the whole file
  std::uint64_t bytes = 0;
};
std::string WeightsPath(const std::string& run, int generation);
// Writes the weights file, then LATEST (each fsync + rename). Never overwrites a generation.
// A full disk is waited for as `policy` says, then thrown as apiary::Error.
base::Result<LatestWeights> PublishWeights(
    const std::string& run, int generation, const TensorFile& file,
    const base::DiskFullPolicy& policy = base::DiskFullPolicy(0));
// Writes LATEST for a weights file that lies in the folder already (its publisher was killed before
// LATEST). Verifies the file.
base::Result<LatestWeights> PointLatestAt(const std::string& run, int generation,
                                          const base::DiskFullPolicy& policy);
// nullopt while no weights were published. Verifies size and sha256; a mismatch is retried for
// `retry_s` seconds, then an error that names the newest intact generation.
base::Result<std::optional<LatestWeights>> ReadLatest(const std::string& run, double retry_s = 30);
// Numbers of the weights files that are there, ascending.
std::vector<int> PresentGenerations(const std::string& run);
// The highest of them; 0 if none.
int HighestGeneration(const std::string& run);
// Deletes the oldest weights files until at most `keep_bytes` of them remain; the newest,
// generation 1 and every 10th generation stay. Returns the number removed.
int RemoveOldWeights(const std::string& run, std::uint64_t keep_bytes);
// A weights file, or a run directory: its latest weights. The sentence says what was expected.
base::Result<std::string> ResolveWeights(const std::string& path);

}  // namespace apiary::nn
