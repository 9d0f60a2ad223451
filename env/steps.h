// Where one lifted piece can go, by piece type (rules.md, section 4). Internal to move generation.
// Lives on the stack of one generation; no allocation.
#pragma once

#include "env/board.h"
#include "env/destinations.h"

namespace apiary::env {

// Whether the gate between `from` and its neighbour in `direction` is open at height `level` (the
// higher of both ends): not both shared neighbours are stacks above it.
bool GateOpen(const Board& board, Cell from, int direction, int level);

class Steps {
 public:
  explicit Steps(const Board& board);

  // Adds where the top piece of `from` can go by its own moves to `destinations`, its own cell
  // never. A mosquito on the ground takes the types it touches, any piece on a stack moves as a
  // beetle; throws are not moves. Preconditions: it may leave (not pinned); `destinations` is
  // empty.
  void AddDestinations(Cell from, Destinations& destinations);

 private:
  std::uint8_t Mask(Cell cell) const { return masks_[static_cast<std::size_t>(cell.index())]; }
  // Height with the piece lifted.
  int Height(Cell cell) const { return cell == from_ ? level_ : board_.height(cell); }
  // As GateOpen, with the piece lifted. Precondition: a step above the ground, `level` >= 1.
  bool Open(Cell from, int direction, int level) const;
  // Takes the piece on `from_` out of its neighbours' masks, or puts it back.
  void FlipNeighborMasks();
  // Bits: PieceType.
  unsigned TypesBeside(Cell cell) const;
  void AddAs(PieceType type, Destinations& destinations) const;

  void AddSlides(Destinations& destinations) const;
  void AddBeetle(Destinations& destinations) const;
  void AddGrasshopper(Destinations& destinations) const;
  void AddSpider(Destinations& destinations) const;
  void AddAnt(Destinations& destinations) const;
  void AddLadybug(Destinations& destinations) const;
  void AddStepsDown(Cell across, Destinations& destinations) const;

  const Board& board_;
  const std::uint32_t words_;  // those with cells at or next to the hive
  // Neighbour masks, with the piece lifted where a step leads further than one cell; only rows at
  // and next to the hive are filled in.
  std::array<NeighborMask, kNumCells> masks_;
  Cell from_ = kNoCell;
  int level_ = 0;  // height beneath the lifted piece
};

}  // namespace apiary::env
