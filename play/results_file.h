// The games of rated pairs as a file that only grows: one JSON object a line, one line a pair that
// was played to its end (docs/ratings.md). A program killed at any time loses the pairs in play.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/line_file.h"
#include "play/match.h"

namespace apiary::play {

inline constexpr const char* kResultsFormat = "apiary-rate-1";

// Who played. The same player is the same text, and of a net the same weights and search under any
// path: see `key`.
struct RatedPlayer {
  std::string text;     // as given: "crowd", "runs/first;sims=64"
  std::string options;  // of a net, as PlayerName shows them after the file: "(sims=64)"
  std::string sha256;   // of a net's weights file; else empty
  int generation = 0;   // of a net
  bool is_net() const { return !sha256.empty(); }
  // Equal keys, equal players.
  std::string key() const { return is_net() ? sha256 + " " + options : text; }
};
RatedPlayer RatedPlayerOf(const PlayerSpec& spec);

// What games must have in common to be rated together.
struct RatingConditions {
  std::string variant;
  int max_plies = 0;
  int opening_plies = 0;
  friend bool operator==(const RatingConditions&, const RatingConditions&) = default;
};

struct RatedGame {
  bool a_is_first = true;  // A moved first
  double points_a = 0;     // 0, 0.5 or 1
  std::string reason;      // "surround", "cap", ...
  int plies = 0;
  std::string game;  // a GameString
};

struct PairRecord {
  RatedPlayer a, b;
  RatingConditions conditions;
  std::uint64_t seed = 0;
  int asked = 0;  // games; fewer are here where the players repeated themselves
  double seconds = 0;
  std::vector<RatedGame> games;
};

std::string ToJsonLine(const PairRecord& record);  // without the line break
// `where` begins the failure: "FILE: line 3".
base::Result<PairRecord> ParsePairRecord(std::string_view line, const std::string& where);

struct ResultsHistory {
  std::vector<PairRecord> records;
  std::size_t whole_bytes = 0;  // length without a last line that a kill tore
};
// A foreign line, or a foreign file without any line break, is a failure that names file and line;
// our own last line torn off is left out.
base::Result<ResultsHistory> ParseResults(std::string_view text, const std::string& path);

// The file opened for appending: locked against a second program, its torn last line cut off. One
// thread at a time.
class ResultsFile {
 public:
  // Made where it does not exist.
  static base::Result<ResultsFile> Open(const std::string& path);
  const std::vector<PairRecord>& records() const { return records_; }  // read by Open
  // Writes and syncs one line; a line that does not fit is taken back and apiary::Error thrown (74
  // on a full disk).
  void Append(const PairRecord& record);

 private:
  explicit ResultsFile(base::LineFile lines) : lines_(std::move(lines)) {}

  base::LineFile lines_;
  std::vector<PairRecord> records_;
};

}  // namespace apiary::play
