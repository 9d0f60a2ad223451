#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/progress_line.h"
#include "base/files.h"
#include "base/stop.h"
#include "train/game_file.h"
#include "train/game_import.h"
#include "train/game_store.h"
#include "train/run_directory.h"

namespace apiary::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Arguments {
  std::vector<std::string> files;
  train::RunOptions run;
  std::string variant;
  bool keep_unfinished = false;
  bool json = false;
};

// The endings of files that are taken from a directory.
constexpr std::array<std::string_view, 6> kEndings = {".sgf", ".SGF", ".pgn",
                                                      ".uhp", ".txt", ".tsv"};

// The files named, and those in directories named, in order of their names.
std::vector<std::string> FindFiles(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::exists(path, error)) throw Error(path + ": there is no such file", kBadUsage);
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    const std::size_t begin = files.size();
    fs::recursive_directory_iterator file(path, error);
    for (const fs::recursive_directory_iterator end; !error && file != end; file.increment(error)) {
      const std::string extension = file->path().extension().string();
      if (std::find(kEndings.begin(), kEndings.end(), extension) != kEndings.end())
        files.push_back(file->path().string());
    }
    if (error) throw Error(fmt::format("{}: cannot be read: {}", path, error.message()));
    if (files.size() == begin)
      throw Error(
          fmt::format("{}: no file that ends in .sgf, .pgn, .uhp, .txt or .tsv lies there", path));
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(begin), files.end());
  }
  return files;
}

// The run that takes the games; a new one is made with the first of them.
class TargetRun {
 public:
  explicit TargetRun(const train::RunOptions& options) : options_(options) {
    std::error_code error;
    exists_ = fs::exists(options.run + "/config.toml", error);
    if (exists_) {
      config_ = OrThrow(train::OpenRun(options_, false)).config;
    } else {
      const std::string preset = options.config.empty() ? "quick" : options.config;
      config_ = OrThrow(train::LoadConfig(preset, options.overrides), kBadUsage);
    }
  }

  const train::RunConfig& config() const { return config_; }

  // Tells `import` what was imported before.
  void Recall(train::GameImport& import) const {
    const std::string worker = std::string(train::kImportWorker) + "-";
    for (const train::GameFileName& file : OrThrow(train::ListGames(options_.run)).files) {
      if (!fs::path(file.path).filename().string().starts_with(worker)) continue;
      for (const train::GameRecord& record : OrThrow(train::ReadGameFile(file.path)))
        import.Know(record);
    }
  }

  void Append(train::GameRecord record) {
    if (!writer_) Open();
    writer_->Append(std::move(record), 0);
  }
  void Seal() {
    if (writer_) writer_->Seal();
  }

 private:
  void Open() {
    if (!exists_) OrThrow(train::OpenRun(options_, true));
    constexpr double kNever_s = 1e9;
    writer_.emplace(options_.run, std::string(train::kImportWorker),
                    train::GameWriter::Limits{config_.store.positions_per_file, kNever_s,
                                              config_.io.full_timeout_s},
                    &base::ProcessStop());
  }

  train::RunOptions options_;
  bool exists_ = false;
  train::RunConfig config_;
  std::optional<train::GameWriter> writer_;
};

// What became of each file, as it was read.
class Reporter {
 public:
  Reporter(const Arguments& arguments, std::size_t width)
      : json_(arguments.json), width_(std::max<std::size_t>(width, 4)) {
    if (!json_)
      std::cout << fmt::format("{:<{}}  {:<11}  {:>6}  {:>6}  {:>9}  {:>7}\n", "file", width_,
                               "format", "games", "stored", "duplicate", "skipped");
  }

  void Show(const std::string& file, const train::ImportReport& report) {
    total_.Add(report.tally);
    if (json_) return PrintJson(FileJson(file, report));
    Row(file, ToString(report.format), report.tally);
    if (report.tally.games == 0) std::cout << file << ": no game in it\n";
    for (const train::SkippedGame& skipped : report.skipped)
      std::cout << fmt::format("{}:{}: {}: {}\n", file, skipped.line, ToString(skipped.reason),
                               skipped.why);
  }

  void ShowUnreadable(const std::string& file, const std::string& why) {
    ++unreadable_;
    if (json_) return PrintJson({{"file", file}, {"error", why}});
    std::cout << why << "\n";
  }

  void ShowTotal(const std::string& run) {
    if (json_) return PrintJson(TotalJson(run));
    Row("all", "", total_);
    std::cout << fmt::format("{}: {} games stored, {} positions", run, total_.stored,
                             total_.positions);
    if (total_.agreed > 0)
      std::cout << fmt::format("; {} ended by resignation or agreement", total_.agreed);
    if (total_.without_result > 0)
      std::cout << fmt::format("; {} without a result, nothing to train on", total_.without_result);
    std::cout << "\n";
    for (int i = 0; i < train::kNumSkipReasons; ++i) {
      const int count = total_.skipped[static_cast<std::size_t>(i)];
      if (count > 0)
        std::cout << fmt::format("skipped: {}: {}\n", ToString(static_cast<train::SkipReason>(i)),
                                 count);
    }
  }

