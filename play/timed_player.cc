#include "play/timed_player.h"

namespace apiary::play {

TimedPlayer::TimedPlayer(UhpSearch::EvaluatorSource source, std::string name, double seconds,
                         double temperature, const UhpSearch::Resources& resources)
    : searches_{UhpSearch(source, 0, resources), UhpSearch(source, 0, resources)},
      name_(std::move(name)),
      seconds_(seconds),
      temperature_(temperature) {}

UhpSearch& TimedPlayer::SearchOf(const env::Game& game) {
  const std::size_t other = 1 - last_used_;
  const int here = searches_[last_used_].KnownPly(game);
  const int there = searches_[other].KnownPly(game);
  if (there > here || (here < 0 && there < 0)) last_used_ = other;
  return searches_[last_used_];
}

void TimedPlayer::ChooseMoves(std::span<const env::Game* const> games,
                              std::span<base::RandomStream> streams, std::span<env::Move> moves) {
  for (std::size_t i = 0; i < games.size(); ++i) {
    UhpSearch& search = SearchOf(*games[i]);
    search.Reseed(streams[i].Next());
    moves[i] = search.InTime(*games[i], seconds_, temperature_);
  }
}

}  // namespace apiary::play
