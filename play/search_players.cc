#include "play/search_players.h"

namespace apiary::play {

void AlphaBetaPlayer::ChooseMoves(std::span<const env::Game* const> games,
                                  std::span<base::RandomStream> streams,
                                  std::span<env::Move> moves) {
  for (std::size_t i = 0; i < games.size(); ++i) {
    games[i]->LegalMoves(legal_);
    moves[i] = legal_.size() == 1 ? legal_[0]
                                  : search_.Search(*games[i], {.depth = depth_}, streams[i]).best;
  }
}

void UctPlayer::ChooseMoves(std::span<const env::Game* const> games,
                            std::span<base::RandomStream> streams, std::span<env::Move> moves) {
  for (std::size_t i = 0; i < games.size(); ++i)
    moves[i] = search_.Search(*games[i], playouts_, streams[i]).best;
}

}  // namespace apiary::play
