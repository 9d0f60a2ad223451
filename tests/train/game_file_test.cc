#include "train/game_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include "base/files.h"
#include "env/movegen.h"
#include "tests/train/sample_games.h"
#include "train/game_envelope.h"

namespace apiary::train {
namespace {

using testing::HasSubstr;

env::Rules ShortRules() {
  env::Rules rules;
  rules.max_plies = 12;
  return rules;
}

std::vector<GameRecord> SomeGames() {
  std::vector<GameRecord> games;
  std::uint64_t seed = 0;
  for (const env::Variant variant : env::AllVariants()) {
    env::Rules rules;
    rules.variant = variant;
    rules.max_plies = 150;
    rules.repetition = variant.mosquito ? 3 : 0;
    rules.first_player = variant.ladybug ? env::Color::kBlack : env::Color::kWhite;
    rules.queen_first_turn = variant.pillbug;
    for (int i = 0; i < 4; ++i) games.push_back(SampleGame(rules, i, ++seed));
  }
  return games;
}

// The error of a file with these games, which are wrong in a way that EncodeGames does not see.
std::string ErrorOf(const GameRecord& game) {
  const auto decoded = DecodeGames(EncodeGames({game}), "x.games.zst");
  return decoded ? "decoded" : decoded.error();
}

TEST(GameFile, GamesOfAllVariantsAndOptionsComeBackTheSame) {
  const std::vector<GameRecord> games = SomeGames();
  const auto decoded = DecodeGames(EncodeGames(games), "x");
  ASSERT_TRUE(decoded.ok()) << decoded.error();
  EXPECT_EQ(*decoded, games);
  // What was read is what a second reader reads.
  EXPECT_EQ(EncodeGames(*decoded), EncodeGames(games));
}

TEST(GameFile, NoGames) {
  const auto decoded = DecodeGames(EncodeGames({}), "x");
  ASSERT_TRUE(decoded.ok()) << decoded.error();
  EXPECT_TRUE(decoded->empty());
}

TEST(GameFile, AnyZstdDecoderReadsIt) {
  const std::string bytes = EncodeGames({SampleGame(ShortRules(), 1, 5)});
  std::string content(1 << 20, '\0');
  // Two frames; the first is skippable and gives nothing.
  const std::size_t size =
      ZSTD_decompress(content.data(), content.size(), bytes.data(), bytes.size());
  ASSERT_FALSE(ZSTD_isError(size));
  content.resize(size);
  // Preface: move order version, one game, twelve positions.
  EXPECT_EQ(content.substr(0, 12), std::string("\1\0\0\0\1\0\0\0\14\0\0\0", 12));
}

TEST(GameFile, TheEnvelopeIsAsDocumented) {
  const std::string bytes = EncodeGames({});
  EXPECT_EQ(bytes.substr(0, 20), std::string("\x50\x2A\x4D\x18\x4C\0\0\0APGAMES1\1\0\0\0", 20));
  EXPECT_EQ(bytes.substr(20, 64), base::Sha256Hex(bytes.substr(84)));
  EXPECT_EQ(bytes.substr(84, 4), "\x28\xB5\x2F\xFD");  // RFC 8878, section 3.1.1
}

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) hex += fmt::format("{:02x} ", static_cast<unsigned char>(c));
  return hex;
}

// docs/files.md, "A worked example".
TEST(GameFile, TheWorkedExampleOfTheDocs) {
  GameRecord game;
  game.rules.max_plies = 2;
  game.first_generation = 5;
  game.last_generation = 6;
  game.moves = {
      env::Move(env::PieceId::Of(env::Color::kWhite, env::PieceType::kSpider, 1), env::kOrigin),
      env::Move(env::PieceId::Of(env::Color::kBlack, env::PieceType::kSpider, 1),
                env::Neighbor(env::kOrigin, env::Direction::kE))};
  game.positions.resize(2);
  game.positions[0].has_policy = game.positions[0].has_value = true;
  game.policies = {32768, 16383, 8192, 8192};
  game.positions[0].policy_size = 4;
  game.positions[0].root_wdl = RestoreWdl({0x8000, 0x1000});
  game.positions[1].has_value = true;
  game.positions[1].root_wdl = RestoreWdl({0x7000, 0x1001});
  game.outcome = {env::Result::kUnfinished, env::Reason::kCap};
  game.cap_wdl = RestoreWdl({0x4000, 0x2000});
  const std::string content = OpenEnvelope(EncodeGames({game}), kGameFileVersion, "x").value();
  EXPECT_EQ(Hex(content),
            "01 00 00 00 01 00 00 00 02 00 00 00 02 00 00 00 04 00 00 00 "
            "00 00 00 04 04 01 03 00 02 00 00 00 02 00 00 00 00 00 00 00 05 00 00 00 06 00 00 00 "
            "00 40 00 20 "
            "00 01 04 3c "
            "03 02 "
            "04 00 00 00 "
            "00 00 80 70 "
            "00 01 10 10 "
            "00 ff 00 00 80 3f 20 20 ");
  EXPECT_EQ(DecodeGames(EncodeGames({game}), "x").value(), std::vector{game});
}

TEST(GameFile, ACutAtAnyLengthIsRefused) {
  const std::string bytes = EncodeGames({SampleGame(ShortRules(), 1, 5)});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto decoded = DecodeGames(bytes.substr(0, size), "cut.games.zst");
    ASSERT_FALSE(decoded.ok()) << size;
    ASSERT_THAT(decoded.error(), HasSubstr("cut.games.zst: ")) << size;
  }
  EXPECT_FALSE(DecodeGames(bytes + '\0', "long").ok());
}

