// A position as text for a terminal: pointy-top hexes, the top piece in each, a second line with
// the height of stacks, and all stacks from the top down below the board. Pure functions; any
// thread.
#pragma once

#include <string>

#include "env/board.h"

namespace apiary::play {

//    / \ / \ .
//   |wQ |bB1|
//   |   |x2 |
//    \ / \ /
//   bB1 on wA1
// (without the dot). The piece moved last is marked with a star. The empty board is one line that
// says so.
std::string DrawBoard(const env::Board& board);
// "White in hand: wQ wS1 wS2 ...", the pieces of a type in number order.
std::string DescribeHand(const env::Board& board, env::Color color);

}  // namespace apiary::play
