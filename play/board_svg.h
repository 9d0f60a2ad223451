// A position as an SVG picture: hexes with their coordinates, stacks, the last move, hands, and
// candidate moves as arrows as wide as their share of the visits, beside a table of them. Pure
// function; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "env/game.h"
#include "play/analysis.h"

namespace apiary::play {

// `captions`: lines above the table. `lines`: legal moves of the position; may be empty.
std::string DrawBoardSvg(const env::Game& game, std::span<const AnalysisLine> lines,
                         const std::vector<std::string>& captions);

}  // namespace apiary::play
