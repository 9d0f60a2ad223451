// apiary-uhp: the engine of `apiary uhp` as one file that needs nothing: a static program without
// LibTorch, with the shipped net inside.
#include <exception>
#include <iostream>
#include <new>

#include "app/arguments.h"
#include "app/built_in_model.h"
#include "app/uhp_program.h"
#include "base/log.h"
#include "base/stop.h"
#include "base/version.h"
#include "nn/cpu_evaluator.h"

namespace apiary::app {
namespace {

// The net of --model, the one inside without it, none for "none".
play::UhpModel ModelOf(const std::string& text, const play::UhpModelLoader& loader) {
  if (text.empty()) return BuiltInModel();
  if (text == "none") return {};
  return OrThrow(loader(text));
}

int Run(const UhpArguments& arguments) {
  const play::UhpModelLoader loader =
      FileLoader([](const std::string& path) { return nn::MakeCpuEvaluator(path); });
  return ServeStandardInput(arguments, ModelOf(arguments.model, loader), loader);
}

int Main(int argc, char** argv) {
  CLI::App app("A Universal Hive Protocol engine on stdin and stdout.", "apiary-uhp");
  app.set_version_flag("--version", base::VersionText(),
                       "Print version, revision and build, and exit");
  UhpArguments arguments;
  AddUhpOptions(app, "plays with the net inside; 'none': by alpha-beta", arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? 0 : kBadUsage;
  }
  base::InstallSignalHandlers();
  base::LogOptions log;
  log.level = "warning";
  OrThrow(base::SetUpLogging(log));
  return Run(arguments);
}

}  // namespace
}  // namespace apiary::app

int main(int argc, char** argv) {
  try {
    return apiary::app::Main(argc, argv);
  } catch (const apiary::Error& error) {
    std::cerr << "apiary-uhp: " << error.what() << "\n";
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    std::cerr << "apiary-uhp: out of memory\n";
  } catch (const std::exception& error) {
    std::cerr << "apiary-uhp: " << error.what() << "\n";
  }
  return 1;
}
