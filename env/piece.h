// Pieces: 28 numbered ones, 14 a side, whatever the variant. Plain values; any thread.
#pragma once

#include <array>
#include <cstdint>

#include "env/rules.h"

namespace apiary::env {

enum class PieceType : std::uint8_t {
  kQueen = 0,
  kSpider = 1,
  kBeetle = 2,
  kGrasshopper = 3,
  kAnt = 4,
  kMosquito = 5,
  kLadybug = 6,
  kPillbug = 7,
};
inline constexpr int kNumPieceTypes = 8;
inline constexpr std::array<int, kNumPieceTypes> kPiecesOfType = {1, 2, 2, 3, 3, 1, 1, 1};
inline constexpr int kPiecesPerSide = 14;
inline constexpr int kNumPieces = 28;

// white 0..13, black 14..27; within a side Q S1 S2 B1 B2 G1 G2 G3 A1 A2 A3 M L P.
class PieceId {
 public:
  constexpr PieceId() = default;  // kNoPiece
  static constexpr PieceId FromIndex(int index) {
    return PieceId(static_cast<std::uint8_t>(index));
  }
  // number: 1-based within type and colour.
  static constexpr PieceId Of(Color color, PieceType type, int number);

  constexpr int index() const { return index_; }
  constexpr bool valid() const { return index_ < kNumPieces; }
  constexpr Color color() const;
  constexpr PieceType type() const;
  constexpr int number() const;  // 1-based
  // Colour and type as one number, 0..15: pieces of one kind are interchangeable.
  constexpr int kind() const;
  friend constexpr bool operator==(PieceId, PieceId) = default;
  friend constexpr auto operator<=>(PieceId, PieceId) = default;

 private:
  explicit constexpr PieceId(std::uint8_t index) : index_(index) {}
  std::uint8_t index_ = 0xFF;
};
inline constexpr PieceId kNoPiece{};

inline constexpr std::array<int, kNumPieceTypes> kFirstOfType = {0, 1, 3, 5, 8, 11, 12, 13};
inline constexpr std::array<PieceType, kNumPieces> kTypeOfPiece = [] {
  std::array<PieceType, kNumPieces> types{};
  for (std::size_t i = 0; i < types.size(); ++i) {
    int type = kNumPieceTypes - 1;
    while (kFirstOfType[static_cast<std::size_t>(type)] > static_cast<int>(i) % kPiecesPerSide)
      --type;
    types[i] = static_cast<PieceType>(type);
  }
  return types;
}();

constexpr PieceId PieceId::Of(Color color, PieceType type, int number) {
  return FromIndex(kPiecesPerSide * static_cast<int>(color) +
                   kFirstOfType[static_cast<std::size_t>(type)] + number - 1);
}
constexpr Color PieceId::color() const {
  return index_ < kPiecesPerSide ? Color::kWhite : Color::kBlack;
}
constexpr PieceType PieceId::type() const { return kTypeOfPiece[index_]; }
constexpr int PieceId::kind() const {
  return kNumPieceTypes * static_cast<int>(color()) + static_cast<int>(type());
}
constexpr int PieceId::number() const {
  const int within = index_ < kPiecesPerSide ? index_ : index_ - kPiecesPerSide;
  return within - kFirstOfType[static_cast<std::size_t>(type())] + 1;
}

// Pieces of a type that a side has in this variant: 0 for an expansion piece that is not in play.
constexpr int CountInVariant(PieceType type, Variant variant) {
  if (type == PieceType::kMosquito) return variant.mosquito;
  if (type == PieceType::kLadybug) return variant.ladybug;
  if (type == PieceType::kPillbug) return variant.pillbug;
  return kPiecesOfType[static_cast<std::size_t>(type)];
}

// Sets of pieces: bit i is the piece with index i.
using PieceSet = std::uint32_t;
constexpr PieceSet PieceBit(PieceId piece) { return PieceSet{1} << piece.index(); }
constexpr PieceSet PiecesOf(Color color, PieceType type) {
  const int count = kPiecesOfType[static_cast<std::size_t>(type)];
  return ((PieceSet{1} << count) - 1) << PieceId::Of(color, type, 1).index();
}
constexpr PieceSet PiecesOf(Color color) {
  return ((PieceSet{1} << kPiecesPerSide) - 1) << (kPiecesPerSide * static_cast<int>(color));
}
// All pieces of both sides.
constexpr PieceSet PiecesInVariant(Variant variant) {
  PieceSet pieces = 0;
  for (const Color color : {Color::kWhite, Color::kBlack}) {
    for (int t = 0; t < kNumPieceTypes; ++t) {
      const auto type = static_cast<PieceType>(t);
      if (CountInVariant(type, variant) > 0) pieces |= PiecesOf(color, type);
    }
  }
  return pieces;
}
// The first piece, that with number 1, of each type.
inline constexpr PieceSet kFirstPieces = [] {
  PieceSet pieces = 0;
  for (int i = 0; i < kNumPieces; ++i)
    if (PieceId::FromIndex(i).number() == 1) pieces |= PieceBit(PieceId::FromIndex(i));
  return pieces;
}();

}  // namespace apiary::env
