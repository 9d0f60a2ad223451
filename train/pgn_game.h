// PGN-like files: tags in brackets (GameType, Result), then the moves in UHP notation, numbered in
// any way: "1. wS1 2. bS1 wS1-" or "1. wS1 bS1 wS1-". Comments in braces or after a semicolon and
// variations in parentheses are left out. A pass that is not written is put in where it is the only
// legal move. Pure functions; any thread.
#pragma once

#include <string_view>

#include "train/foreign_game.h"

namespace apiary::train {

void ReadPgnGames(std::string_view text, const ForeignSink& sink);

}  // namespace apiary::train
