#include "env/encoder.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "env/encode_moves.h"
#include "env/pins.h"
#include "env/row_table.h"

namespace apiary::env {
namespace {

PieceId Queen(Color color) { return PieceId::Of(color, PieceType::kQueen, 1); }

using PieceCodes = std::array<std::uint8_t, kNumPieces>;

constexpr PieceCodes MakePieceCodes(Color own) {
  PieceCodes codes{};
  for (int i = 0; i < kNumPieces; ++i) {
    const PieceId piece = PieceId::FromIndex(i);
    codes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(
        1 + static_cast<int>(piece.type()) + (piece.color() == own ? 0 : kNumPieceTypes));
  }
  return codes;
}
// [side to move][piece]: the piece code.
constexpr std::array<PieceCodes, 2> kPieceCodes = {MakePieceCodes(Color::kWhite),
                                                   MakePieceCodes(Color::kBlack)};

// Of pieces in hand.
constexpr Sources MakeHandSources() {
  Sources sources{};
  for (int i = 0; i < kNumPieces; ++i)
    sources[static_cast<std::size_t>(i)] =
        -1 - static_cast<std::int32_t>(PieceId::FromIndex(i).type());
  return sources;
}
constexpr Sources kHandSources = MakeHandSources();

// What a stack is to the cells around it, in one byte: an own top counts in bits 0..2, an enemy top
// in 3..5, and a queen anywhere in it sets a bit of its own. Sums of six of them do not mix.
constexpr int kOwnTop = 1;
constexpr int kEnemyTop = 1 << 3;
constexpr int kOwnQueen = 1 << 6;
constexpr int kEnemyQueen = 1 << 7;

// The row features that follow from the sum around a cell, as they lie in a row from `pinned` on.
struct Around {
  std::uint8_t pinned;     // 0: of an empty cell
  std::uint8_t may_place;  // of an empty cell
  std::uint8_t neighbors;
  std::uint8_t next_to_queen;
};
constexpr int kAroundBegin = 7;
static_assert(sizeof(Around) == kNumRowFeatures - kAroundBegin);

constexpr std::array<Around, 256> MakeArounds() {
  std::array<Around, 256> table{};
  for (int bits = 0; bits < 256; ++bits) {
    const int own = bits & 7, enemy = bits >> 3 & 7;
    table[static_cast<std::size_t>(bits)] = {
        0,
        static_cast<std::uint8_t>((own > 0 && enemy == 0 ? 1 : 0) |
                                  (enemy > 0 && own == 0 ? 2 : 0)),
        static_cast<std::uint8_t>(own + enemy), static_cast<std::uint8_t>(bits >> 6)};
  }
  return table;
}
constexpr std::array<Around, 256> kArounds = MakeArounds();

bool HasPieceOnBoard(const Board& board, Color color) {
  for (int i = 0; i < kPiecesPerSide; ++i) {
    if (!board.in_hand(PieceId::FromIndex(kPiecesPerSide * static_cast<int>(color) + i)))
      return true;
  }
  return false;
}

// One position on its way into a block.
class PositionEncoder {
 public:
  PositionEncoder(const Board& board, Symmetry symmetry, Block& block)
      : board_(board),
        block_(block),
        symmetry_(symmetry),
        own_(board.side_to_move()),
        first_row_(block.rows()),
        table_(board, symmetry, first_row_),
        codes_(kPieceCodes[static_cast<std::size_t>(own_)]),
        sources_(kHandSources) {}

  void AppendRows() {
    const std::size_t begin = block_.row_features.size();
    block_.row_features.resize(begin + static_cast<std::size_t>(table_.size() * kNumRowFeatures));
    std::uint8_t* out = block_.row_features.data() + begin;
    std::memset(out, 0, block_.row_features.size() - begin);
    EncodeStacks(out);
    SumAround();
    const int size = table_.size(), occupied = table_.occupied();
    for (int i = 0; i < occupied; ++i, out += kNumRowFeatures) {
      const Around& features = AroundRow(i);
      out[9] = features.neighbors;
      out[10] = features.next_to_queen;
    }
    for (int i = occupied; i < size; ++i, out += kNumRowFeatures)
      std::memcpy(out + kAroundBegin, &AroundRow(i), sizeof(Around));
    for (const bool enemy : {false, true}) {
      // A side's first piece may touch the enemy: there is nothing else to touch.
      if (!HasPieceOnBoard(board_, enemy ? Opponent(own_) : own_)) AllowEverywhere(enemy ? 2 : 1);
    }
    block_.row_begin.push_back(first_row_ + table_.size());
  }

