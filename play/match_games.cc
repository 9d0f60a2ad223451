#include "play/match_games.h"

#include <chrono>

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

}  // namespace

base::Result<env::Game> DrawOpening(const MatchOptions& options, PairTask task, OpeningJudge* judge,
                                    int* skipped) {
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
    // There is only one opening without moves.
    const bool judged = judge != nullptr && options.opening_plies > 0;
    if (!IsDecided(game) && !(judged && judge->Decided(game))) return game;
    if (skipped != nullptr) ++*skipped;
  }
  return base::Fail("no undecided opening of {} random plies in {} draws; use fewer opening plies",
                    options.opening_plies, kDraws);
}

MatchGames::MatchGames(const MatchOptions& options, std::unique_ptr<Player> a,
                       std::unique_ptr<Player> b, std::unique_ptr<OpeningJudge> judge)
    : options_(options), a_(std::move(a)), b_(std::move(b)), judge_(std::move(judge)) {}

base::Result<void> MatchGames::Start(PairTask task) {
  PlayedGame played;
  played.opening = task.pair;
  played.attempt = task.attempt;
  const bool given = !options_.openings.empty();
  auto opening =
      given ? base::Result<env::Game>(options_.openings[static_cast<std::size_t>(task.opening)])
            : DrawOpening(options_, task, judge_.get(), &played.skipped_openings);
  if (!opening) return opening.failure();
  for (const bool a_is_first : {true, false}) {
    played.a_is_first = a_is_first;
    games_.push_back({*opening, PlayerStream(options_, task, Stream::kPlayerA, a_is_first),
                      PlayerStream(options_, task, Stream::kPlayerB, a_is_first), played});
  }
  return {};
}

void MatchGames::Step(std::vector<PlayedGame>& finished) {
  MoveAll(true, finished);
  MoveAll(false, finished);
}

void MatchGames::MoveAll(bool a_moves, std::vector<PlayedGame>& finished) {
  using Clock = std::chrono::steady_clock;
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
  Player& player = *(a_moves ? a_ : b_);
  const Clock::time_point start = Clock::now();
  player.ChooseMoves(boards_, streams_, moves_);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count() /
                         static_cast<double>(index_.size());
  auto fault = player.faults().begin();
  for (std::size_t k = 0; k < index_.size(); ++k) {
    ActiveGame& active = games_[index_[k]];
    (a_moves ? active.stream_a : active.stream_b) = streams_[k];
    const bool faulty = fault != player.faults().end() && fault->game == k;
    TakeMove(a_moves, moves_[k], faulty ? &*fault : nullptr, seconds, active);
    if (faulty) ++fault;
  }
  TakeFinished(finished);
}

void MatchGames::TakeMove(bool a_moves, env::Move move, const Fault* fault, double seconds,
                          ActiveGame& active) {
  PlayedGame& played = active.played;
  (a_moves ? played.seconds_a : played.seconds_b) += seconds;
  if (fault == nullptr || fault->moved) {
    active.game.Apply(move);
    ++(a_moves ? played.moves_a : played.moves_b);
  }
  // The end by our rules goes before all else.
  if (fault == nullptr || active.game.outcome().over()) return;
  if (fault->kind == FaultKind::kStopped) {
    active.stopped = true;
  } else {
    played.fault = PlayedGame::FaultOfPlayer{fault->kind, a_moves, fault->what};
  }
}

void MatchGames::TakeFinished(std::vector<PlayedGame>& finished) {
  std::erase_if(games_, [&finished](ActiveGame& active) {
    if (active.stopped) return true;
    if (!active.game.outcome().over() && !active.played.fault) return false;
    active.played.game_string = env::ToGameString(active.game);
    active.played.plies = active.game.ply();
    active.played.outcome = active.game.outcome();
    finished.push_back(std::move(active.played));
    return true;
  });
}

}  // namespace apiary::play
