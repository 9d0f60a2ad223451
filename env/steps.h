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

  // Lifts the top piece of `from`; Drop puts it back. Precondition: it may leave (not pinned).
  void Lift(Cell from);
  void Drop();

  // Adds the destinations of the lifted piece moving as `type` to `destinations`, its own cell
  // never. A mosquito on the ground takes the types it touches, any piece on a stack moves as a
  // beetle; abilities are not moves.
  void AddDestinations(PieceType type, Destinations& destinations) const;

 private:
  std::uint8_t Mask(Cell cell) const { return masks_[static_cast<std::size_t>(cell.index())]; }
  // Height with the piece lifted.
  int Height(Cell cell) const { return cell == from_ ? level_ : board_.height(cell); }
  // As GateOpen, with the piece lifted.
  bool Open(Cell from, int direction, int level) const;
  void CopyMasks();
  void FlipNeighborMasks();

  void AddSlides(Destinations& destinations) const;
  void AddBeetle(Destinations& destinations) const;
  void AddGrasshopper(Destinations& destinations) const;
  void AddSpider(Destinations& destinations) const;
  void AddAnt(Destinations& destinations) const;
  void AddMosquito(Destinations& destinations) const;
  void AddLadybug(Destinations& destinations) const;
  void AddLadybugSecondStep(Cell on, Destinations& destinations) const;

  const Board& board_;
  // Neighbour masks with the piece lifted; only rows at and next to the hive are filled in.
  std::array<NeighborMask, kNumCells> masks_;
  Cell from_ = kNoCell;
  int level_ = 0;  // height beneath the lifted piece
};

}  // namespace apiary::env
