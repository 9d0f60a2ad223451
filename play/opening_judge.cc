#include "play/opening_judge.h"

#include <algorithm>
#include <cmath>

#include "play/uct.h"

namespace apiary::play {
namespace {

constexpr int kSolvingDepth = 3;
// A queen with fewer neighbours is not surrounded within three plies, but by a pillbug's throw.
constexpr int kNeighborsInDanger = 3;

// What a net says of the position without a search.
class NetValue {
 public:
  explicit NetValue(std::unique_ptr<nn::Evaluator> evaluator) : evaluator_(std::move(evaluator)) {}
  double operator()(const env::Game& game) {
    env::MoveList moves;
    game.LegalMoves(moves);
    block_.Clear();
    env::Append(game, moves, env::Symmetry(), block_);
    evaluator_->Evaluate(block_, evaluation_);
    return evaluation_.wdl[0].value_stm();
  }

 private:
  std::unique_ptr<nn::Evaluator> evaluator_;
  env::Block block_;
  nn::Evaluation evaluation_;
};

// alpha-beta's score as a value: nine tenths of a win are what a fifth neighbour of a queen costs.
double AlphaBetaValue(AlphaBeta& search, int depth, const env::Game& game) {
  constexpr double kScale = 150;
  base::RandomStream random(1, {game.board().hash()});
  return std::tanh(search.Search(game, {.depth = depth}, random).score / kScale);
}

double UctValue(Uct& search, int playouts, const env::Game& game) {
  base::RandomStream random(1, {game.board().hash()});
  return 2 * search.Search(game, playouts, random).value - 1;
}

}  // namespace

base::Result<OpeningJudge::Value> OpeningJudge::ValueOf(const PlayerSpec& spec,
                                                        const nn::EvaluatorFactory& factory) {
  constexpr int kMostDepth = 2;
  constexpr int kMostPlayouts = 400;
  if (spec.kind == "ab")
    return Value([search = std::make_shared<AlphaBeta>(std::size_t{1} << 20),
                  depth = std::min(spec.depth, kMostDepth)](const env::Game& game) {
      return AlphaBetaValue(*search, depth, game);
    });
  if (spec.kind == "mcts")
    return Value([search = std::make_shared<Uct>(),
                  playouts = std::min(spec.playouts, kMostPlayouts)](const env::Game& game) {
      return UctValue(*search, playouts, game);
    });
  if (spec.kind != "model" || !factory) return Value();
  auto evaluator = factory(spec.weights_path);
  if (!evaluator) return evaluator.failure();
  return Value([net = std::make_shared<NetValue>(*std::move(evaluator))](const env::Game& game) {
    return (*net)(game);
  });
}

base::Result<std::unique_ptr<OpeningJudge>> OpeningJudge::Make(
    const PlayerSpec& a, const PlayerSpec& b, const nn::EvaluatorFactory& factory) {
  std::unique_ptr<OpeningJudge> judge(new OpeningJudge);
  const auto has_value = [](const PlayerSpec& spec) {
    return spec.kind == "ab" || spec.kind == "mcts" || spec.kind == "model";
  };
  if (!has_value(a) || !has_value(b)) return judge;
  auto value_a = ValueOf(a, factory);
  if (!value_a) return value_a.failure();
  auto value_b = ValueOf(b, factory);
  if (!value_b) return value_b.failure();
  judge->a_ = *std::move(value_a);
  judge->b_ = *std::move(value_b);
  return judge;
}

bool OpeningJudge::Decided(const env::Game& game) {
  if (game.outcome().over() || Solved(game)) return true;
  if (!a_ || !b_) return false;
  const double a = a_(game);
  if (std::abs(a) < kDecidedValue) return false;
  const double b = b_(game);
  return std::abs(b) >= kDecidedValue && (a > 0) == (b > 0);
}

bool OpeningJudge::Solved(const env::Game& game) {
  const env::Board& board = game.board();
  const bool danger = board.rules().variant.pillbug ||
                      std::max(board.QueenNeighbors(env::Color::kWhite),
                               board.QueenNeighbors(env::Color::kBlack)) >= kNeighborsInDanger;
  if (!danger) return false;
  base::RandomStream random(1);
  return IsProven(search_.Search(game, {.depth = kSolvingDepth}, random).score);
}

}  // namespace apiary::play