TEST(GameFile, AFlippedBitAnywhereIsRefused) {
  std::string bytes = EncodeGames({SampleGame(ShortRules(), 1, 5)});
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const int bits = at < 200 ? 8 : 1;
    for (int i = 0; i < bits; ++i) {
      const char flip = static_cast<char>(1 << (bits == 8 ? i : static_cast<int>(at % 8)));
      bytes[at] = static_cast<char>(bytes[at] ^ flip);
      ASSERT_FALSE(DecodeGames(bytes, "x").ok()) << "byte " << at << " bit " << i;
      bytes[at] = static_cast<char>(bytes[at] ^ flip);
    }
  }
  EXPECT_TRUE(DecodeGames(bytes, "x").ok());
}

// Behind a right checksum everything is checked once more: the writer may be another program.
TEST(GameFile, AFlippedBitInTheContentIsRefusedOrAnotherWellFormedGame) {
  const std::vector<GameRecord> games{SampleGame(ShortRules(), 1, 5)};
  const std::string bytes = EncodeGames(games);
  const std::string content = OpenEnvelope(bytes, kGameFileVersion, "x").value();
  int refused = 0;
  for (std::size_t bit = 0; bit < 8 * content.size(); ++bit) {
    std::string altered = content;
    altered[bit / 8] = static_cast<char>(altered[bit / 8] ^ static_cast<char>(1 << bit % 8));
    const auto decoded = DecodeGames(SealEnvelope(altered, kGameFileVersion), "x");
    if (decoded) {
      EXPECT_NE(*decoded, games) << "bit " << bit;
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, static_cast<int>(4 * content.size()));
}

TEST(GameFile, ContentOfAnyLengthIsRefusedOrRead) {
  const std::string content =
      OpenEnvelope(EncodeGames({SampleGame(ShortRules(), 1, 5)}), kGameFileVersion, "x").value();
  for (std::size_t size = 0; size < content.size(); ++size)
    EXPECT_FALSE(DecodeGames(SealEnvelope(content.substr(0, size), kGameFileVersion), "x").ok())
        << size;
}

TEST(GameFile, ErrorsNameFileGamePlyAndField) {
  const GameRecord good = SampleGame(ShortRules(), 2, 5);
  ASSERT_TRUE(DecodeGames(EncodeGames({good}), "x").ok());
  GameRecord game = good;
  game.moves[4] = game.moves[3];
  EXPECT_THAT(ErrorOf(game), HasSubstr("x.games.zst: game 1 of 1, ply 4: move 0x"));
  game = good;
  game.moves[5] = env::Move::FromBits(0xFFFE);  // a piece that does not exist
  EXPECT_THAT(ErrorOf(game), HasSubstr("ply 5: move 0xfffe is not legal"));
  game = good;
  game.positions[1].has_value = true;
  game.positions[1].root_wdl = {1, 0, 0};
  EXPECT_THAT(ErrorOf(game),
              HasSubstr("ply 1: flags 0x2, expected none in the opening of 2 plies"));
  game = good;
  game.AddPolicy(std::array{1.0F}, game.positions[2]);
  EXPECT_THAT(ErrorOf(game), HasSubstr("ply 2: policy of 1 entries, expected "));
  game = good;
  game.outcome = {env::Result::kWhiteWins, env::Reason::kSurround};
  game.cap_wdl.reset();
  EXPECT_THAT(
      ErrorOf(game),
      HasSubstr("ply 12: outcome is WhiteWins by surround, the moves give Unfinished by cap"));
  game = good;
  game.rules.max_plies = 11;
  EXPECT_THAT(ErrorOf(game), HasSubstr("ply 11: "));
  game = good;
  game.first_generation = 5;
  EXPECT_THAT(ErrorOf(game), HasSubstr("first generation 5 after the last, 4"));
}

TEST(GameFile, APolicyThatDoesNotSumIsRefused) {
  GameRecord game = SampleGame(ShortRules(), 0, 5);
  std::size_t ply = 0;
  while (!game.positions[ply].has_policy) ++ply;
  game.policies[game.positions[ply].policy_begin] ^= 1;
  EXPECT_THAT(ErrorOf(game), HasSubstr(fmt::format("ply {}: policy sums to ", ply)));
}

TEST(GameFile, ForeignFilesGiveOneSentence) {
  TestDirectory directory;
  EXPECT_THAT(ReadGameFile(directory / "none").error(), HasSubstr(directory / "none"));
  ASSERT_TRUE(base::WriteDurably(directory / "text", std::string(500, 'a')).ok());
  EXPECT_THAT(ReadGameFile(directory / "text").error(), HasSubstr("text: not a game file"));
  const std::string version2 = SealEnvelope("", 2);
  EXPECT_THAT(DecodeGames(version2, "x").error(),
              HasSubstr("x: version 2, this program reads version 1"));
}

TEST(GameFile, TakesFewBytesAPosition) {
  std::vector<GameRecord> games;
  std::size_t positions = 0;
  env::Rules rules;
  rules.max_plies = 100;
  for (std::uint64_t seed = 0; positions < 2000; ++seed) {
    games.push_back(SampleGame(rules, 0, seed));
    positions += games.back().moves.size();
  }
  const double bytes = static_cast<double>(EncodeGames(games).size());
  RecordProperty("bytes_per_position", std::to_string(bytes / static_cast<double>(positions)));
  EXPECT_LT(bytes / static_cast<double>(positions), 300);
}

}  // namespace
}  // namespace apiary::train
