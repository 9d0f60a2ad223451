#include "train/game_file.h"

#include "base/files.h"
#include "env/game.h"
#include "train/byte_columns.h"
#include "train/game_envelope.h"

namespace apiary::train {
namespace {

// Content: preface, then one column after another (docs/files.md).
//   preface   move order version, games, positions, values, policy entries: five u32
//   headers   [games] x kHeaderBytes, see AppendHeader
//   moves     [positions] u16: env::Move bits
//   flags     [positions] u8
//   counts    [positions] u16: policy entries, 0 without policy
//   win, draw [values] u16 each: root WDL of the positions with a value, in order; loss is the rest
//   to 65535 policy    [policy entries] u16
constexpr std::size_t kPrefaceBytes = 20;
constexpr std::size_t kHeaderBytes = 32;

enum Flag : unsigned { kHasPolicy = 1, kHasValue = 2, kSolved = 4, kAllFlags = 7 };

void AppendHeader(std::string& bytes, const GameRecord& game) {
  const std::size_t begin = bytes.size();
  AppendU8(bytes, static_cast<unsigned>(game.rules.variant.index()));
  AppendU8(bytes, static_cast<unsigned>(game.rules.first_player));
  AppendU8(bytes, game.rules.queen_first_turn);
  AppendU8(bytes, static_cast<unsigned>(game.outcome.result));
  AppendU8(bytes, static_cast<unsigned>(game.outcome.reason));
  AppendU8(bytes, game.cap_wdl.has_value());
  AppendU16(bytes, static_cast<unsigned>(game.rules.repetition));
  AppendU32(bytes, static_cast<std::uint32_t>(game.rules.max_plies));
  AppendU32(bytes, static_cast<std::uint32_t>(game.moves.size()));
  AppendU32(bytes, static_cast<std::uint32_t>(game.opening_plies));
  AppendU32(bytes, static_cast<std::uint32_t>(game.first_generation));
  AppendU32(bytes, static_cast<std::uint32_t>(game.last_generation));
  const StoredWdl cap = game.cap_wdl ? QuantizeWdl(*game.cap_wdl) : StoredWdl{};
  AppendU16(bytes, cap.win);
  AppendU16(bytes, cap.draw);
  APIARY_CHECK(bytes.size() - begin == kHeaderBytes, "a game header of {} bytes",
               bytes.size() - begin);
}

unsigned FlagsOf(const PositionRecord& position) {
  return (position.has_policy ? kHasPolicy : 0U) | (position.has_value ? kHasValue : 0U) |
         (position.solved ? kSolved : 0U);
}

// The content of a file, taken apart without copying; `content` must stay alive.
struct Columns {
  std::size_t games = 0, positions = 0, values = 0, entries = 0;
  std::string_view headers, flags;
  Column16 moves, counts, win, draw, policy;
};

// Where the next game's parts begin in the columns.
struct Cursor {
  std::size_t position = 0, value = 0, entry = 0;
};

base::Result<Columns> TakeApart(std::string_view content, const std::string& name) {
  if (content.size() < kPrefaceBytes)
    return base::Fail("{}: content of {} bytes has no preface", name, content.size());
  if (const auto version = ReadU32(content, 0); version != env::kMoveOrderVersion)
    return base::Fail("{}: move order version {}, this program has {}", name, version,
                      env::kMoveOrderVersion);
  Columns columns;
  columns.games = ReadU32(content, 4);
  columns.positions = ReadU32(content, 8);
  columns.values = ReadU32(content, 12);
  columns.entries = ReadU32(content, 16);
  const std::size_t expected = kPrefaceBytes + kHeaderBytes * columns.games +
                               5 * columns.positions + 4 * columns.values + 2 * columns.entries;
  if (content.size() != expected)
    return base::Fail("{}: content of {} bytes, its preface asks for {}", name, content.size(),
                      expected);
  std::size_t at = kPrefaceBytes;
  const auto bytes = [&](std::size_t size) {
    return content.substr(std::exchange(at, at + size), size);
  };
  const auto column = [&](std::size_t size) {
    return Column16(content, std::exchange(at, at + 2 * size), size);
  };
  columns.headers = bytes(kHeaderBytes * columns.games);
  columns.moves = column(columns.positions);
  columns.flags = bytes(columns.positions);
  columns.counts = column(columns.positions);
  columns.win = column(columns.values);
  columns.draw = column(columns.values);
  columns.policy = column(columns.entries);
  return columns;
}

// Reads one game after another and replays each.
class GameReader {
 public:
  GameReader(const Columns& columns, const std::string& name) : columns_(columns), name_(name) {}

