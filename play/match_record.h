// The games of a match on disk, so that it can be resumed (docs/matches.md): one JSON object a
// line, the first says which match it is, each other one is a game; both games of a pair are
// appended together as soon as both are finished, repetitions of known games too. One process at a
// time, one thread.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "play/match.h"

namespace apiary::play {

class MatchRecord {
 public:
  // Creates the file, or reads one of the same match: same players (nets by their sha256), rules,
  // openings, seed and test; the number of games may be another. A last line without its end, torn
  // by a kill, is cut off. The failure says what is wrong, and in which line.
  static base::Result<std::unique_ptr<MatchRecord>> Open(const std::string& path,
                                                         const PlayerSpec& a, const PlayerSpec& b,
                                                         const MatchOptions& options);
  ~MatchRecord();
  MatchRecord(const MatchRecord&) = delete;
  MatchRecord& operator=(const MatchRecord&) = delete;

  // Games found when it was opened.
  int games_found() const { return games_found_; }
  // Bytes of a torn last line that were cut off.
  std::size_t torn_bytes() const { return torn_bytes_; }
  // Appends both games of a pair as it was found; false if it is not there whole.
  bool Find(int pair, int attempt, std::vector<PlayedGame>& games) const;
  // Appends the games to the file by one write; throws apiary::Error if that fails.
  void Keep(std::span<const PlayedGame> games);

 private:
  MatchRecord(std::string path, int file, const env::Rules& rules)
      : path_(std::move(path)), file_(file), rules_(rules) {}
  base::Result<void> Read(const std::string& identity);
  base::Result<void> ReadHeader(const std::string& line, const std::string& identity) const;
  base::Result<PlayedGame> ReadGame(const std::string& line) const;
  std::string ToLine(const PlayedGame& game) const;
  base::Result<void> Append(const std::string& lines) const;

  std::string path_;
  int file_;
  env::Rules rules_;
  std::map<std::pair<int, int>, std::vector<PlayedGame>> pairs_;  // by pair and attempt
  int games_found_ = 0;
  std::size_t torn_bytes_ = 0;
};

}  // namespace apiary::play
