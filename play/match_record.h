// The games of a match on disk, so that it can be resumed (docs/matches.md): one JSON object a
// line, the first says which match it is, each other one is a game; both games of a pair are
// appended together as soon as both are finished, repetitions of known games too. One process at a
// time, one thread.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/line_file.h"
#include "play/match.h"

namespace apiary::play {

class MatchRecord {
 public:
  // Creates the file, or reads one of the same match: same players (nets by their sha256), rules,
  // openings, seed and test; the number of games may be another. What a kill tore at the end, a
  // line or a pair of which one game is there, is cut off. The failure says what is wrong, and in
  // which line.
  static base::Result<std::unique_ptr<MatchRecord>> Open(const std::string& path,
                                                         const PlayerSpec& a, const PlayerSpec& b,
                                                         const MatchOptions& options);

  // Games found when it was opened.
  int games_found() const { return games_found_; }
  // Bytes that were cut off.
  std::size_t torn_bytes() const { return torn_bytes_; }
  // Appends both games of a pair as it was found; false if it is not there.
  bool Find(int pair, int attempt, std::vector<PlayedGame>& games) const;
  // Appends both games of a pair to the file, or throws apiary::Error (exit code 74 on a full
  // disk).
  void Keep(std::span<const PlayedGame> games);

 private:
  MatchRecord(base::LineFile file, const env::Rules& rules)
      : file_(std::move(file)), rules_(rules) {}
  base::Result<void> Read(const std::string& identity);
  // Whole lines; the end of those to keep.
  base::Result<std::size_t> ReadLines(std::string_view lines, const std::string& identity);
  base::Result<void> ReadHeader(std::string_view line, const std::string& identity) const;
  base::Result<PlayedGame> ReadGame(std::string_view line) const;
  std::string ToLine(const PlayedGame& game) const;

  base::LineFile file_;
  env::Rules rules_;
  std::map<std::pair<int, int>, std::vector<PlayedGame>> pairs_;  // by pair and attempt
  int games_found_ = 0;
  std::size_t torn_bytes_ = 0;
};

}  // namespace apiary::play