  base::Result<GameRecord> Next() {
    GameRecord game;
    std::size_t plies = 0;
    if (auto read = ReadHeader(game, plies); !read) return read.failure();
    game.moves.reserve(plies);
    game.positions.reserve(plies);
    env::Game replay(game.rules);
    for (ply_ = 0; ply_ < plies; ++ply_) {
      if (auto read = ReadPly(game, replay); !read) return read.failure();
    }
    if (replay.outcome() != game.outcome)
      return Bad("outcome is {} by {}, the moves give {} by {}", ToString(game.outcome.result),
                 ToString(game.outcome.reason), ToString(replay.outcome().result),
                 ToString(replay.outcome().reason));
    game.policies.shrink_to_fit();
    ++number_;
    return game;
  }

  base::Result<void> CheckEnd() const {
    if (at_.position != columns_.positions || at_.value != columns_.values ||
        at_.entry != columns_.entries)
      return base::Fail(
          "{}: {} positions, {} values and {} policy entries, its games use {}, {} and {}", name_,
          columns_.positions, columns_.values, columns_.entries, at_.position, at_.value,
          at_.entry);
    return {};
  }

 private:
  template <typename... Args>
  base::Failure Bad(fmt::format_string<Args...> format, Args&&... args) const {
    return base::Fail("{}: game {} of {}, ply {}: {}", name_, number_ + 1, columns_.games, ply_,
                      fmt::format(format, std::forward<Args>(args)...));
  }

  base::Result<void> ReadHeader(GameRecord& game, std::size_t& plies) {
    const std::string_view header = columns_.headers.substr(kHeaderBytes * number_, kHeaderBytes);
    ply_ = 0;
    const auto limited = [&](std::size_t at, unsigned high) { return ReadU8(header, at) <= high; };
    if (!limited(0, 7)) return Bad("variant {}, expected 0 to 7", ReadU8(header, 0));
    if (!limited(1, 1)) return Bad("first player {}, expected 0 or 1", ReadU8(header, 1));
    if (!limited(2, 1)) return Bad("queen_first_turn {}, expected 0 or 1", ReadU8(header, 2));
    if (!limited(3, 4) || ReadU8(header, 3) == 0)
      return Bad("result {}, expected 1 to 4", ReadU8(header, 3));
    if (!limited(4, 4)) return Bad("reason {}, expected 1 to 4", ReadU8(header, 4));
    if (!limited(5, 1)) return Bad("cap value flag {}, expected 0 or 1", ReadU8(header, 5));
    game.rules.variant = env::Variant::FromIndex(ReadU8(header, 0));
    game.rules.first_player = static_cast<env::Color>(ReadU8(header, 1));
    game.rules.queen_first_turn = ReadU8(header, 2) == 1;
    game.outcome.result = static_cast<env::Result>(ReadU8(header, 3));
    game.outcome.reason = static_cast<env::Reason>(ReadU8(header, 4));
    game.rules.repetition = ReadU16(header, 6);
    if (game.rules.repetition == 1) return Bad("repetition 1, expected 0 or at least 2");
    return ReadNumbers(header, game, plies);
  }

  base::Result<void> ReadNumbers(std::string_view header, GameRecord& game,
                                 std::size_t& plies) const {
    constexpr std::uint32_t kMaxInt = 0x7FFFFFFF;
    for (std::size_t at = 8; at < 28; at += 4)
      if (ReadU32(header, at) > kMaxInt)
        return Bad("the number at byte {} of its header is {}", at, ReadU32(header, at));
    game.rules.max_plies = static_cast<int>(ReadU32(header, 8));
    plies = ReadU32(header, 12);
    game.opening_plies = static_cast<int>(ReadU32(header, 16));
    game.first_generation = static_cast<int>(ReadU32(header, 20));
    game.last_generation = static_cast<int>(ReadU32(header, 24));
    if (plies > columns_.positions - at_.position)
      return Bad("{} plies, the file has {} positions left", plies,
                 columns_.positions - at_.position);
    if (static_cast<std::size_t>(game.opening_plies) > plies)
      return Bad("{} opening plies of {}", game.opening_plies, plies);
    if (game.first_generation > game.last_generation)
      return Bad("first generation {} after the last, {}", game.first_generation,
                 game.last_generation);
    const StoredWdl cap{ReadU16(header, 28), ReadU16(header, 30)};
    const bool has_cap = ReadU8(header, 5) == 1;
    if (cap.win + cap.draw > static_cast<int>(kProbabilityUnit))
      return Bad("cap value: win {} and draw {} exceed {}", cap.win, cap.draw, kProbabilityUnit);
    if (has_cap && game.outcome.result != env::Result::kUnfinished)
      return Bad("a cap value, but the result is {}", ToString(game.outcome.result));
    if (!has_cap && cap != StoredWdl{}) return Bad("a cap value although its flag is 0");
    if (has_cap) game.cap_wdl = RestoreWdl(cap);
    return {};
  }

