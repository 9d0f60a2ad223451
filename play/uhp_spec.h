// The text that names a foreign engine: "uhp:COMMAND[;key=value]..." (design: Players). Pure
// functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace apiary::play {

struct UhpSpec {
  std::string text;                // as given
  std::vector<std::string> words;  // COMMAND, split as a shell splits words; not empty
  // What follows "bestmove ": "depth N" of the key depth=N, "time hh:mm:ss" of time=S, TEXT of
  // go=TEXT; empty if none of the three was given.
  std::string go;
  int seconds = 0;  // of the key time=S; 0: it was not given
  // NAME and VALUE of each set.NAME=VALUE, in the order given.
  std::vector<std::pair<std::string, std::string>> options;
};

inline constexpr std::string_view kUhpPrefix = "uhp:";

// "time hh:mm:ss" of whole seconds.
std::string TimeGo(int seconds);

// The failure names the key. A semicolon always ends the command or a value.
base::Result<UhpSpec> ParseUhpSpec(const std::string& text);

// Blanks part words; '...' keeps all, "..." all but \" and \\, \x outside of quotes is x. Nothing
// is expanded.
base::Result<std::vector<std::string>> SplitWords(std::string_view text);

}  // namespace apiary::play
