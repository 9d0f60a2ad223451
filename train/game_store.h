// The games/ folder of a run: workers append games and seal files, the learner lists and reads
// them, old ones are removed.
//   RUN/games/g000120/WORKER-INCARNATION-SEQ-nGAMES-pPOSITIONS.games.zst
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "base/stop.h"
#include "train/game_record.h"

namespace apiary::train {

struct GameFileName {
  std::string path;    // whole path
  std::string key;     // "g000120/NAME": unique within the run; what checkpoints remember
  int generation = 0;  // folder
  int games = 0;       // from the name
  int positions = 0;
  std::int64_t modified_ns = 0;  // Unix time by the file system's clock
  std::uint64_t bytes = 0;
};

// All sealed files, oldest first (by generation folder, then by modification time, then name).
// Names that do not parse are ignored and counted; temporary files of writers are neither. A run
// without games/ has no files.
struct GameListing {
  std::vector<GameFileName> files;
  int foreign = 0;
  std::int64_t positions() const;
  std::int64_t games() const;
};
base::Result<GameListing> ListGames(const std::string& run);

// A worker's name as it stands in file names: other characters than letters, digits, '.' and '_'
// become '_'.
std::string WorkerFileName(std::string_view worker);

// Moves a bad file to RUN/bad/ (keeping its name) and logs the sentence.
void Quarantine(const std::string& run, const GameFileName& file, const std::string& why);

// One worker thread's writer. Not thread-safe.
class GameWriter {
 public:
  struct Limits {
    int positions_per_file = 4000;
    double seconds_per_file = 30;
    double full_timeout_s = 600;
  };
  // `stop`, if given, ends the wait for a full disk; it must outlive the writer. Throws
  // apiary::Error if games/ cannot be made.
  GameWriter(std::string run, std::string worker, const Limits& limits,
             const base::StopToken* stop = nullptr);
  // Keeps the game; seals the file when a limit is reached. The file's folder is that of its first
  // game's `generation`, the one in use then. Throws apiary::Error (exit code 74) when the disk
  // stays full.
  void Append(GameRecord game, int generation);
  // Writes what is held, if anything.
  void Seal();
  // Seals if the oldest held game is older than seconds_per_file; call it now and then.
  void SealIfOld();
  // A record to be overwritten, with the memory of a written one if there is any.
  GameRecord TakeSpare();
  // Games kept and not yet written.
  int held_games() const { return static_cast<int>(held_.size()); }

 private:
  std::string run_;
  std::string worker_;
  std::string incarnation_;  // random, so that a restarted worker never meets its earlier files
  Limits limits_;
  const base::StopToken* stop_;
  int sequence_ = 0;
  int generation_ = 0;
  int positions_ = 0;
  double opened_s_ = 0;
  std::vector<GameRecord> held_;
  std::vector<GameRecord> spare_;  // written
};

// Deletes the oldest of the `removable` files (keys) until at most `keep_bytes` of games remain in
// all; returns the keys removed. Files that nobody has read yet do not belong among them.
std::vector<std::string> RemoveOldGames(const std::string& run, std::uint64_t keep_bytes,
                                        const std::set<std::string>& removable);

// Deletes temporary files in games/ that killed workers left, when they are older than
// `older_than_s`; returns their number. A living writer's are seconds old, or tried anew with every
// retry on a full disk.
int RemoveStaleTemporaries(const std::string& run, double older_than_s = 3600);

}  // namespace apiary::train
