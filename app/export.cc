#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/formats.h"
#include "base/files.h"
#include "nn/net_layout.h"

namespace apiary::app {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string model;
  std::string to;
  bool force = false;
  bool json = false;
};

// By the ending of the file's name.
nn::ExportFormat FormatOrThrow(const std::string& to) {
  const std::string ending = fs::path(to).extension().string();
  if (ending == ".onnx") return OnnxFormatOrThrow();
  if (ending == ".pt") return TorchScriptFormatOrThrow();
  if (ending == ".safetensors") return nn::SafetensorsFormat();
  throw Error(fmt::format("--to {}: unknown ending \"{}\"; expected .onnx, .pt or .safetensors", to,
                          ending),
              kBadUsage);
}

void CheckTarget(const Arguments& arguments, const std::string& weights) {
  std::error_code error;
  const fs::path to = arguments.to;
  const fs::path folder = to.has_parent_path() ? to.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error))
    throw Error(fmt::format("--to {}: there is no folder {}", arguments.to, folder.string()),
                kBadUsage);
  const fs::file_status status = fs::symlink_status(to, error);
  if (!fs::exists(status)) return;
  if (fs::equivalent(to, weights, error))
    throw Error(fmt::format("--to {}: that is the model itself", arguments.to), kBadUsage);
  if (!fs::is_regular_file(status))
    throw Error(fmt::format("--to {}: exists and is not a regular file", arguments.to), kBadUsage);
  if (!arguments.force)
    throw Error(fmt::format("--to {}: exists already; --force replaces it", arguments.to),
                kBadUsage);
}

int RunExport(const Arguments& arguments) {
  const nn::ExportFormat format = FormatOrThrow(arguments.to);
  const std::string path = WeightsOrThrow(arguments.model);
  CheckTarget(arguments, path);
  const std::string bytes = OrThrow(base::ReadFile(path));
  nn::TensorFile file = OrThrow(nn::ParseTensors(bytes, path, nn::kWeightsFormat));
  const nn::NetSpec spec = OrThrow(nn::CheckNet(file, path));
  if (format.name != nn::kWeightsFormat) file.metadata["weights_sha256"] = base::Sha256Hex(bytes);
  const nn::ExportReport report = OrThrow(nn::ExportModel(file, spec, format, arguments.to));
  if (arguments.json) {
    std::cout << nlohmann::ordered_json{{"file", arguments.to},
                                        {"format", format.name},
                                        {"model", path},
                                        {"bytes", report.bytes},
                                        {"sha256", report.sha256},
                                        {"positions", report.positions},
                                        {"largest_difference", report.largest_difference}}
                     .dump()
              << "\n";
    return 0;
  }
  std::cout << fmt::format(
      "wrote {} ({}, {} bytes) from {}\nread back: {} positions, in one batch and one by one; "
      "largest difference from the net {:.2g}, allowed {:g}\n",
      arguments.to, format.name, report.bytes, path, report.positions, report.largest_difference,
      nn::kExportTolerance);
  return 0;
}

}  // namespace

CommandBody AddExport(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("MODEL", arguments->model, "Weights file or run directory")->required();
  app.add_option("--to", arguments->to,
                 "File to write; its ending says the format: .onnx, .pt (TorchScript) or "
                 ".safetensors (weights)")
      ->required();
  app.add_flag("--force", arguments->force, "Replace a file that is there");
  app.add_flag("--json", arguments->json, "Print one JSON object");
  app.footer(
      "What was written is read back and compared with the net before the file appears; where they "
      "differ, there is no file. docs/models.md tells how to use it.");
  return [arguments] { return RunExport(*arguments); };
}

}  // namespace apiary::app
