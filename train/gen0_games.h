// Games of generation 0: the player gen0 on both sides, before there is a net. Any thread.
#pragma once

#include "base/random.h"
#include "train/game_record.h"
#include "train/run_config.h"

namespace apiary::train {

// One game from the empty board, its rules as config.DrawRules says. Only the position in which a
// win in one was played has targets: value won and solved, policy uniform over the winning moves. A
// game stopped by the cap has no cap_wdl.
GameRecord PlayGen0Game(const RunConfig& config, base::RandomStream random);

}  // namespace apiary::train