  base::Result<void> ReadPly(GameRecord& game, env::Game& replay) {
    const unsigned flags = ReadU8(columns_.flags, at_.position);
    PositionRecord position;
    position.has_policy = (flags & kHasPolicy) != 0;
    position.has_value = (flags & kHasValue) != 0;
    position.solved = (flags & kSolved) != 0;
    if (flags > kAllFlags || (position.solved && !position.has_value))
      return Bad("flags {:#x}", flags);
    if (static_cast<int>(ply_) < game.opening_plies && flags != 0)
      return Bad("flags {:#x}, expected none in the opening of {} plies", flags,
                 game.opening_plies);
    if (position.has_value) {
      if (auto read = ReadValue(position); !read) return read.failure();
    }
    env::MoveList legal;
    replay.LegalMoves(legal);
    if (auto read = ReadPolicy(legal.size(), position, game.policies); !read) return read.failure();
    const env::Move move = env::Move::FromBits(columns_.moves[at_.position]);
    if (!legal.Contains(move)) return Bad("move {:#06x} is not legal", move.bits());
    replay.Apply(move);
    ++at_.position;
    game.moves.push_back(move);
    game.positions.push_back(position);
    return {};
  }

  base::Result<void> ReadValue(PositionRecord& position) {
    if (at_.value == columns_.values)
      return Bad("a value, but the file has only {}", columns_.values);
    const StoredWdl stored{columns_.win[at_.value], columns_.draw[at_.value]};
    if (stored.win + stored.draw > static_cast<int>(kProbabilityUnit))
      return Bad("value: win {} and draw {} exceed {}", stored.win, stored.draw, kProbabilityUnit);
    position.root_wdl = RestoreWdl(stored);
    ++at_.value;
    return {};
  }

  base::Result<void> ReadPolicy(int legal_moves, PositionRecord& position,
                                std::vector<std::uint16_t>& policies) {
    const int count = columns_.counts[at_.position];
    const int expected = position.has_policy ? legal_moves : 0;
    if (count != expected) return Bad("policy of {} entries, expected {}", count, expected);
    if (static_cast<std::size_t>(count) > columns_.entries - at_.entry)
      return Bad("policy of {} entries, the file has {} left", count, columns_.entries - at_.entry);
    if (!position.has_policy) return {};
    position.policy_begin = static_cast<std::uint32_t>(policies.size());
    position.policy_size = static_cast<std::uint32_t>(count);
    std::uint64_t sum = 0;
    for (int i = 0; i < count; ++i) {
      policies.push_back(columns_.policy[at_.entry++]);
      sum += policies.back();
    }
    if (sum != kProbabilityUnit)
      return Bad("policy sums to {}, expected {}", sum, kProbabilityUnit);
    return {};
  }

  const Columns& columns_;
  const std::string& name_;
  Cursor at_;
  std::size_t number_ = 0;  // of the game in work, from 0
  std::size_t ply_ = 0;
};

}  // namespace

std::string EncodeGames(const std::vector<GameRecord>& games) {
  std::string headers, flags;
  std::vector<std::uint16_t> moves, counts, win, draw, policy;
  for (const GameRecord& game : games) {
    APIARY_CHECK(game.moves.size() == game.positions.size() && game.outcome.over(),
                 "a record of {} moves and {} positions, {}", game.moves.size(),
                 game.positions.size(), ToString(game.outcome.result));
    AppendHeader(headers, game);
    for (const env::Move move : game.moves) moves.push_back(move.bits());
    for (const PositionRecord& position : game.positions) {
      AppendU8(flags, FlagsOf(position));
      counts.push_back(static_cast<std::uint16_t>(position.policy_size));
      const std::span<const std::uint16_t> units = game.Policy(position);
      policy.insert(policy.end(), units.begin(), units.end());
      if (!position.has_value) continue;
      const StoredWdl wdl = QuantizeWdl(position.root_wdl);
      win.push_back(wdl.win);
      draw.push_back(wdl.draw);
    }
  }
  std::string content;
  AppendU32(content, env::kMoveOrderVersion);
  for (const std::size_t count : {games.size(), moves.size(), win.size(), policy.size()})
    AppendU32(content, static_cast<std::uint32_t>(count));
  content += headers;
  AppendColumn(content, moves);
  content += flags;
  for (const auto& column : {counts, win, draw, policy}) AppendColumn(content, column);
  return SealEnvelope(content, kGameFileVersion);
}

base::Result<std::vector<GameRecord>> DecodeGames(const std::string& bytes,
                                                  const std::string& name) {
  const auto content = OpenEnvelope(bytes, kGameFileVersion, name);
  if (!content) return content.failure();
  const auto columns = TakeApart(*content, name);
  if (!columns) return columns.failure();
  GameReader reader(*columns, name);
  std::vector<GameRecord> games;
  games.reserve(columns->games);
  for (std::size_t i = 0; i < columns->games; ++i) {
    auto game = reader.Next();
    if (!game) return game.failure();
    games.push_back(std::move(*game));
  }
  if (auto checked = reader.CheckEnd(); !checked) return checked.failure();
  return games;
}

base::Result<std::vector<GameRecord>> ReadGameFile(const std::string& path) {
  const auto bytes = base::ReadFile(path);
  if (!bytes) return bytes.failure();
  return DecodeGames(*bytes, path);
}

}  // namespace apiary::train
