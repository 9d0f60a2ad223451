// Canonical keys: one number for all positions that are equal up to the 12 symmetries of the
// hexagon and translation. docs/canonical-key.md has the argument and what was measured.
//
// A position is a set of integers: one for each piece (type, colour, height, mark, place relative
// to the hive's centre of mass in an orientation) and one for what has no place (side to move,
// ...). A key is the value of the polynomial with these roots at two fixed random points modulo the
// prime 2^61 - 1, in the orientation where that value is least. Two different sets agree at both
// points with a probability of at most (29 / 2^60)^2 < 2^-110 over the choice of the points; two
// different positions, in any of 144 pairs of orientations, of at most 2^-103; any two of N
// positions of at most N^2 2^-104. One word would leave a bound of 2^-47 a pair: too weak from 10^7
// positions on.
//
// Colours are never exchanged. Plain values, no allocation; any thread.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "env/game.h"
#include "env/symmetry.h"

namespace apiary::env {

// Comparable on one version of the program only: never write it into files.
struct PositionKey {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend auto operator<=>(const PositionKey&, const PositionKey&) = default;
};

struct CanonicalPosition {
  PositionKey key;
  // Maps the position to its canonical orientation: positions of one key, each seen through its
  // symmetry, are translations of each other. Where several symmetries do, the one of the lowest
  // index.
  Symmetry symmetry;
};

// The position as the rules see it, without its history: equal keys mean that the same moves lead
// to equal keys, up to the symmetry, and that queens are surrounded in both or in neither. In the
// key: type and colour at each cell and height; the side to move; the variant, so the hands as
// well; the mark of the piece moved last where it matters (MarkMatters); and for a side with the
// queen in hand the turns it has taken, 0, 1, 2, or 3 and more, 0 apart by whether the queen may
// open. Not in it: which of several equal pieces lies where, turns taken once the queen is placed,
// who began, earlier occurrences, the cap.
CanonicalPosition Canonicalize(const Board& board);

// The position as a net sees it: equal keys mean equal encodings (env::Append, each through its
// symmetry) up to the order of moves, which RankMoves takes out. In the key beside the pieces: the
// mark wherever it lies, the side to move, the variant, and the position features that do not
// follow from these: own_turns, ply_octave, occurrences, repetition_rule, queen_first_turn; and
// whether the game is over, which leaves it without moves. Not comparable with keys of
// Canonicalize.
CanonicalPosition CanonicalizeEncoding(const Game& game);

}  // namespace apiary::env

template <>
struct std::hash<apiary::env::PositionKey> {
  std::size_t operator()(const apiary::env::PositionKey& key) const noexcept {
    return static_cast<std::size_t>(key.low);  // each word is well mixed
  }
};
