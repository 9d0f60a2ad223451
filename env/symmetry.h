// The 12 symmetries of the hexagon: rotation by k * 60 degrees anticlockwise, after a mirror if
// `mirrored`. Plain values; any thread.
#pragma once

#include <array>
#include <cstdint>

#include "env/game.h"

namespace apiary::env {

inline constexpr int kNumSymmetries = 12;

class Symmetry {
 public:
  constexpr Symmetry() = default;  // identity
  // index in [0, 12): rotation + 6 * mirrored.
  static constexpr Symmetry FromIndex(int index) {
    return Symmetry(static_cast<std::uint8_t>(index));
  }
  constexpr int index() const { return index_; }
  constexpr int rotation() const { return index_ % 6; }
  constexpr bool mirrored() const { return index_ >= 6; }

  // A mirror maps direction d to -d (mod 6), then the rotation adds to it.
  constexpr int Map(int direction) const {
    return ((mirrored() ? 6 - direction : direction) + rotation()) % 6;
  }
  Axial Map(Axial a) const;
  Symmetry Inverse() const;
  friend constexpr bool operator==(Symmetry, Symmetry) = default;

 private:
  explicit constexpr Symmetry(std::uint8_t index) : index_(index) {}
  std::uint8_t index_ = 0;
};

// The same game seen through a symmetry about the origin (all moves mapped and replayed).
Game Transform(const Game& game, Symmetry symmetry);
// Takes the destination for the cell nearest to the origin among those that share its index: exact
// while the hive stays within 15 cells of the origin. For a whole game use the function above.
Move Transform(Move move, Symmetry symmetry);

}  // namespace apiary::env