  void AppendNeighbors() {
    // The most frequent case, with steps known when this is compiled.
    if (symmetry_ == Symmetry()) return AppendNeighborsAt(kCellSteps);
    const Symmetry inverse = symmetry_.Inverse();
    std::array<int, kNumDirections> steps;
    for (int slot = 0; slot < kNumDirections; ++slot)
      steps[static_cast<std::size_t>(slot)] =
          kCellSteps[static_cast<std::size_t>(inverse.Map(slot))];
    AppendNeighborsAt(steps);
  }

  void AppendQueens() {
    const auto row = [&](Color color) {
      const Cell cell = board_.cell(Queen(color));
      return cell.valid() ? table_.RowOf(cell) : -1;
    };
    block_.queen_rows.push_back({row(own_), row(Opponent(own_))});
  }

  void AppendMoves(const MoveList& moves) {
    const std::size_t begin = block_.moves.size();
    block_.moves.resize(begin + static_cast<std::size_t>(moves.size()));
    EncodedMove* out = block_.moves.data() + begin;
    // The first piece of all may go anywhere by the rules; the encoding has one empty cell for it.
    if (table_.occupied() == 0 || (moves.size() == 1 && moves[0].is_pass())) {
      for (const Move move : moves)
        *out++ = {move.is_pass() ? kPassSource : SourceOf(move), first_row_};
    } else if (!EncodeMoves(moves, sources_, table_.lookup(), out)) {
      FailOnNoRow(moves);
    }
    block_.move_begin.push_back(block_.move_begin.back() + moves.size());
  }

 private:
  // Features of the stacks themselves, what they add to the cells around them, and their rows as
  // sources of moves.
  void EncodeStacks(std::uint8_t* out) {
    const Pins pins(board_);
    std::memset(
        contents_.data(), 0,
        static_cast<std::size_t>(RowTable::kMargin + table_.end_place() + RowTable::kMargin));
    for (int i = 0; i < table_.occupied(); ++i, out += kNumRowFeatures) {
      const Cell cell = table_.cell(i);
      const PieceId top = board_.top(cell);
      const auto index = static_cast<std::size_t>(top.index());
      sources_[index] = first_row_ + i;
      contents(table_.place(i)) = top.color() == own_ ? kOwnTop : kEnemyTop;
      out[0] = codes_[index];
      const int height = board_.height(cell);
      out[1] = static_cast<std::uint8_t>(height);
      out[6] = top == board_.moved_last();
      if (height == 1)
        out[7] = pins.Pinned(cell);
      else
        EncodeBeneath(top, out);
    }
    for (const bool enemy : {false, true}) {
      const Cell queen = board_.cell(Queen(enemy ? Opponent(own_) : own_));
      if (queen.valid()) contents(table_.PlaceOf(queen)) |= enemy ? kEnemyQueen : kOwnQueen;
    }
  }

  // steps[slot]: from a cell to its neighbour in that slot.
  [[gnu::always_inline]] void AppendNeighborsAt(const std::array<int, kNumDirections>& steps) {
    const std::size_t begin = block_.neighbors.size();
    const int size = table_.size();
    block_.neighbors.resize(begin + static_cast<std::size_t>(size));
    std::array<std::int32_t, 6>* out = block_.neighbors.data() + begin;
    for (int i = 0; i < size; ++i, ++out) {
      const std::int32_t* row = table_.row_at(table_.place(i));
      for (std::size_t slot = 0; slot < kNumDirections; ++slot) (*out)[slot] = row[steps[slot]];
    }
  }

