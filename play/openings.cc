#include "play/openings.h"

#include "base/text.h"
#include "env/notation.h"

namespace apiary::play {
namespace {

base::Result<env::Game> ParseOpening(std::string_view line, const env::Rules& rules) {
  auto parsed = env::ParseGameString(line, rules);
  if (!parsed) return parsed.failure();
  const env::Rules& own = parsed->game.rules();
  if (own.variant != rules.variant)
    return base::Fail("the opening is a game of {}, but the match plays {}",
                      env::ToString(own.variant), env::ToString(rules.variant));
  if (own.first_player != rules.first_player)
    return base::Fail("{} begins the opening, but {} begins the games of the match",
                      own.first_player == env::Color::kWhite ? "White" : "Black",
                      rules.first_player == env::Color::kWhite ? "White" : "Black");
  return std::move(parsed->game);
}

}  // namespace

bool IsDecided(const env::Game& game) {
  if (game.outcome().over()) return true;
  env::MoveList moves;
  game.LegalMoves(moves);
  return env::FindWinInOne(game.board(), moves) >= 0;
}

base::Result<std::vector<env::Game>> ParseOpenings(std::string_view text, const std::string& source,
                                                   const env::Rules& rules) {
  std::vector<env::Game> openings;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view game_string = base::Trim(line.substr(0, line.find('#')));
    if (game_string.empty()) continue;
    auto opening = ParseOpening(game_string, rules);
    if (!opening) return base::Fail("{}: line {}: {}", source, number, opening.error());
    openings.push_back(*std::move(opening));
  }
  return openings;
}

}  // namespace apiary::play
