#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <thread>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/devices.h"
#include "app/gpus.h"
#include "app/run_checks.h"
#include "base/process_memory.h"
#include "base/processor.h"
#include "base/version.h"
#include "nn/matrix_product.h"
#include "train/run_config.h"

namespace apiary::app {
namespace {

constexpr double kGibi = 1024.0 * 1024 * 1024;

// As Linux tells it; "unknown" elsewhere.
std::string ProcessorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

// What the binary was compiled to use, and the kernels chosen for this processor.
std::string DescribeProcessorUse() {
  std::string names;
  for (std::uint32_t left = base::kCompiledFeatures; const char* name = base::FirstFeature(left);
       left &= left - 1)
    names += fmt::format("{}{}", names.empty() ? "" : " ", name);
  return fmt::format("{}; kernels of the torch-free net: {}",
                     names.empty() ? "the basic set" : names, nn::BestProductKernel().name);
}

// By the default settings: a run's own are in its config.toml.
std::string DescribeWorkers() {
  const train::RunConfig config;
  return fmt::format(
      "{} self-play threads by default (threads = 0), {} games each, nets on {}; one more thread "
      "learns, by LibTorch with one intra-op thread",
      base::AllowedCores(), config.selfplay.games_per_thread,
      UsesGpu() ? "the GPU" : fmt::format("{} kernels", nn::BestProductKernel().name));
}

void PrintMachine() {
  const base::Version& version = base::ProgramVersion();
  std::error_code error;
  const auto disk = std::filesystem::space(".", error);
  std::cout << fmt::format("program    {}\n", base::VersionText())
            << fmt::format("processor  {}; this binary is {}\n", ProcessorName(), version.processor)
            << fmt::format("cores      {} allowed by affinity and cgroup, {} online\n",
                           base::AllowedCores(), std::thread::hardware_concurrency())
            << fmt::format("memory     {:.1f} GiB (the cgroup's limit if lower)\n",
                           static_cast<double>(base::PhysicalBytes()) / kGibi)
            << fmt::format("uses       {}\n", DescribeProcessorUse())
            << fmt::format("nets       {}; {}\n", version.torch, DescribeTorchLibraries())
            << fmt::format("device     {}\n", DescribeDevice())
            << fmt::format("workers    {}\n", DescribeWorkers());
  if (const std::string idle = UnusedGpus(NvidiaGpus(), UsesGpu(), DescribeDevice()); !idle.empty())
    std::cout << fmt::format("\n*** {} ***\n\n", idle);
  if (!error)
    std::cout << fmt::format("disk       {:.1f} GiB free here\n",
                             static_cast<double>(disk.available) / kGibi);
}

int RunDoctor(const std::string& run) {
  PrintMachine();
  if (run.empty()) return 0;
  int bad = 0;
  std::cout << fmt::format("\nrun {}\n", run);
  for (const Finding& finding : CheckRun(run)) {
    std::cout << (finding.ok ? "  ok   " : "  BAD  ") << finding.text << "\n";
    bad += !finding.ok;
  }
  if (bad > 0) throw Error(fmt::format("{}: {} problem(s) found", run, bad), kFailure);
  return 0;
}

}  // namespace

CommandBody AddDoctor(CLI::App& app) {
  const auto run = std::make_shared<std::string>();
  app.add_option("--run", *run, "Also check every file of this run");
  return [run] { return RunDoctor(*run); };
}

}  // namespace apiary::app
