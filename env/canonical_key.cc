#include "env/canonical_key.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/random.h"
#include "env/encoder.h"
#include "env/movegen.h"
#include "env/unwrapped_hive.h"

namespace apiary::env {
namespace {

// A position as integers. Of a piece, in one orientation:
//
//   bit 29      28..25            24..22   21..11    10..0
//   stunned     8 colour + type   height   x + 1024  y + 1024
//
// x, y: n q - sum of q over all n pieces, and the same of r: the place relative to the centre of
// mass, n times enlarged to be whole. At most 27 * 28 = 756, so 11 bits hold it. All other facts go
// into one header with bit 59 set.
constexpr int kTurnBits = 3;
constexpr std::uint64_t kHeaderBit = std::uint64_t{1} << 59;
constexpr int kBias = 1024;
static_assert(27 * kNumPieces < kBias);

// Modulo the Mersenne prime 2^61 - 1 a product is reduced by one addition.
constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
__extension__ using Wide = unsigned __int128;

// Fractional digits of pi, 60 bits each. With the integer of a piece added they stay below 2^60,
// and never are a multiple of the prime, so that no factor is zero.
constexpr std::uint64_t kFactorEnd = std::uint64_t{1} << 60;
constexpr std::array<std::uint64_t, 2> kPoints = {0x243F6A8885A308D3 % kFactorEnd,
                                                  0x13198A2E03707344 % kFactorEnd};
static_assert(kPoints[0] + (1u << 30) <= kFactorEnd && kPoints[1] + (1u << 30) <= kFactorEnd);

// Congruent to the product. Preconditions: value < 2^62, factor < 2^60. Then the product is below
// 2^122, its two parts below 2^61, and the result is below 2^62 again.
constexpr std::uint64_t Multiply(std::uint64_t value, std::uint64_t factor) {
  const Wide product = Wide{value} * factor;
  return (static_cast<std::uint64_t>(product) & kPrime) + static_cast<std::uint64_t>(product >> 61);
}
constexpr std::uint64_t Reduced(std::uint64_t value) {
  const std::uint64_t folded = (value & kPrime) + (value >> 61);
  return folded >= kPrime ? folded - kPrime : folded;
}

// The image of (x, y) under symmetry s as two of x, y, z = -x - y, -x, -y, -z, by index.
constexpr std::array<std::array<std::uint8_t, 2>, kNumSymmetries> kImages = {{{0, 1},
                                                                              {5, 3},
                                                                              {1, 2},
                                                                              {3, 4},
                                                                              {2, 0},
                                                                              {4, 5},
                                                                              {5, 4},
                                                                              {0, 2},
                                                                              {4, 3},
                                                                              {2, 1},
                                                                              {3, 5},
                                                                              {1, 0}}};

// Orientation-free part of a piece's integer, and where it lies.
struct Placed {
  std::uint32_t facts;
  Axial at;
};

// By difference of cell indices modulo 1024: the nearest of the places that share it.
struct Nearest {
  std::int8_t q;
  std::int8_t r;
  bool far;  // 16 cells away or more
};
constexpr int Distance(int q, int r) {
  return std::max({q < 0 ? -q : q, r < 0 ? -r : r, q + r < 0 ? -q - r : q + r});
}
constexpr std::array<Nearest, kNumCells> MakeNearest() {
  std::array<Nearest, kNumCells> table{};
  for (Nearest& nearest : table) nearest.far = true;
  for (int r = -15; r <= 15; ++r) {
    for (int q = -15; q <= 15; ++q) {
      if (Distance(q, r) > 15) continue;
      table[static_cast<std::size_t>((32 * r + q) & (kNumCells - 1))] = {
          static_cast<std::int8_t>(q), static_cast<std::int8_t>(r), false};
    }
  }
  return table;
}
constexpr std::array<Nearest, kNumCells> kNearest = MakeNearest();

class Hive {
 public:
  // stunned: kNoPiece if no mark is to be told.
  Hive(const Board& board, PieceId stunned) {
    for (int i = 0; i < kNumPieces; ++i) {
      const PieceId piece = PieceId::FromIndex(i);
      if (board.in_hand(piece)) continue;
      const auto height = static_cast<unsigned>(board.level(piece));
      const auto kind = static_cast<unsigned>(piece.kind());
      cells_[Size()] = board.cell(piece);
      pieces_[Size()].facts = (piece == stunned ? 1u << 29 : 0) | kind << 25 | height << 22;
      ++size_;
    }
    if (!PlaceNearby()) PlaceByWalking(board);
  }

  // Values of the polynomial at the points in the orientation where they are least.
  CanonicalPosition Canonical(std::uint64_t header) const {
    std::array<std::uint64_t, kNumSymmetries> values;
    values.fill(kPoints[0] + header);
    ForEachPiece([&](std::uint32_t facts, const std::array<std::uint32_t, 6>& at) {
      const std::uint64_t base = kPoints[0] + facts;
      for (std::size_t s = 0; s < kNumSymmetries; ++s)
        values[s] = Multiply(values[s], base + (at[kImages[s][0]] << 11) + at[kImages[s][1]]);
    });
    for (std::uint64_t& value : values) value = Reduced(value);
    const std::uint64_t least = *std::min_element(values.begin(), values.end());
    // More than one orientation has the least value where the hive is symmetric.
    CanonicalPosition best;
    std::uint64_t best_second = ~std::uint64_t{0};
    for (std::size_t s = 0; s < kNumSymmetries; ++s) {
      if (values[s] != least) continue;
      const std::uint64_t second = Second(header, s);
      if (second >= best_second) continue;
      best_second = second;
      best.symmetry = Symmetry::FromIndex(static_cast<int>(s));
    }
    // A bijection, for tables that use some bits of a word.
    best.key = {base::Mix64(least), base::Mix64(best_second)};
    return best;
  }