  // Every file was read, and a game is in the run now or was before.
  bool success() const { return unreadable_ == 0 && total_.stored + total_.duplicates() > 0; }

 private:
  // Names of files are bytes: what is no UTF-8 is replaced.
  static void PrintJson(const ordered_json& json) {
    std::cout << json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << "\n";
  }

  void Row(std::string_view file, std::string_view format, const train::ImportTally& tally) const {
    std::cout << fmt::format("{:<{}}  {:<11}  {:>6}  {:>6}  {:>9}  {:>7}\n", file, width_, format,
                             tally.games, tally.stored, tally.duplicates(),
                             tally.skipped_games() - tally.duplicates());
  }

  static ordered_json FileJson(const std::string& file, const train::ImportReport& report) {
    ordered_json skipped = ordered_json::array();
    for (const train::SkippedGame& game : report.skipped)
      skipped.push_back(
          {{"line", game.line}, {"reason", ToString(game.reason)}, {"why", game.why}});
    return {{"file", file},
            {"format", ToString(report.format)},
            {"games", report.tally.games},
            {"stored", report.tally.stored},
            {"positions", report.tally.positions},
            {"duplicates", report.tally.duplicates()},
            {"skipped", skipped}};
  }

  ordered_json TotalJson(const std::string& run) const {
    ordered_json reasons = ordered_json::object();
    for (int i = 0; i < train::kNumSkipReasons; ++i)
      reasons[std::string(ToString(static_cast<train::SkipReason>(i)))] =
          total_.skipped[static_cast<std::size_t>(i)];
    return {{"run", run},
            {"games", total_.games},
            {"stored", total_.stored},
            {"positions", total_.positions},
            {"agreed", total_.agreed},
            {"without_result", total_.without_result},
            {"unreadable_files", unreadable_},
            {"skipped", reasons}};
  }

  bool json_;
  std::size_t width_;
  train::ImportTally total_;
  int unreadable_ = 0;
};

int RunImport(Arguments arguments) {
  if (!arguments.variant.empty()) {
    const auto variants = OrThrow(env::ParseVariants(arguments.variant), kBadUsage);
    arguments.run.overrides.push_back(
        fmt::format("rules.variant={}", variants.size() > 1 ? std::string(env::kAllVariants)
                                                            : env::ToString(variants.front())));
  }
  const std::vector<std::string> files = FindFiles(arguments.files);
  std::size_t width = 0;
  for (const std::string& file : files) width = std::max(width, file.size());

  TargetRun run(arguments.run);
  const train::RunConfig& config = run.config();
  train::GameImport import(
      {config.Rules(config.Variants().front()), config.rules.variant, arguments.keep_unfinished},
      [&run](train::GameRecord record) { run.Append(std::move(record)); });
  run.Recall(import);
  Reporter reporter(arguments, width);
  ProgressLine progress("files", false);
  for (std::size_t i = 0; i < files.size() && !base::ProcessStop().requested(); ++i) {
    const auto text = base::ReadFile(files[i]);
    if (text) {
      reporter.Show(files[i], import.Read(*text));
    } else {
      reporter.ShowUnreadable(files[i], text.error());
    }
    progress.Show(static_cast<int>(i + 1), static_cast<int>(files.size()), files[i]);
  }
  run.Seal();
  reporter.ShowTotal(arguments.run.run);
  if (base::ProcessStop().requested()) return base::StopExitCode();
  return reporter.success() ? 0 : kFailure;
}

}  // namespace

CommandBody AddImport(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("FILES", arguments->files,
                 "SGF files of boardspace, PGN-like files, files of GameStrings; or directories of "
                 "such files")
      ->required();
  app.add_option("--to", arguments->run.run, "Run directory; made if missing")->required();
  app.add_option("--variant", arguments->variant,
                 "Base, Base+M, ..., Base+MLP or all: of a new run; games of others are skipped");
  app.add_option("--config", arguments->run.config,
                 "Preset or TOML file of a new run; without it quick");
  app.add_option("--set", arguments->run.overrides,
                 "Change one setting of the run: key=value; may be repeated")
      ->allow_extra_args(false);
  app.add_flag("--keep-unfinished", arguments->keep_unfinished,
               "Store games without a result, too: they are kept, not trained on");
  app.add_flag("--json", arguments->json, "Print one JSON object a file, and one of all");
  app.footer(
      "The policy target of a move is the move itself, the value target the result: the end as "
      "replayed, else a resignation or an agreed draw, else the result that the file names.");
  return [arguments] { return RunImport(*arguments); };
}

}  // namespace apiary::app
