#include "play/match_games.h"

#include "env/notation.h"
#include "play/openings.h"

namespace apiary::play {
namespace {

// First coordinate of a match's random streams.
enum Stream : std::uint64_t { kOpening = 1, kPlayerA = 2, kPlayerB = 3 };

base::RandomStream PlayerStream(const MatchOptions& options, PairTask task, Stream player,
                                bool a_is_first) {
  return base::RandomStream(options.seed, {player, static_cast<std::uint64_t>(task.pair),
                                           static_cast<std::uint64_t>(task.attempt),
                                           static_cast<std::uint64_t>(a_is_first)});
}

base::Result<env::Game> OpeningOf(const MatchOptions& options, PairTask task) {
  if (options.openings.empty()) return DrawOpening(options, task);
  return options.openings[static_cast<std::size_t>(task.opening)];
}

}  // namespace

base::Result<env::Game> DrawOpening(const MatchOptions& options, PairTask task) {
  constexpr int kDraws = 1000;
  base::RandomStream random(options.seed, {Stream::kOpening, static_cast<std::uint64_t>(task.pair),
                                           static_cast<std::uint64_t>(task.attempt)});
  env::MoveList moves;
  for (int draw = 0; draw < kDraws; ++draw) {
    env::Game game(options.rules);
    while (game.ply() < options.opening_plies && !game.outcome().over()) {
      game.LegalMoves(moves);
      game.Apply(ChooseRandom(moves, random));
    }
    if (!IsDecided(game)) return game;
  }
  return base::Fail("no undecided opening of {} random plies in {} draws; use fewer opening plies",
                    options.opening_plies, kDraws);
}

MatchGames::MatchGames(const MatchOptions& options, std::unique_ptr<Player> a,
                       std::unique_ptr<Player> b)
    : options_(options), a_(std::move(a)), b_(std::move(b)) {}

base::Result<void> MatchGames::Start(PairTask task) {
  auto opening = OpeningOf(options_, task);
  if (!opening) return opening.failure();
  for (const bool a_is_first : {true, false}) {
    games_.push_back({task.pair, a_is_first, *opening,
                      PlayerStream(options_, task, Stream::kPlayerA, a_is_first),
                      PlayerStream(options_, task, Stream::kPlayerB, a_is_first)});
  }
  return {};
}

void MatchGames::Step(std::vector<PlayedGame>& finished) {
  MoveAll(true, finished);
  MoveAll(false, finished);
}

void MatchGames::MoveAll(bool a_moves, std::vector<PlayedGame>& finished) {
  index_.clear();
  boards_.clear();
  streams_.clear();
  for (std::size_t i = 0; i < games_.size(); ++i) {
    if (games_[i].a_to_move() != a_moves) continue;
    index_.push_back(i);
    boards_.push_back(&games_[i].game);
    streams_.push_back(a_moves ? games_[i].stream_a : games_[i].stream_b);
  }
  if (index_.empty()) return;
  moves_.resize(index_.size());
  (a_moves ? a_ : b_)->ChooseMoves(boards_, streams_, moves_);
  for (std::size_t k = 0; k < index_.size(); ++k) {
    ActiveGame& active = games_[index_[k]];
    (a_moves ? active.stream_a : active.stream_b) = streams_[k];
    active.game.Apply(moves_[k]);
  }
  TakeFinished(finished);
}

void MatchGames::TakeFinished(std::vector<PlayedGame>& finished) {
  std::erase_if(games_, [&finished](const ActiveGame& active) {
    if (!active.game.outcome().over()) return false;
    finished.push_back({active.pair, active.a_is_first, env::ToGameString(active.game),
                        active.game.ply(), active.game.outcome()});
    return true;
  });
}

}  // namespace apiary::play
