// The replay window: the newest positions of the run in memory, as stored records (never encoded),
// sampled uniformly among those that were used fewer than `max_uses` times. Owned by the learner's
// thread.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "base/random.h"
#include "train/game_record.h"

namespace apiary::train {

struct WindowOptions {
  int min_positions = 50000;
  double power = 0.75;
  int max_positions = 1000000;
  std::int64_t max_bytes = std::int64_t{1500} << 20;  // whichever bound is met first
  int max_uses = 8;  // hard cap on the uses of one position, at most 255
  double value_lambda = 0.95;
};

// Positions the window holds after `seen` positions: min * (seen / min)^power, at least min, at
// most max (KataGo's power law).
std::int64_t WindowSize(const WindowOptions& options, std::int64_t seen);

// One position to train on, by reference into the window; valid until the next Add.
struct Sample {
  const GameRecord* game;
  int ply;
  nn::Wdl value;     // target, side to move's view
  float moves_left;  // negative: masked
};

class ReplayWindow {
 public:
  explicit ReplayWindow(const WindowOptions& options) : options_(options) {}

  // Adds a file's games as the newest and drops the oldest files while the rest still fills the
  // window. `uses`: earlier uses of each trainable position in order (from a checkpoint), or empty
  // for none.
  void Add(std::string key, std::vector<GameRecord> games, const std::vector<std::uint8_t>& uses);

  // Trainable positions added since the start of the run (set_seen restores it after a resume).
  std::int64_t seen() const { return seen_; }
  void set_seen(std::int64_t seen) { seen_ = seen; }
  std::int64_t positions() const { return held_; }  // trainable, in the window
  std::int64_t available() const {
    return static_cast<std::int64_t>(live_.size());
  }                                              // of those below the hard cap
  std::int64_t bytes() const { return bytes_; }  // estimate of the memory held

  // A uniform draw among the available positions, counted as a use. Precondition: available() > 0.
  Sample Draw(base::RandomStream& random);

  struct FileUses {
    std::string key;
    std::vector<std::uint8_t> uses;  // [trainable positions]
  };
  // For the checkpoint: the files of the window, oldest first.
  std::vector<FileUses> Uses() const;

 private:
  struct Position {
    std::uint32_t game;
    std::uint16_t ply;
    std::uint8_t uses;
    nn::Wdl value;
  };
  struct File {
    std::string key;
    std::vector<GameRecord> games;
    std::vector<Position> positions;
    std::int64_t bytes = 0;
  };
  struct Live {
    std::uint32_t file;  // serial number: files_[file - first_file_]
    std::uint32_t position;
  };

  void DropOldFiles();

  WindowOptions options_;
  std::deque<File> files_;
  std::uint32_t first_file_ = 0;
  std::vector<Live> live_;
  std::int64_t held_ = 0;
  std::int64_t seen_ = 0;
  std::int64_t bytes_ = 0;
};

// Positions of a game that carry a target: everything after the random opening, nothing in a capped
// game of generation 0, whose value nobody knows and which has no policy.
int TrainablePositions(const GameRecord& game);

}  // namespace apiary::train
