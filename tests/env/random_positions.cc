#include "tests/env/random_positions.h"

#include <fmt/format.h>

#include "base/random.h"
#include "env/notation.h"

namespace apiary::env {

Game RandomGame(const Rules& rules, int plies, std::uint64_t seed) {
  base::RandomStream random(seed);
  Game game(rules);
  MoveList moves;
  for (int ply = 0; ply < plies && !game.outcome().over(); ++ply) {
    game.LegalMoves(moves);
    game.Apply(moves[static_cast<int>(random.Below(static_cast<std::uint32_t>(moves.size())))]);
  }
  return game;
}

std::vector<Game> RandomPositions(int count, std::uint64_t seed) {
  base::RandomStream random(seed);
  std::vector<Game> games;
  for (int i = 0; i < count; ++i) {
    Rules rules;
    rules.variant = Variant::FromIndex(i % 8);
    games.push_back(RandomGame(rules, static_cast<int>(random.Below(81)), random.Next()));
  }
  return games;
}

Block BlockOf(const std::vector<Game>& games, Symmetry symmetry) {
  Block block;
  MoveList moves;
  for (const Game& game : games) {
    game.LegalMoves(moves);
    Append(game, moves, symmetry, block);
  }
  return block;
}

Game PositionOf(std::string_view game_type, std::string_view moves) {
  auto parsed =
      ParseGameString(fmt::format("{};InProgress;White[1];{}", game_type, moves), Rules{});
  APIARY_CHECK(parsed.ok(), "{}", parsed.error());
  return parsed->game;
}

Game LineOf28(Direction direction) {
  Rules rules;
  rules.variant = Variant::FromIndex(7);
  Game game(rules);
  const int forward = static_cast<int>(direction), back = (forward + 3) % 6;
  Cell white_end = kOrigin, black_end = kOrigin;
  for (int turn = 0; turn < kPiecesPerSide; ++turn) {
    // Spiders first, the queen on the third turn.
    const int within = turn < 2 ? turn + 1 : turn == 2 ? 0 : turn;
    if (turn > 0) white_end = Neighbor(white_end, back);
    game.Apply(Move(PieceId::FromIndex(within), white_end));
    black_end = Neighbor(black_end, forward);
    game.Apply(Move(PieceId::FromIndex(kPiecesPerSide + within), black_end));
  }
  return game;
}

}  // namespace apiary::env
