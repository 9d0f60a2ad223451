// Games of boardspace.net from SGF files, old and new dialect (rules.md, section 10). Coordinates
// decide, texts of attachment are not read. The last action before a `done` counts. A pass that is
// not written is put in where it is the only legal move. The end: as replayed, else a resignation
// or an agreed draw, else the text of the result. Pure functions; any thread.
#pragma once

#include <string_view>

#include "train/foreign_game.h"

namespace apiary::train {

void ReadSgfGames(std::string_view text, const ForeignSink& sink);

// The winner that a result's text names; `white` and `black` are the players' names. kInProgress if
// it names none, or either may be meant.
env::Result ResultOfText(std::string_view text, std::string_view white, std::string_view black);

}  // namespace apiary::train
