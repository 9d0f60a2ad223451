#include "play/timed_player.h"

namespace apiary::play {

TimedPlayer::TimedPlayer(std::unique_ptr<nn::Evaluator> evaluator, std::string name, double seconds,
                         double temperature)
    : search_(std::move(evaluator), 0),
      name_(std::move(name)),
      seconds_(seconds),
      temperature_(temperature) {}

void TimedPlayer::ChooseMoves(std::span<const env::Game* const> games,
                              std::span<base::RandomStream> streams, std::span<env::Move> moves) {
  for (std::size_t i = 0; i < games.size(); ++i) {
    search_.Reseed(streams[i].Next());
    moves[i] = search_.InTime(*games[i], seconds_, temperature_);
  }
}

}  // namespace apiary::play
