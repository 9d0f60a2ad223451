#include "train/replay_window.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "train/targets.h"

namespace apiary::train {
namespace {

std::int64_t MemoryOf(const GameRecord& game) {
  const std::size_t bytes = sizeof(GameRecord) + game.moves.capacity() * sizeof(env::Move) +
                            game.positions.capacity() * sizeof(PositionRecord) +
                            game.policies.capacity() * sizeof(std::uint16_t);
  return static_cast<std::int64_t>(bytes);
}

}  // namespace

std::int64_t WindowSize(const WindowOptions& options, std::int64_t seen) {
  if (seen <= options.min_positions) return options.min_positions;
  const double size = options.min_positions *
                      std::pow(static_cast<double>(seen) / options.min_positions, options.power);
  return std::min<std::int64_t>(options.max_positions, std::llround(size));
}

int TrainablePositions(const GameRecord& game) {
  if (game.outcome.result == env::Result::kUnfinished && !game.cap_wdl) return 0;
  return static_cast<int>(game.moves.size()) - game.opening_plies;
}

void ReplayWindow::Add(std::string key, std::vector<GameRecord> games,
                       const std::vector<std::uint8_t>& uses) {
  File file{std::move(key), std::move(games), {}, 0};
  const auto serial = first_file_ + static_cast<std::uint32_t>(files_.size());
  for (std::uint32_t g = 0; g < file.games.size(); ++g) {
    const GameRecord& game = file.games[g];
    if (TrainablePositions(game) == 0) continue;
    const std::vector<nn::Wdl> values = ValueTargets(game, options_.value_lambda);
    for (std::size_t ply = static_cast<std::size_t>(game.opening_plies); ply < values.size();
         ++ply) {
      const std::size_t index = file.positions.size();
      const std::uint8_t used = index < uses.size() ? uses[index] : std::uint8_t{0};
      file.positions.push_back({g, static_cast<std::uint16_t>(ply), used, values[ply]});
      if (used < options_.max_uses) live_.push_back({serial, static_cast<std::uint32_t>(index)});
    }
    file.bytes += MemoryOf(game);
  }
  file.bytes +=
      static_cast<std::int64_t>(file.positions.size() * (sizeof(Position) + sizeof(Live)));
  held_ += static_cast<std::int64_t>(file.positions.size());
  seen_ += static_cast<std::int64_t>(file.positions.size());
  bytes_ += file.bytes;
  files_.push_back(std::move(file));
  DropOldFiles();
}

void ReplayWindow::DropOldFiles() {
  const std::int64_t size = WindowSize(options_, seen_);
  const std::uint32_t first_before = first_file_;
  while (files_.size() > 1 &&
         (held_ - static_cast<std::int64_t>(files_.front().positions.size()) >= size ||
          bytes_ > options_.max_bytes)) {
    held_ -= static_cast<std::int64_t>(files_.front().positions.size());
    bytes_ -= files_.front().bytes;
    files_.pop_front();
    ++first_file_;
  }
  if (first_file_ != first_before)
    std::erase_if(live_, [this](const Live& live) { return live.file < first_file_; });
}

Sample ReplayWindow::Draw(base::RandomStream& random) {
  APIARY_CHECK(!live_.empty(), "no position of {} may be used again", held_);
  const std::uint32_t slot = random.Below(static_cast<std::uint32_t>(live_.size()));
  const Live live = live_[slot];
  File& file = files_[live.file - first_file_];
  Position& position = file.positions[live.position];
  if (++position.uses >= options_.max_uses) {
    live_[slot] = live_.back();
    live_.pop_back();
  }
  const GameRecord& game = file.games[position.game];
  return {&game, position.ply, position.value, MovesLeftTarget(game, position.ply)};
}

std::vector<ReplayWindow::FileUses> ReplayWindow::Uses() const {
  std::vector<FileUses> result;
  for (const File& file : files_) {
    FileUses entry{file.key, {}};
    entry.uses.reserve(file.positions.size());
    for (const Position& position : file.positions) entry.uses.push_back(position.uses);
    result.push_back(std::move(entry));
  }
  return result;
}

}  // namespace apiary::train
