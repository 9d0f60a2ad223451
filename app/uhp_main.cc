// apiary-uhp: the engine of `apiary uhp` as one file that needs nothing: a static program without
// LibTorch, with the shipped net inside.
#include <iostream>

#include "app/arguments.h"
#include "app/run_body.h"
#include "app/uhp_program.h"
#include "base/log.h"
#include "base/stop.h"
#include "base/version.h"
#include "nn/cpu_evaluator.h"

namespace apiary::app {
namespace {

int Main(int argc, char** argv) {
  CLI::App app("A Universal Hive Protocol engine on stdin and stdout.", "apiary-uhp");
  app.set_version_flag("--version", base::VersionText(),
                       "Print version, revision and build, and exit");
  UhpArguments arguments;
  AddUhpOptions(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? 0 : kBadUsage;
  }
  base::InstallSignalHandlers();
  base::LogOptions log;
  log.level = "warning";
  return RunBody("apiary-uhp", [&] {
    OrThrow(base::SetUpLogging(log));
    return RunUhp(arguments, [](const std::string& path) { return nn::MakeCpuEvaluator(path); });
  });
}

}  // namespace
}  // namespace apiary::app

int main(int argc, char** argv) { return apiary::app::Main(argc, argv); }
