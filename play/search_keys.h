// Keys of a player that change how it searches, for measuring what each part of the search is
// worth: "MODEL;sims=400;c_puct=2.5". Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "mcts/options.h"

namespace apiary::play {

// "root, interior, ...", for messages and help.
std::string SearchKeyNames();
bool IsSearchKey(std::string_view key);
// Precondition: IsSearchKey(key). The failure names what the key takes.
base::Result<void> SetSearchKey(std::string_view key, std::string_view value,
                                mcts::SearchOptions& options);

}  // namespace apiary::play
