// The table of candidate moves beside the picture of a position. Pure functions; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "env/game.h"
#include "play/analysis.h"
#include "play/svg_page.h"

namespace apiary::play {

inline constexpr double kTableWidth = 470;

// The number of a candidate in a disc.
void DrawRank(SvgPage& page, Point center, std::size_t rank);

// Captions, then for each line its rank, move, win/draw/loss as a bar and in words, visits, and
// what follows. Returns where it ends (y).
double DrawTable(const env::Game& game, std::span<const AnalysisLine> lines,
                 const std::vector<std::string>& captions, Point corner, SvgPage& page);

}  // namespace apiary::play
