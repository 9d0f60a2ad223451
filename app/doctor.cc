#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <thread>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/devices.h"
#include "app/run_checks.h"
#include "base/process_memory.h"
#include "base/version.h"

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
            << fmt::format("nets       {}\n", version.torch)
            << fmt::format("device     {}\n", DescribeDevice());
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
