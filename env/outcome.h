// How a game stands or ended. Absolute (white / black), never from a player's view.
#pragma once

#include <cstdint>
#include <string_view>

namespace apiary::env {

enum class Result : std::uint8_t {
  kInProgress = 0,
  kWhiteWins = 1,
  kBlackWins = 2,
  kDraw = 3,
  kUnfinished = 4,  // stopped by the length cap: not a draw
};
enum class Reason : std::uint8_t {
  kNone = 0,      // in progress
  kSurround = 1,  // one queen surrounded
  kBoth = 2,      // both queens surrounded by the same turn
  kRepetition = 3,
  kCap = 4,
};
struct Outcome {
  Result result = Result::kInProgress;
  Reason reason = Reason::kNone;
  bool over() const { return result != Result::kInProgress; }
  bool decisive() const { return result == Result::kWhiteWins || result == Result::kBlackWins; }
  friend bool operator==(const Outcome&, const Outcome&) = default;
};
std::string_view ToString(
    Result result);  // as in GameStrings: "InProgress", "WhiteWins", ...; "Unfinished"
std::string_view ToString(Reason reason);  // "none", "surround", "both", "repetition", "cap"

}  // namespace apiary::env
