#include "play/player.h"

#include <array>
#include <string_view>
#include <utility>

#include "mcts/gen0.h"
#include "play/model_player.h"
#include "play/search_keys.h"
#include "play/search_players.h"
#include "play/timed_player.h"
#include "play/uhp_player.h"

namespace apiary::play {
namespace {

// A fixed player: one pure function of the position, game by game.
class FixedPlayer : public Player {
 public:
  using Choose = env::Move (*)(const env::Board&, const env::MoveList&, base::RandomStream&);
  FixedPlayer(std::string name, Choose choose) : name_(std::move(name)), choose_(choose) {}
  void ChooseMoves(std::span<const env::Game* const> games, std::span<base::RandomStream> streams,
                   std::span<env::Move> moves) override {
    for (std::size_t i = 0; i < games.size(); ++i) {
      games[i]->LegalMoves(legal_);
      moves[i] = choose_(games[i]->board(), legal_, streams[i]);
    }
  }
  std::string name() const override { return name_; }

 private:
  std::string name_;
  Choose choose_;
  env::MoveList legal_;
};

FixedPlayer::Choose FixedChoice(std::string_view kind) {
  if (kind == "random")
    return [](const env::Board&, const env::MoveList& moves, base::RandomStream& random) {
      return ChooseRandom(moves, random);
    };
  if (kind == "gen0")
    return [](const env::Board& board, const env::MoveList& moves, base::RandomStream& random) {
      return mcts::ChooseGen0(board, moves, random).move;
    };
  if (kind == "crowd") return &ChooseCrowd;
  return nullptr;
}

constexpr std::array<std::pair<FaultKind, std::string_view>, 6> kFaultNames = {{
    {FaultKind::kCrash, "crash"},
    {FaultKind::kTimeout, "timeout"},
    {FaultKind::kIllegalMove, "illegal_move"},
    {FaultKind::kProtocol, "protocol"},
    {FaultKind::kForeignEnd, "foreign_end"},
    {FaultKind::kStopped, "stopped"},
}};

}  // namespace

std::string_view ToString(FaultKind kind) {
  return kFaultNames[static_cast<std::size_t>(kind)].second;
}

std::optional<FaultKind> ParseFaultKind(std::string_view text) {
  for (const auto& [kind, name] : kFaultNames) {
    if (name == text) return kind;
  }
  return std::nullopt;
}

base::Result<std::unique_ptr<Player>> MakePlayer(const PlayerSpec& spec,
                                                 const nn::EvaluatorFactory& factory,
                                                 const EngineLimits& limits) {
  if (const FixedPlayer::Choose choose = FixedChoice(spec.kind))
    return std::unique_ptr<Player>(std::make_unique<FixedPlayer>(spec.kind, choose));
  if (spec.kind == "ab")
    return std::unique_ptr<Player>(std::make_unique<AlphaBetaPlayer>(spec.depth));
  if (spec.engine) return UhpPlayer::Make(*spec.engine, limits);
  if (spec.kind == "mcts")
    return std::unique_ptr<Player>(std::make_unique<UctPlayer>(spec.playouts));
  if (!factory)
    return base::Fail("player '{}': no evaluator was given, so a net cannot play", spec.text);
  auto evaluator = factory(spec.weights_path);
  if (!evaluator) return evaluator.failure();
  mcts::SearchOptions options =
      PlaySearchOptions(spec.seconds > 0 ? mcts::SearchLimits::kMostSimulations : spec.simulations);
  for (const auto& [key, value] : spec.search_keys) {
    if (auto set = SetSearchKey(key, value, options); !set) return set.failure();
  }
  if (spec.seconds <= 0)
    return std::unique_ptr<Player>(std::make_unique<ModelPlayer>(
        std::move(*evaluator), PlayerName(spec), options, spec.temperature));
  return std::unique_ptr<Player>(std::make_unique<TimedPlayer>(
      SourceOf(factory, spec.weights_path), PlayerName(spec), spec.seconds, spec.temperature,
      UhpSearch::Resources{.search = options, .keep_tree = spec.keep_tree}));
}

}  // namespace apiary::play
