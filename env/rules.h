// The rules of one game: which expansions are in play and the options players may agree on.
// Plain values; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace apiary::env {

enum class Color : std::uint8_t { kWhite = 0, kBlack = 1 };
constexpr Color Opponent(Color color) { return static_cast<Color>(1 - static_cast<int>(color)); }

// A set of expansions; the eight variants of the game.
struct Variant {
  bool mosquito = false;
  bool ladybug = false;
  bool pillbug = false;
  friend bool operator==(const Variant&, const Variant&) = default;

  // 0..7: mosquito + 2 * ladybug + 4 * pillbug. Written into files.
  int index() const { return mosquito + 2 * ladybug + 4 * pillbug; }
  static Variant FromIndex(int index);
};
std::array<Variant, 8> AllVariants();
// "Base", "Base+M", ..., "Base+MLP": order of the letters fixed when written, free (and any case)
// when read.
std::string ToString(Variant variant);
base::Result<Variant> ParseVariant(std::string_view text);

// In place of a variant's name, what a run or a net of all eight variants is of.
inline constexpr std::string_view kAllVariants = "all";
// The variants a name stands for: the one that it names, or all of kAllVariants.
base::Result<std::vector<Variant>> ParseVariants(std::string_view name);
// Whether `variant` is one of those that `name` stands for; false for a text that is no name.
bool IsOneOf(Variant variant, std::string_view name);

struct Rules {
  Variant variant;
  Color first_player = Color::kWhite;
  bool queen_first_turn = false;  // true: a player may open with the queen
  int repetition = 3;             // the n-th occurrence of a position draws; 0 = off; else >= 2
  int max_plies = 0;              // the game is Unfinished at this ply; 0 = no cap
  friend bool operator==(const Rules&, const Rules&) = default;
};

}  // namespace apiary::env
