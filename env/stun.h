// Whether the mark of the piece moved last (rules.md, section 5.4) can be told by the rules in a
// position. Any thread, no allocation.
#pragma once

#include "env/board.h"

namespace apiary::env {

// Equal to MarkMatters(board, board.moved_last()), but generates moves in few positions: a mark on
// an enemy piece matters exactly if one of our pieces could throw it otherwise. A piece of ours
// that the enemy threw needs the moves only where its type does not tell that it has some.
bool StunMatters(const Board& board);

}  // namespace apiary::env
