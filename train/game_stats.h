// Statistics of finished self-play games, for metrics and alarms. Plain value; the learner's
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "train/game_record.h"

namespace apiary::train {

// Sums over the games since the last Clear.
class GameStats {
 public:
  void Add(const GameRecord& game);
  void Clear() { *this = GameStats(); }
  std::int64_t games() const { return games_; }
  // Adds share_white, share_black, share_draw, share_surround, share_both, share_repetition,
  // share_cap, plies, solved_share and target_entropy (nats); nothing without games.
  void Report(std::map<std::string, double>& metrics) const;

 private:
  std::int64_t games_ = 0, plies_ = 0, searched_ = 0, solved_ = 0, policies_ = 0;
  std::int64_t white_ = 0, black_ = 0, draw_ = 0;
  std::int64_t surround_ = 0, both_ = 0, repetition_ = 0, cap_ = 0;
  double entropy_ = 0;
};

// Why self-play with this decisive share of its last games is in trouble, and the usual causes;
// empty where it is not: under 40 %, or fallen by a third from `peak`, the best share so far.
std::string DecisiveAlarm(double share, double peak);

// Decisive share = (white wins + black wins) / finished games, capped ones included, of the last
// 500 self-play games; generation 0 is left out. The alarm says why it rings.
class DecisiveWatch {
 public:
  static constexpr int kWindow = 500;
  DecisiveWatch() = default;
  DecisiveWatch(std::string outcomes, double peak) : outcomes_(std::move(outcomes)), peak_(peak) {}

  void Add(const GameRecord& game);
  // In [0, 1]; 0 before the first game.
  double share() const;
  bool full() const { return outcomes_.size() >= kWindow; }
  // DecisiveAlarm of the last 500 games; empty while there are fewer.
  std::string Alarm() const;
  const std::string& outcomes() const { return outcomes_; }
  double peak() const { return peak_; }

 private:
  std::string outcomes_;  // W B D C, newest last
  double peak_ = 0;
};

}  // namespace apiary::train
