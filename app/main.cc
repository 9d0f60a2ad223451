// apiary: one program, one subcommand a job. See docs/architecture.md.
#include <array>
#include <iostream>
#include <utility>
#include <vector>

#include "app/arguments.h"
#include "app/commands.h"
#include "base/log.h"
#include "base/stop.h"
#include "base/version.h"

namespace apiary::app {
namespace {

struct Command {
  const char* name;
  const char* summary;
  CommandBody (*add)(CLI::App&);
};

constexpr std::array<Command, 18> kCommands = {{
    {"train",
     "Train a net by self-play on this machine: workers and learner together; resumes a run",
     AddTrain},
    {"selfplay", "Play games for a run, beside a learner", AddSelfplay},
    {"learn", "Train on the games of a run and publish weights, beside workers", AddLearn},
    {"match", "Play two players against each other: paired openings, both colours, error bars",
     AddMatch},
    {"rate", "Rate players by games of each pair, or the generations of a run: Elo, error bars",
     AddRate},
    {"report", "Write what a run has to tell as one HTML file: curves, ladder, warnings",
     AddReport},
    {"play", "Play against a net in the terminal", AddPlay},
    {"uhp", "Be a Universal Hive Protocol engine on stdin and stdout", AddUhp},
    {"perft", "Count the positions after so many plies", AddPerft},
    {"crosscheck", "Compare our rules with a foreign engine's in random games", AddCrosscheck},
    {"analyze", "Show the best lines of a position, and draw it", AddAnalyze},
    {"import", "Take other people's games (SGF, PGN, GameStrings) into a run", AddImport},
    {"inspect", "Show a run, a weights file, a game file or a position", AddInspect},
    {"encode", "Print positions as the nets see them: rows, features, legal moves", AddEncode},
    {"export", "Write a net for other programs: ONNX, TorchScript or safetensors", AddExport},
    {"config", "Print the resolved, commented configuration of a preset or file", AddConfig},
    {"doctor", "Show what this machine offers; check every file of a run", AddDoctor},
    {"bench", "Measure the speed of the parts", AddBench},
}};

int Main(int argc, char** argv) {
  CLI::App app("Apiary trains Hive bots by self-play, measures them and plays with them.",
               "apiary");
  app.set_version_flag("--version", base::VersionText(),
                       "Print version, revision and build, and exit");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  std::string log_level = "info";
  app.add_option("--log-level", log_level,
                 "trace, debug, info, warning, error, critical or off; logs go to stderr")
      ->capture_default_str();

  std::vector<std::pair<CLI::App*, CommandBody>> bodies;
  for (const Command& command : kCommands) {
    CLI::App* const sub = app.add_subcommand(command.name, command.summary);
    bodies.emplace_back(sub, command.add(*sub));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? 0 : kBadUsage;
  }
  base::InstallSignalHandlers();
  base::LogOptions log;
  log.level = log_level;
  if (auto logging = base::SetUpLogging(log); !logging) {
    std::cerr << "apiary: " << logging.error() << "\n";
    return kBadUsage;
  }
  for (const auto& [sub, body] : bodies) {
    if (sub->parsed()) return RunBody("apiary", body);
  }
  return kBadUsage;
}

}  // namespace
}  // namespace apiary::app

int main(int argc, char** argv) { return apiary::app::Main(argc, argv); }
