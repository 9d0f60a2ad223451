// The tables of tests/data/rules: facts on which two independent engines agreed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/game.h"

namespace apiary::env::testing {

using Row = std::vector<std::string>;

std::vector<std::string> Split(std::string_view text, char separator);
// The rows of a tab-separated file without its comment lines; `.zst` files are decompressed. A file
// that cannot be read fails the test and gives no rows.
std::vector<Row> ReadTable(const std::string& name);
// The row that begins with `id`; fails the test and is empty if there is none.
Row FileRow(const std::string& name, const std::string& id);
// Replays a GameString with the repetition draw off; fails the test if it does not parse.
Game Replay(std::string_view game_string);

}  // namespace apiary::env::testing
