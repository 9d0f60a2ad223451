// SGF as a notation of properties, whatever the game: (;NAME[value]NAME[value];...). Pure
// functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "train/text_cursor.h"

namespace apiary::train {

struct SgfProperty {
  int line = 0;
  std::string name;
  std::string value;
};

struct SgfTree {
  int line = 0;  // of its opening parenthesis
  std::vector<SgfProperty> properties;
  std::string error;   // "" or what is wrong
  int error_line = 0;  // where
};

// The next game of a file, nullopt at its end. After an error the next one begins at the next line
// that begins with a parenthesis. Actions of players (P0[12 dropb A1 N 13 \wQ]) end at the first
// bracket, for their backslashes are often not escaped; other values by the rules of SGF.
std::optional<SgfTree> NextSgfTree(TextCursor& cursor);

}  // namespace apiary::train
