// One-hive rule in one linear pass. Plain value of one position; any thread.
//
// Removing a piece that lies alone on its cell joins the gaps around it (runs of empty neighbours)
// to one region. By Euler's formula the hive then has
//     1 + gaps - (different faces among its gaps)
// parts, a face being a connected region of empty cells: the outside or a hole. So a piece is
// pinned if and only if two of its gaps lie on one face. Without holes all gaps lie on the outside,
// and the neighbour mask alone decides; holes are counted incrementally by the board. With holes
// the border of each face is walked once, gap by gap.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "env/board.h"
#include "env/neighbor_mask.h"

namespace apiary::env {

class Pins {
 public:
  explicit Pins(const Board& board);

  // Whether the hive would split if all that stands on `cell` left: a single piece there is pinned.
  // Precondition: the cell is occupied.
  bool Pinned(Cell cell) const {
    const unsigned gaps = kGapStarts[board_.neighbor_mask(cell)];
    const bool several = (gaps & (gaps - 1)) != 0;
    // No branch on `several` in a hive without holes: nothing predicts it.
    return holes_ ? several && TwoGapsOnOneFace(cell, gaps) : several;
  }

 private:
  bool TwoGapsOnOneFace(Cell cell, unsigned gaps) const;
  void WalkFaces();

  const Board& board_;
  bool holes_;
  // [top piece of a cell, first direction of a gap]: the face's number from 1 on; 0 = not walked.
  std::array<std::array<std::uint8_t, 8>, 32> faces_;
};

}  // namespace apiary::env
