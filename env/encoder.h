// The one encoder (self-play, learner, play, other people's code): a position as a small graph.
//
// Row = an occupied cell or an empty cell next to one; the occupied ones first, each group in (r,
// q) order of unwrapped axial coordinates. The empty board has one row, the origin. Neighbour slots
// are in the order of env::Direction. A row without neighbour there has -1. All indices are rows of
// the block. Everything is from the side to move's view (own / enemy). docs/encoding.md has the
// table.
//
// A position may be seen through a symmetry: its encoding is then, to the bit, that of the position
// the symmetry turns it into, with the moves in the order of the original ones. Slot s of a row is
// the neighbour in direction symmetry^-1(s) of the original.
//
// Thread: one writer. Append allocates only when a block grows past what Reserve gave it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/uninitialized.h"
#include "env/game.h"
#include "env/symmetry.h"

namespace apiary::env {

inline constexpr int kEncoderVersion = 1;

struct FeatureInfo {
  std::string_view name;
  int range;  // values are 0 .. range - 1
  std::string_view meaning;
};

// Per row. Piece codes: 0 none, 1..8 own Q S B G A M L P, 9..16 enemy Q S B G A M L P.
inline constexpr std::array<FeatureInfo, 11> kRowFeatures = {{
    {"top", 17, "piece code of the top piece, 0 on an empty cell"},
    {"height", 8, "pieces in the stack"},
    {"beneath", 17, "piece code of the piece right below the top"},
    {"buried_queen", 3, "a queen below the top: 0 none, 1 own, 2 enemy"},
    {"own_beneath", 7, "own pieces below the top"},
    {"enemy_beneath", 7, "enemy pieces below the top"},
    {"moved_last", 2, "the top piece is the one moved last: stunned"},
    {"pinned", 2, "unstacked piece that may not leave without splitting the hive"},
    {"may_place", 4,
     "1: the side to move may place here by the contact rule, +2: the enemy (empty cells)"},
    {"neighbors", 7, "occupied neighbours"},
    {"next_to_queen", 4, "1: next to the own queen, +2: next to the enemy queen"},
}};
inline constexpr int kNumRowFeatures = static_cast<int>(kRowFeatures.size());

// Per position.
inline constexpr std::array<FeatureInfo, 26> kPositionFeatures = {{
    {"own_hand_Q", 2, "own queens in hand"},
    {"own_hand_S", 3, "own spiders in hand"},
    {"own_hand_B", 3, "own beetles in hand"},
    {"own_hand_G", 4, "own grasshoppers in hand"},
    {"own_hand_A", 4, "own ants in hand"},
    {"own_hand_M", 2, "own mosquitoes in hand"},
    {"own_hand_L", 2, "own ladybugs in hand"},
    {"own_hand_P", 2, "own pillbugs in hand"},
    {"enemy_hand_Q", 2, "enemy queens in hand"},
    {"enemy_hand_S", 3, "enemy spiders in hand"},
    {"enemy_hand_B", 3, "enemy beetles in hand"},
    {"enemy_hand_G", 4, "enemy grasshoppers in hand"},
    {"enemy_hand_A", 4, "enemy ants in hand"},
    {"enemy_hand_M", 2, "enemy mosquitoes in hand"},
    {"enemy_hand_L", 2, "enemy ladybugs in hand"},
    {"enemy_hand_P", 2, "enemy pillbugs in hand"},
    {"own_queen_neighbors", 7, "occupied neighbours of the own queen, 0 in hand"},
    {"enemy_queen_neighbors", 7, "occupied neighbours of the enemy queen, 0 in hand"},
    {"own_turns", 5, "turns the side to move has taken, 4 = four or more"},
    {"ply_octave", 8, "floor(log2(ply + 1)), at most 7"},
    {"occurrences", 3,
     "earlier occurrences of this position: 0, 1, 2 or more; 0 with the repetition rule off"},
    {"repetition_rule", 2, "1: the repetition draw is on"},
    {"mosquito", 2, "1: the variant has the mosquito"},
    {"ladybug", 2, "1: the variant has the ladybug"},
    {"pillbug", 2, "1: the variant has the pillbug"},
    {"queen_first_turn", 2, "1: a player may open with the queen"},
}};
inline constexpr int kNumPositionFeatures = static_cast<int>(kPositionFeatures.size());

// One legal move as the net sees it.
struct EncodedMove {
  std::int32_t source;  // >= 0: row of the moved piece; -1 - type: from the hand; kPassSource: pass
  std::int32_t destination;  // row; for a pass the position's first row
};
inline constexpr std::int32_t kPassSource = -1 - kNumPieceTypes;
static_assert(sizeof(EncodedMove) == 8);

// What Reserve makes room for, a position: more than the means of human games (38 rows, 52 moves).
inline constexpr int kReservedRows = 64;
inline constexpr int kReservedMoves = 96;
// Bytes that Reserve takes for each position, for memory budgets.
inline constexpr int kReservedBlockBytes =
    kReservedRows * (kNumRowFeatures + 24) + kNumPositionFeatures + 8 + kReservedMoves * 8 + 8;

// Positions concatenated, no padding. `n` positions, `R` rows, `M` moves.
struct Block {
  base::UninitializedVector<std::uint8_t> row_features;              // [R, kNumRowFeatures]
  base::UninitializedVector<std::array<std::int32_t, 6>> neighbors;  // [R, 6]
  std::vector<std::uint8_t> position_features;                       // [n, kNumPositionFeatures]
  std::vector<std::array<std::int32_t, 2>> queen_rows;  // [n, 2] own, enemy; -1 in hand
  base::UninitializedVector<EncodedMove> moves;         // [M], canonical order within a position
  std::vector<std::int32_t> row_begin{0};               // [n + 1]
  std::vector<std::int32_t> move_begin{0};              // [n + 1]

  int positions() const { return static_cast<int>(row_begin.size()) - 1; }
  int rows() const { return row_begin.back(); }
  int move_count() const { return move_begin.back(); }
  void Clear();    // keeps the memory
  void PopBack();  // takes the last position out again
  void Reserve(int positions, int rows_each = kReservedRows, int moves_each = kReservedMoves);
};

// Position features that do not follow from the pieces and the variant, as Append writes them.
struct GameFeatures {
  int own_turns;
  int ply_octave;
  int occurrences;
  bool repetition_rule;
  bool queen_first_turn;
};
GameFeatures GameFeaturesOf(const Game& game);

// Appends one position. `moves`: its legal moves in canonical order (may be empty: a finished
// game).
void Append(const Game& game, const MoveList& moves, Symmetry symmetry, Block& block);

// Appends all positions of another block.
void AppendBlock(const Block& from, Block& block);

// ranks[i]: the place of moves[i] in the order by source (rows, hand, pass) and destination, the
// same for equal encodings whatever the order of their moves. `first_row` of the position they are
// of; no two of them are equal.
void RankMoves(std::span<const EncodedMove> moves, std::int32_t first_row,
               std::span<std::uint16_t> ranks);

}  // namespace apiary::env
