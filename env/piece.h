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
  friend constexpr bool operator==(PieceId, PieceId) = default;
  friend constexpr auto operator<=>(PieceId, PieceId) = default;

 private:
  explicit constexpr PieceId(std::uint8_t index) : index_(index) {}
  std::uint8_t index_ = 0xFF;
};
inline constexpr PieceId kNoPiece{};

inline constexpr std::array<int, kNumPieceTypes> kFirstOfType = {0, 1, 3, 5, 8, 11, 12, 13};
inline constexpr std::array<PieceType, kPiecesPerSide> kTypeOfPiece = {
    PieceType::kQueen,   PieceType::kSpider,      PieceType::kSpider,      PieceType::kBeetle,
    PieceType::kBeetle,  PieceType::kGrasshopper, PieceType::kGrasshopper, PieceType::kGrasshopper,
    PieceType::kAnt,     PieceType::kAnt,         PieceType::kAnt,         PieceType::kMosquito,
    PieceType::kLadybug, PieceType::kPillbug};

constexpr PieceId PieceId::Of(Color color, PieceType type, int number) {
  return FromIndex(kPiecesPerSide * static_cast<int>(color) +
                   kFirstOfType[static_cast<std::size_t>(type)] + number - 1);
}
constexpr Color PieceId::color() const {
  return index_ < kPiecesPerSide ? Color::kWhite : Color::kBlack;
}
constexpr PieceType PieceId::type() const {
  return kTypeOfPiece[static_cast<std::size_t>(index_ < kPiecesPerSide ? index_
                                                                       : index_ - kPiecesPerSide)];
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

constexpr int PiecesInVariant(Variant variant) {
  return 11 + variant.mosquito + variant.ladybug + variant.pillbug;
}

}  // namespace apiary::env