  void EncodeBeneath(PieceId top, std::uint8_t* out) const {
    PieceId piece = board_.beneath(top);
    out[2] = codes_[static_cast<std::size_t>(piece.index())];
    for (; piece.valid(); piece = board_.beneath(piece)) {
      const bool own = piece.color() == own_;
      if (piece.type() == PieceType::kQueen) out[3] = own ? 1 : 2;
      ++out[own ? 4 : 5];
    }
  }

  std::uint8_t& contents(int place) {
    return contents_[static_cast<std::size_t>(RowTable::kMargin + place)];
  }

  void SumAround() {
    const std::uint8_t* at = &contents(0);
    for (int place = 0; place < table_.end_place(); ++place, ++at) {
      int sum = 0;
      for (const int step : kCellSteps) sum += at[step];
      around_[static_cast<std::size_t>(place)] = static_cast<std::uint8_t>(sum);
    }
  }
  const Around& AroundRow(int i) const {
    return kArounds[around_[static_cast<std::size_t>(table_.place(i))]];
  }

  // Sets a bit of may_place in every empty row.
  void AllowEverywhere(int bit) {
    std::uint8_t* end = block_.row_features.data() + block_.row_features.size();
    for (int i = table_.occupied(); i < table_.size(); ++i) {
      end -= kNumRowFeatures;
      end[8] = static_cast<std::uint8_t>(end[8] | bit);
    }
  }

  std::int32_t SourceOf(Move move) const {
    return sources_[static_cast<std::size_t>(move.piece().index())];
  }

  void FailOnNoRow(const MoveList& moves) const {
    for (const Move move : moves)
      APIARY_CHECK(move.is_pass() || table_.RowOf(move.destination()) >= 0,
                   "move {:#x} names cell {}, which is no row", move.bits(),
                   move.destination().index());
  }

