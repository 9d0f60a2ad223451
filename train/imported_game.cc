#include "train/imported_game.h"

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "env/notation.h"

namespace apiary::train {
namespace {

bool OpensWithQueen(const env::Game& game) {
  const auto opening = game.moves().first(std::min<std::size_t>(2, game.moves().size()));
  return std::any_of(opening.begin(), opening.end(), [](env::Move move) {
    return !move.is_pass() && move.piece().type() == env::PieceType::kQueen;
  });
}

// The moves by other rules, as far as the game goes on.
env::Game Replay(std::span<const env::Move> moves, const env::Rules& rules) {
  env::Game game(rules);
  for (const env::Move move : moves) {
    if (game.outcome().over()) break;
    game.Apply(move);
  }
  return game;
}

// With the repetition draw of the run, if it is how the game ended or does not come up.
env::Game WithRepetition(const env::Game& game, env::Result claimed, const env::Rules& rules) {
  env::Game replay = Replay(game.moves(), rules);
  const bool draws = replay.outcome().reason == env::Reason::kRepetition;
  const bool whole = replay.ply() == game.ply();
  if (!draws || (whole && claimed == env::Result::kDraw)) return replay;
  env::Rules without = rules;
  without.repetition = 0;
  return Replay(game.moves(), without);
}

nn::Wdl CertainWdl(env::Result result, env::Color side) {
  if (result == env::Result::kDraw) return {0, 1, 0};
  const bool white_wins = result == env::Result::kWhiteWins;
  return white_wins == (side == env::Color::kWhite) ? nn::Wdl{1, 0, 0} : nn::Wdl{0, 0, 1};
}

// The move played as a policy.
void AddPosition(const env::Game& game, env::Move move, GameRecord& record) {
  env::MoveList legal;
  game.LegalMoves(legal);
  std::vector<float> policy(static_cast<std::size_t>(legal.size()), 0.0F);
  const auto* const played = std::find(legal.begin(), legal.end(), move);
  APIARY_CHECK(played != legal.end(), "an imported move is not legal in {}",
               env::ToGameString(game));
  policy[static_cast<std::size_t>(played - legal.begin())] = 1;
  PositionRecord position;
  record.AddPolicy(policy, position);
  record.moves.push_back(move);
  record.positions.push_back(position);
}

env::Color SideAtEnd(const GameRecord& record) {
  return record.moves.size() % 2 == 0 ? record.rules.first_player
                                      : env::Opponent(record.rules.first_player);
}

}  // namespace

GameRecord RecordOfGame(const env::Game& game, env::Result claimed, const env::Rules& run) {
  APIARY_CHECK(game.ply() > 0, "an imported game without moves");
  env::Rules rules = game.rules();
  rules.queen_first_turn = run.queen_first_turn || OpensWithQueen(game);
  rules.repetition = run.repetition;
  rules.max_plies = 0;
  const env::Game ended = WithRepetition(game, claimed, rules);
  GameRecord record;
  record.rules = ended.rules();
  record.outcome = ended.outcome();
  if (!record.outcome.over()) {
    record.rules.max_plies = game.ply();
    record.outcome = {env::Result::kUnfinished, env::Reason::kCap};
  }
  env::Game replay(record.rules);
  for (const env::Move move : game.moves()) {
    AddPosition(replay, move, record);
    replay.Apply(move);
  }
  if (record.outcome.result == env::Result::kUnfinished && claimed != env::Result::kInProgress)
    record.cap_wdl = CertainWdl(claimed, SideAtEnd(record));
  return record;
}

bool HasResult(const GameRecord& record) {
  return record.outcome.result != env::Result::kUnfinished || record.cap_wdl.has_value();
}

env::Result AgreedResult(const GameRecord& record) {
  constexpr float kHalf = 0.5F;  // the value is certain, but was rounded in its file
  // Self-play has no cap value before there is a net.
  if (record.last_generation != 0 || !record.cap_wdl) return env::Result::kInProgress;
  if (record.cap_wdl->draw > kHalf) return env::Result::kDraw;
  const bool side_wins = record.cap_wdl->win > kHalf;
  return side_wins == (SideAtEnd(record) == env::Color::kWhite) ? env::Result::kWhiteWins
                                                                : env::Result::kBlackWins;
}

std::string GameStringOf(const GameRecord& record) {
  std::string text = env::ToGameString(Replay(record.moves, record.rules));
  const env::Result agreed = AgreedResult(record);
  if (agreed == env::Result::kInProgress) return text;
  const std::size_t begin = text.find(';') + 1;
  return text.replace(begin, text.find(';', begin) - begin, ToString(agreed));
}

}  // namespace apiary::train
