// Takes games of other people's files into a run: what is of its variant, has a result and is not
// there already. One thread.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "train/foreign_game.h"
#include "train/game_record.h"

namespace apiary::train {

// The worker's name in the files of imported games.
inline constexpr std::string_view kImportWorker = "import";

struct ImportOptions {
  env::Rules rules;               // of the run; each game keeps its variant
  std::string variants = "Base";  // of the run: a variant's name or env::kAllVariants
  bool keep_unfinished = false;   // games without a result are stored, too
};

// What became of the games of one file, or of several.
struct ImportTally {
  int games = 0;  // found in it: those that were stored and those that were skipped
  int stored = 0;
  int positions = 0;       // of those stored
  int without_result = 0;  // stored, but nothing to train on
  int agreed = 0;          // stored, ended by a resignation or agreement
  std::array<int, kNumSkipReasons> skipped{};

  int skipped_games() const;
  int duplicates() const { return skipped[static_cast<std::size_t>(SkipReason::kDuplicate)]; }
  void Add(const ImportTally& other);
};

struct ImportReport {
  ForeignFormat format = ForeignFormat::kGameStrings;
  ImportTally tally;
  std::vector<SkippedGame> skipped;
};

class GameImport {
 public:
  using RecordSink = std::function<void(GameRecord)>;
  // `sink` gets every game that is taken.
  GameImport(const ImportOptions& options, RecordSink sink)
      : options_(options), sink_(std::move(sink)) {}

  // A game that the run has already.
  void Know(const GameRecord& record) { known_.insert(KeyOf(record)); }
  // Takes the games of one file.
  ImportReport Read(std::string_view text);

 private:
  static std::string KeyOf(const GameRecord& record);
  void Take(const ForeignGame& game, ImportReport& report);
  void Skip(SkippedGame skipped, ImportReport& report);

  ImportOptions options_;
  RecordSink sink_;
  std::unordered_set<std::string> known_;  // variant, first player and moves
};

}  // namespace apiary::train