  const Board& board_;
  Block& block_;
  Symmetry symmetry_;
  Color own_;
  std::int32_t first_row_;
  RowTable table_;
  const PieceCodes& codes_;
  Sources sources_;  // with the rows of pieces that are on top
  // By RowTable::kMargin + place: what lies there.
  std::array<std::uint8_t, RowTable::kMargin + kNumCells + RowTable::kMargin> contents_;
  std::array<std::uint8_t, kNumCells> around_;  // by place: the sum of the six contents around it
};

void EncodePosition(const Game& game, std::uint8_t* out) {
  const Board& board = game.board();
  const Rules& rules = game.rules();
  const Color own = board.side_to_move();
  int at = 0;
  const auto put = [&](int value) { out[at++] = static_cast<std::uint8_t>(value); };
  for (const Color color : {own, Opponent(own)})
    for (int type = 0; type < kNumPieceTypes; ++type)
      put(board.hand_count(color, static_cast<PieceType>(type)));
  put(board.QueenNeighbors(own));
  put(board.QueenNeighbors(Opponent(own)));
  const GameFeatures features = GameFeaturesOf(game);
  put(features.own_turns);
  put(features.ply_octave);
  put(features.occurrences);
  put(features.repetition_rule);
  put(rules.variant.mosquito);
  put(rules.variant.ladybug);
  put(rules.variant.pillbug);
  put(features.queen_first_turn);
  APIARY_CHECK(at == kNumPositionFeatures, "{} position features", at);
}

}  // namespace

GameFeatures GameFeaturesOf(const Game& game) {
  const Rules& rules = game.rules();
  const int log_ply = static_cast<int>(std::bit_width(static_cast<unsigned>(game.ply()) + 1)) - 1;
  return {.own_turns = std::min(game.board().turns_taken(game.side_to_move()), 4),
          .ply_octave = std::min(log_ply, 7),
          .occurrences = rules.repetition > 0 ? std::min(game.occurrences() - 1, 2) : 0,
          .repetition_rule = rules.repetition > 0,
          .queen_first_turn = rules.queen_first_turn};
}

void Block::Clear() {
  row_features.clear();
  neighbors.clear();
  position_features.clear();
  queen_rows.clear();
  moves.clear();
  row_begin.assign(1, 0);
  move_begin.assign(1, 0);
}

void Block::Reserve(int positions, int rows_each, int moves_each) {
  const auto n = static_cast<std::size_t>(positions);
  const auto rows = static_cast<std::size_t>(rows_each) * n;
  row_features.reserve(rows * kNumRowFeatures);
  neighbors.reserve(rows);
  position_features.reserve(n * kNumPositionFeatures);
  queen_rows.reserve(n);
  moves.reserve(static_cast<std::size_t>(moves_each) * n);
  row_begin.reserve(n + 1);
  move_begin.reserve(n + 1);
}

void Block::PopBack() {
  row_begin.pop_back();
  move_begin.pop_back();
  row_features.resize(static_cast<std::size_t>(rows() * kNumRowFeatures));
  neighbors.resize(static_cast<std::size_t>(rows()));
  position_features.resize(static_cast<std::size_t>(positions() * kNumPositionFeatures));
  queen_rows.pop_back();
  moves.resize(static_cast<std::size_t>(move_count()));
}

void Append(const Game& game, const MoveList& moves, Symmetry symmetry, Block& block) {
  game.board().Prefetch();
  PositionEncoder encoder(game.board(), symmetry, block);
  encoder.AppendRows();
  encoder.AppendNeighbors();
  encoder.AppendQueens();
  encoder.AppendMoves(moves);
  const std::size_t at = block.position_features.size();
  block.position_features.resize(at + kNumPositionFeatures);
  EncodePosition(game, &block.position_features[at]);
}

void AppendBlock(const Block& from, Block& block) {
  const std::int32_t rows = block.rows();
  const std::int32_t moves = block.move_count();
  const auto append = [](auto& to, const auto& what, auto&& change) {
    const std::size_t size = to.size();
    to.resize(size + what.size());
    std::transform(what.begin(), what.end(), to.begin() + static_cast<std::ptrdiff_t>(size),
                   change);
  };
  const auto keep = [](std::uint8_t feature) { return feature; };
  const auto shift = [rows](std::int32_t row) { return row < 0 ? row : row + rows; };
  const auto shift_all = [shift](auto row_numbers) {
    for (std::int32_t& row : row_numbers) row = shift(row);
    return row_numbers;
  };
  append(block.row_features, from.row_features, keep);
  append(block.position_features, from.position_features, keep);
  append(block.neighbors, from.neighbors, shift_all);
  append(block.queen_rows, from.queen_rows, shift_all);
  append(block.moves, from.moves, [&](const EncodedMove& move) {
    return EncodedMove{shift(move.source), move.destination + rows};
  });
  for (std::size_t i = 1; i < from.row_begin.size(); ++i) {
    block.row_begin.push_back(from.row_begin[i] + rows);
    block.move_begin.push_back(from.move_begin[i] + moves);
  }
}

void RankMoves(std::span<const EncodedMove> moves, std::int32_t first_row,
               std::span<std::uint16_t> ranks) {
  // Members of a set again: for each source the destinations, as bits of their rows.
  constexpr int kFromHand = kNumPieces;  // then by type, then the pass
  constexpr int kGroups = kFromHand + kNumPieceTypes + 1;
  static_assert(kMaxRows <= 128);
  struct Group {
    std::uint64_t low = 0, high = 0;
    int before = 0;  // moves of the groups before
  };
  std::array<Group, kGroups> groups{};
  const auto group_of = [&](const EncodedMove& move) -> Group& {
    return groups[static_cast<std::size_t>(move.source >= 0 ? move.source - first_row
                                                            : kFromHand - 1 - move.source)];
  };
  for (const EncodedMove& move : moves) {
    const int row = move.destination - first_row;
    Group& group = group_of(move);
    (row < 64 ? group.low : group.high) |= std::uint64_t{1} << row % 64;
  }
  int before = 0;
  for (Group& group : groups) {
    group.before = before;
    before += std::popcount(group.low) + std::popcount(group.high);
  }
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const int row = moves[i].destination - first_row;
    const Group& group = group_of(moves[i]);
    const std::uint64_t below = (std::uint64_t{1} << row % 64) - 1;
    const int rank =
        group.before + (row < 64 ? std::popcount(group.low & below)
                                 : std::popcount(group.low) + std::popcount(group.high & below));
    ranks[i] = static_cast<std::uint16_t>(rank);
  }
}

}  // namespace apiary::env
