// Where one lifted piece can go, by piece type (rules.md, section 4). Internal to move generation.
// Lives on the stack of one generation; no allocation.
#pragma once

#include "env/board.h"
#include "env/cell_set.h"

namespace apiary::env {

// Whether the gate between `from` and its neighbour in `direction` is open at height `level` (the
// higher of both ends): not both shared neighbours are stacks above it.
bool GateOpen(const Board& board, Cell from, int direction, int level);

class Steps {
 public:
  explicit Steps(const Board& board) : board_(board), masks_(board.neighbor_masks()) {}

  // Lifts the top piece of `from`; Drop puts it back. Precondition: it may leave (not pinned).
  void Lift(Cell from);
  void Drop();

  // Adds the destinations of the lifted piece moving as `type` to `destinations`, its own cell
  // never. A mosquito on the ground takes the types it touches, any piece on a stack moves as a
  // beetle; abilities are not moves.
  void AddDestinations(PieceType type, CellSet& destinations) const;

 private:
  std::uint8_t Mask(Cell cell) const { return masks_[static_cast<std::size_t>(cell.index())]; }
  // Height with the piece lifted.
  int Height(Cell cell) const { return cell == from_ ? level_ : board_.height(cell); }
  // As GateOpen, with the piece lifted.
  bool Open(Cell from, int direction, int level) const;
  void ClearBitOfSource(bool clear);

  void AddSlides(CellSet& destinations) const;
  void AddBeetle(CellSet& destinations) const;
  void AddGrasshopper(CellSet& destinations) const;
  void AddSpider(CellSet& destinations) const;
  void AddAnt(CellSet& destinations) const;
  void AddMosquito(CellSet& destinations) const;
  void AddLadybug(CellSet& destinations) const;
  void AddLadybugSecondStep(Cell on, CellSet& destinations) const;

  const Board& board_;
  std::array<std::uint8_t, kNumCells> masks_;  // neighbour masks with the piece lifted
  Cell from_ = kNoCell;
  int level_ = 0;  // height beneath the lifted piece
};

}  // namespace apiary::env
