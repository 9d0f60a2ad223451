// Nets in other programs' formats. A file appears under its name only after it was read back and
// gave, on dozens of positions, what the torch-free net gives. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "nn/evaluator.h"
#include "nn/safetensors.h"
#include "nn/weights.h"

namespace apiary::nn {

inline constexpr const char* kOnnxFormatName = "apiary-onnx-1";
inline constexpr const char* kTorchScriptFormatName = "apiary-torchscript-1";

// One format: how a net is written into it and how a file of it is read again.
struct ExportFormat {
  std::string name;  // metadata "format"
  std::function<base::Result<std::string>(const TensorFile&, const NetSpec&)> serialize;
  EvaluatorFactory reload;
};
// Weights files: the tensors and all metadata as they are.
ExportFormat SafetensorsFormat();

// The metadata of a weights file as other formats carry it: "format" is `format`, the rest the
// same.
std::map<std::string, std::string> ExportMetadata(const TensorFile& file,
                                                  const std::string& format);

// `count` positions of random games, the same each time: variant i % 8 at place i, 0 to 80 plies
// deep, among them ends of games (no moves) and openings.
env::Block CheckPositions(int count);

// The largest difference between two evaluations of a block, each relative to max(1, |expected|);
// infinite where one is not a number.
double LargestDifference(const Evaluation& expected, const Evaluation& actual);

struct ExportReport {
  std::uint64_t bytes = 0;
  std::string sha256;  // of the file
  int positions = 0;   // compared, in one block and one by one
  double largest_difference = 0;
};
inline constexpr double kExportTolerance = 1e-4;

// Writes PATH, replacing a file that is there. Precondition: CheckNet(file) gave `spec`. Where
// anything goes wrong, PATH is left as it was and the file that was written is removed.
base::Result<ExportReport> ExportModel(const TensorFile& file, const NetSpec& spec,
                                       const ExportFormat& format, const std::string& path);

}  // namespace apiary::nn