 private:
  std::size_t Size() const { return static_cast<std::size_t>(size_); }

  // Takes each piece for the nearest of the places that share its cell, seen from the first piece.
  // False if one of them is 16 cells away. Else this is how they lie: of a hive that reaches
  // further, a piece lies exactly 16 cells away, since the hive is connected; and so does the
  // nearest of the places that share its cell, since those are at least 32 cells apart.
  bool PlaceNearby() {
    bool far = false;
    for (std::size_t i = 0; i < Size(); ++i) {
      const int difference = (cells_[i].index() - cells_[0].index()) & (kNumCells - 1);
      const Nearest& nearest = kNearest[static_cast<std::size_t>(difference)];
      far |= nearest.far;
      Place(i, {nearest.q, nearest.r});
    }
    return !far;
  }

  void PlaceByWalking(const Board& board) {
    const UnwrappedHive hive(board);
    sum_ = {};
    for (std::size_t i = 0; i < Size(); ++i) Place(i, hive[hive.IndexOf(cells_[i])].at);
  }

  void Place(std::size_t i, Axial at) {
    pieces_[i].at = at;
    sum_ = sum_ + at;
  }

  // visit(facts, {x, y, z, -x, -y, -z}, each + kBias).
  template <typename Visit>
  void ForEachPiece(Visit visit) const {
    for (std::size_t i = 0; i < Size(); ++i) {
      const int x = size_ * pieces_[i].at.q - sum_.q;
      const int y = size_ * pieces_[i].at.r - sum_.r;
      const auto biased = [](int value) { return static_cast<std::uint32_t>(kBias + value); };
      visit(pieces_[i].facts, std::array<std::uint32_t, 6>{biased(x), biased(y), biased(-x - y),
                                                           biased(-x), biased(-y), biased(x + y)});
    }
  }

  std::uint64_t Second(std::uint64_t header, std::size_t symmetry) const {
    std::uint64_t value = kPoints[1] + header;
    ForEachPiece([&](std::uint32_t facts, const std::array<std::uint32_t, 6>& at) {
      value = Multiply(
          value, kPoints[1] + facts + (at[kImages[symmetry][0]] << 11) + at[kImages[symmetry][1]]);
    });
    return Reduced(value);
  }

  int size_ = 0;
  Axial sum_;
  std::array<Cell, kNumPieces> cells_;
  std::array<Placed, kNumPieces> pieces_;
};

// Fields of a header, appended from bit 0.
class Header {
 public:
  Header& Add(int value, int bits) {
    fields_ |= static_cast<std::uint64_t>(value) << used_;
    used_ += bits;
    return *this;
  }
  std::uint64_t value() const { return kHeaderBit | fields_; }

 private:
  std::uint64_t fields_ = 0;
  int used_ = 0;
};

// What the rules know of the turns a colour has taken: nothing once the queen is placed.
int TurnsThatMatter(const Board& board, Color color) {
  constexpr int kQueenPlaced = 0, kNone = 1, kNoneAndQueenMayOpen = 5;
  if (!board.in_hand(PieceId::Of(color, PieceType::kQueen, 1))) return kQueenPlaced;
  const int turns = std::min(board.turns_taken(color), 3);
  return turns == 0 && board.rules().queen_first_turn ? kNoneAndQueenMayOpen : kNone + turns;
}

}  // namespace

CanonicalPosition Canonicalize(const Board& board) {
  Header header;
  header.Add(0, 1)
      .Add(static_cast<int>(board.side_to_move()), 1)
      .Add(board.rules().variant.index(), 3)
      .Add(TurnsThatMatter(board, Color::kWhite), kTurnBits)
      .Add(TurnsThatMatter(board, Color::kBlack), kTurnBits);
  const PieceId mark = board.moved_last();
  return Hive(board, MarkMatters(board, mark) ? mark : kNoPiece).Canonical(header.value());
}

CanonicalPosition CanonicalizeEncoding(const Game& game) {
  const Board& board = game.board();
  const GameFeatures features = GameFeaturesOf(game);
  Header header;
  header.Add(1, 1)
      .Add(static_cast<int>(board.side_to_move()), 1)
      .Add(game.rules().variant.index(), 3)
      .Add(features.own_turns, 3)
      .Add(features.ply_octave, 3)
      .Add(features.occurrences, 2)
      .Add(features.repetition_rule, 1)
      .Add(features.queen_first_turn, 1)
      .Add(game.outcome().over(), 1);
  return Hive(board, board.moved_last()).Canonical(header.value());
}

}  // namespace apiary::env
