#include "mcts/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/check.h"
#include "env/movegen.h"
#include "env/notation.h"
#include "mcts/edge_table.h"
#include "mcts/halving_rounds.h"
#include "mcts/interior.h"
#include "mcts/proven.h"
#include "mcts/root_rules.h"
#include "mcts/softmax.h"
#include "mcts/tree.h"
#include "mcts/wave.h"

namespace apiary::mcts {

namespace {

std::span<const env::Move> Span(const env::MoveList& moves) {
  return {moves.begin(), static_cast<std::size_t>(moves.size())};
}

float SumOfNonFinite(std::span<const float> values) {
  float sum = 0;
  for (const float value : values) sum += value - value;  // 0, or NaN for infinities and NaN
  return sum;
}

}  // namespace

class Search::Impl {
 public:
  Impl();
  void Start(const env::Game& game, const SearchOptions& options, const base::RandomStream& random,
             nn::EvaluationCache* cache);
  bool Continue(const env::Game& game, const SearchOptions& options,
                const base::RandomStream& random, nn::EvaluationCache* cache);
  int SelectWave(Wave& wave, env::Block& block, int max_simulations);
  void BackupWave(Wave& wave, const nn::Evaluation& evaluation);
  void Finish();

  Wave& own_wave() { return own_wave_; }
  RootRule root_rule() const { return options_.root; }
  bool done() const { return done_; }
  const SearchResult& result() const { return result_; }
  const Tree& tree() const { return tree_; }

 private:
  // What every search begins with.
  void Begin(const env::Game& game, const SearchOptions& options, const base::RandomStream& random,
             nn::EvaluationCache* cache);
  // The node that `game`, which goes on from game_, has led to; invalid if the tree does not know
  // it.
  NodeId Follow(const env::Game& game) const;
  // The root move that the next simulation follows; none: all those of the round are on their way.
  std::optional<std::size_t> NextRootMove();
  // False, and nothing is changed, if it led to a node whose evaluation is awaited.
  bool Simulate(std::size_t root_move, Wave& wave, env::Block& block);
  std::size_t SelectInterior(NodeId node);
  // Grows the tree at `edge`, whose move was just played on game_, or proves the edge.
  void ExpandLeaf(EdgeId edge, Simulation& simulation, Wave& wave, env::Block& block);
  // What each of moves_ proves at once into move_proven_, and together about the position.
  Proven MarkMoves();
  // Without proofs: a leaf at `edge` where the game has ended, `end` for its side to move.
  void AddEnd(EdgeId edge, Proven end, Simulation& simulation);
  void SendToEvaluator(NodeId leaf, const env::MoveList& moves, Simulation& simulation, Wave& wave,
                       env::Block& block);
  void ReadEvaluation(const Simulation& simulation, const nn::Evaluation& evaluation);
  void Backup(const Simulation& simulation, std::span<const EdgeId> path,
              const nn::Evaluation& evaluation);
  // When all waves are backed up: finishes, or begins the next round of sequential halving.
  void EndWave();
  void DrawGumbels();
  float DrawValue() const { return static_cast<float>(options_.draw_value); }
  std::size_t ChooseBest();

  env::Game game_;
  SearchOptions options_;
  base::RandomStream random_{0};
  nn::EvaluationCache* cache_ = nullptr;
  Tree tree_;
  Proven root_proven_ = Proven::kUnknown;
  bool root_evaluated_ = false;
  bool root_kept_ = false;  // it has visits from the search before
  bool done_ = true;
  int open_waves_ = 0;
  Wave own_wave_;  // of callers that have one open at a time

  HalvingRounds rounds_;  // of a Gumbel root
  int simulations_made_ = 0;
  int evaluations_ = 0;
  int remembered_leaves_ = 0;
  float root_moves_left_ = 0;
  std::vector<float> gumbel_;  // [root moves]
  std::vector<float> scores_;  // [root moves]

  // Scratch.
  EdgeTable table_;
  env::MoveList moves_;
  std::vector<Proven> move_proven_;
  std::vector<float> logits_;
  std::vector<float> softmax_scratch_;
  SearchResult result_;
};

// Room for the longest list of moves and most games, so that searches allocate no more.
Search::Impl::Impl() {
  constexpr int kPlies = 512;
  game_.Reserve(kPlies);
  for (std::vector<float>* values : {&gumbel_, &scores_, &logits_, &softmax_scratch_})
    values->reserve(env::kMaxMoves);
  move_proven_.reserve(env::kMaxMoves);
  result_.moves.reserve(env::kMaxMoves);
}

void Search::Impl::Begin(const env::Game& game, const SearchOptions& options,
                         const base::RandomStream& random, nn::EvaluationCache* cache) {
  APIARY_CHECK(!game.outcome().over(), "a search of a finished game: {}", env::ToGameString(game));
  APIARY_CHECK(options.simulations >= 0 && options.considered >= 1,
               "simulations = {}, considered = {}", options.simulations, options.considered);
  game_ = game;
  options_ = options;
  random_ = random;
  cache_ = cache;
  root_evaluated_ = root_kept_ = done_ = own_wave_.open = false;
  rounds_.Restart();
  simulations_made_ = evaluations_ = remembered_leaves_ = open_waves_ = 0;
  root_moves_left_ = 1;  // replaced by the net's unless the next move ends the game
}

void Search::Impl::Start(const env::Game& game, const SearchOptions& options,
                         const base::RandomStream& random, nn::EvaluationCache* cache) {
  Begin(game, options, random, cache);
  tree_.Reset(options.max_tree_bytes);
  if (options.reserve_tree) tree_.Reserve();

  env::GenerateLegalMoves(game_.board(), moves_);
  APIARY_CHECK(!moves_.empty(), "no legal move, not even pass: {}", env::ToGameString(game));
  tree_.AddNode(Span(moves_));
  root_proven_ = MarkMoves();
  const float uniform = -std::log(static_cast<float>(moves_.size()));
  const std::span<Edge> edges = tree_.edges(kRoot);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges[i].proven = move_proven_[i];
    edges[i].log_prior = uniform;
  }
  DrawGumbels();
  if (root_proven_ != Proven::kUnknown) Finish();
}

bool Search::Impl::Continue(const env::Game& game, const SearchOptions& options,
                            const base::RandomStream& random, nn::EvaluationCache* cache) {
  const bool may_keep = options.root == RootRule::kPuct && open_waves_ == 0 &&
                        options.max_tree_bytes == options_.max_tree_bytes;
  const NodeId root = may_keep ? Follow(game) : NodeId();
  if (!root.valid()) {
    Start(game, options, random, cache);
    return false;
  }
  Begin(game, options, random, cache);
  if (root != kRoot) tree_.Reroot(root);
  root_kept_ = true;
  for (const Edge& edge : tree_.edges(kRoot)) simulations_made_ += static_cast<int>(edge.visits);
  root_proven_ = BestOf(std::as_const(tree_).edges(kRoot));
  DrawGumbels();
  return true;
}

NodeId Search::Impl::Follow(const env::Game& game) const {
  const std::span<const env::Move> played = game_.moves();
  const std::span<const env::Move> wanted = game.moves();
  if (tree_.node_count() == 0 || game.rules() != game_.rules() || wanted.size() < played.size() ||
      !std::equal(played.begin(), played.end(), wanted.begin()))
    return {};
  return tree_.Follow(wanted.subspan(played.size()));
}

void Search::Impl::DrawGumbels() {
  gumbel_.assign(tree_.node(kRoot).edge_count, 0.0F);
  scores_.resize(gumbel_.size());
  if (options_.root != RootRule::kGumbel || !options_.root_noise) return;
  for (float& gumbel : gumbel_) gumbel = static_cast<float>(random_.Gumbel());
}

int Search::Impl::SelectWave(Wave& wave, env::Block& block, int max_simulations) {
  const bool may_open = !wave.open && (open_waves_ == 0 || options_.root == RootRule::kPuct);
  APIARY_CHECK(!done_ && may_open, "SelectWave: done = {}, {} waves open", done_, open_waves_);
  APIARY_CHECK(max_simulations >= 1, "max_simulations = {}", max_simulations);
  const base::ScopedCheckContext context([this] { return env::ToGameString(game_); });
  wave.Clear();
  wave.first = block.positions();
  if (!root_evaluated_) {
    APIARY_CHECK(open_waves_ == 0, "a second wave before the root is evaluated");
    env::GenerateLegalMoves(game_.board(), moves_);
    SendToEvaluator(kRoot, moves_, wave.simulations.emplace_back(), wave, block);
  } else {
    for (int i = 0; i < max_simulations; ++i) {
      const std::optional<std::size_t> move = NextRootMove();
      if (!move || !Simulate(*move, wave, block)) break;
    }
  }
  // With nothing to wait for and nothing on its way the wave opens all the same: its backup ends
  // the round.
  wave.open = !wave.simulations.empty() || open_waves_ == 0;
  open_waves_ += wave.open;
  return block.positions() - wave.first;
}

std::optional<std::size_t> Search::Impl::NextRootMove() {
  // What is proven is known before any evaluation, so a wave ends at the same simulation as one by
  // one would.
  if (root_proven_ != Proven::kUnknown) return std::nullopt;
  if (options_.root == RootRule::kGumbel) return rounds_.Next();
  if (simulations_made_ >= options_.simulations) return std::nullopt;
  table_.Load(tree_, kRoot, DrawValue());
  return SelectByPuct(table_, options_);
}

bool Search::Impl::Simulate(std::size_t root_move, Wave& wave, env::Block& block) {
  Simulation simulation;
  simulation.path_begin = static_cast<std::uint32_t>(wave.path_edges.size());
  EdgeId edge = tree_.edge_id(kRoot, root_move);
  bool expanded = false;
  bool collided = false;
  int plies = 0;
  while (true) {
    collided = tree_.edge(edge).pending == Edge::kMostPending;
    if (collided) break;
    wave.path_edges.push_back(edge);
    if (tree_.edge(edge).proven != Proven::kUnknown) break;
    game_.Apply(tree_.edge(edge).move);
    ++plies;
    const NodeId child = tree_.edge(edge).child;
    if (!child.valid()) {
      simulation.path_end = static_cast<std::uint32_t>(wave.path_edges.size());
      ExpandLeaf(edge, simulation, wave, block);
      expanded = true;
      break;
    }
    // A node that was never grown counts its value once more, if it has one by now.
    const bool never_grown = tree_.node(child).edge_count == 0;
    collided = tree_.node(child).awaited() || (never_grown && tree_.edge(edge).visits == 0);
    if (collided || never_grown) break;
    edge = tree_.edge_id(child, SelectInterior(child));
  }
  for (; plies > 0; --plies) game_.Undo();
  if (collided) {
    wave.path_edges.resize(simulation.path_begin);
    return false;
  }
  simulation.path_end = static_cast<std::uint32_t>(wave.path_edges.size());
  ++simulations_made_;
  wave.simulations.push_back(simulation);
  const std::span<const EdgeId> path = wave.Path(simulation);
  for (const EdgeId followed : path) ++tree_.edge(followed).pending;
  if (expanded && options_.proofs && !simulation.leaf.valid())
    root_proven_ = PropagateProof(path, tree_);
  return true;
}

std::size_t Search::Impl::SelectInterior(NodeId node) {
  table_.Load(tree_, node, DrawValue());
  return options_.interior == InteriorRule::kPuct
             ? SelectByPuct(table_, options_)
             : SelectByImprovedPolicy(table_, options_, logits_);
}

void Search::Impl::ExpandLeaf(EdgeId edge, Simulation& simulation, Wave& wave, env::Block& block) {
  const env::Color mover = env::Opponent(game_.side_to_move());
  const env::Outcome outcome = game_.outcome();
  env::GenerateLegalMoves(game_.board(), moves_);
  if (outcome.over() && outcome.result != env::Result::kUnfinished) {
    const Proven end = FromResult(outcome.result, mover);
    if (options_.proofs) {
      tree_.edge(edge).proven = end;
    } else {
      AddEnd(edge, Flip(end), simulation);
    }
    return;
  }
  if (outcome.over()) {  // capped: an opinion, never a proof, and nothing beyond
    const NodeId leaf = tree_.AddNode({});
    tree_.edge(edge).child = leaf;
    SendToEvaluator(leaf, moves_, simulation, wave, block);
    return;
  }
  if (options_.proofs && env::FindWinInOne(game_.board(), moves_) >= 0) {
    tree_.edge(edge).proven = Proven::kLoss;
    return;
  }
  const Proven proven = MarkMoves();
  if (proven != Proven::kUnknown) {
    tree_.edge(edge).proven = Flip(proven);
    return;
  }
  const NodeId leaf = tree_.AddNode(Span(moves_));
  tree_.edge(edge).child = leaf;
  const std::span<Edge> edges = tree_.edges(leaf);
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i].proven = move_proven_[i];
  SendToEvaluator(leaf, moves_, simulation, wave, block);
}

Proven Search::Impl::MarkMoves() {
  move_proven_.assign(static_cast<std::size_t>(moves_.size()), Proven::kUnknown);
  if (!options_.proofs) return Proven::kUnknown;
  return MarkImmediateEnds(game_.board(), Span(moves_), move_proven_);
}

void Search::Impl::AddEnd(EdgeId edge, Proven end, Simulation& simulation) {
  const NodeId leaf = tree_.AddNode({});
  tree_.edge(edge).child = leaf;
  tree_.node(leaf).set_raw_value_stm(ExactWdl(end).value_stm(DrawValue()));
  simulation.end = end;
}

void Search::Impl::SendToEvaluator(NodeId leaf, const env::MoveList& moves, Simulation& simulation,
                                   Wave& wave, env::Block& block) {
  simulation.leaf = leaf;
  simulation.position = block.positions();
  simulation.first_logit = block.move_count();
  if (cache_ == nullptr) {
    env::Append(game_, moves, env::Symmetry(), block);
  } else {
    const env::CanonicalPosition canonical = env::CanonicalizeEncoding(game_);
    env::Append(game_, moves, canonical.symmetry, block);
    if (Recall(*cache_, canonical.key, block, simulation, wave)) {
      ++remembered_leaves_;
      return block.PopBack();
    }
  }
  ++evaluations_;
}

void Search::Impl::BackupWave(Wave& wave, const nn::Evaluation& evaluation) {
  APIARY_CHECK(wave.open, "BackupWave without a wave");
  const base::ScopedCheckContext context([this] { return env::ToGameString(game_); });
  for (const Simulation& simulation : wave.simulations) {
    const nn::Evaluation& source = simulation.remembered ? wave.remembered : evaluation;
    if (simulation.leaf.valid()) ReadEvaluation(simulation, source);
    if (cache_ != nullptr && simulation.leaf.valid() && !simulation.remembered)
      Remember(*cache_, simulation, wave, evaluation);
    Backup(simulation, wave.Path(simulation), source);
  }
  wave.open = false;
  root_evaluated_ = true;
  if (--open_waves_ == 0) EndWave();
}

void Search::Impl::EndWave() {
  if (root_proven_ != Proven::kUnknown) return Finish();
  if (options_.root == RootRule::kPuct) {
    if (simulations_made_ >= options_.simulations) Finish();
    return;
  }
  if (!rounds_.round_done()) return;
  if (simulations_made_ >= options_.simulations) return Finish();
  table_.Load(tree_, kRoot, DrawValue());
  RootScores(table_, gumbel_, options_, scores_);
  if (!rounds_.BeginRound(table_, options_, scores_)) Finish();
}

void Search::Impl::ReadEvaluation(const Simulation& simulation, const nn::Evaluation& evaluation) {
  const auto position = static_cast<std::size_t>(simulation.position);
  APIARY_CHECK(position < evaluation.wdl.size(), "position {} of {} evaluated ones", position,
               evaluation.wdl.size());
  const nn::Wdl& wdl = evaluation.wdl[position];
  APIARY_CHECK(std::isfinite(wdl.win) && std::isfinite(wdl.draw) && std::isfinite(wdl.loss) &&
                   std::abs(wdl.win + wdl.draw + wdl.loss - 1) < 1e-3F,
               "win, draw, loss = {}, {}, {}", wdl.win, wdl.draw, wdl.loss);
  Node& node = tree_.node(simulation.leaf);
  node.set_raw_value_stm(wdl.value_stm(DrawValue()));
  if (simulation.leaf == kRoot) root_moves_left_ = evaluation.moves_left[position];

  const std::span<Edge> edges = tree_.edges(simulation.leaf);
  if (edges.empty()) return;
  const auto first_logit = static_cast<std::size_t>(simulation.first_logit);
  APIARY_CHECK(first_logit + edges.size() <= evaluation.logits.size(), "logits {} to {} of {}",
               first_logit, first_logit + edges.size(), evaluation.logits.size());
  const std::span<const float> logits(evaluation.logits.data() + first_logit, edges.size());
  APIARY_CHECK(SumOfNonFinite(logits) == 0, "a logit of {} moves is not finite", logits.size());
  logits_.assign(logits.begin(), logits.end());
  softmax_scratch_.resize(logits_.size());
  LogSoftmaxInPlace(logits_, softmax_scratch_);
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i].log_prior = logits_[i];
}

void Search::Impl::Backup(const Simulation& simulation, std::span<const EdgeId> path,
                          const nn::Evaluation& evaluation) {
  if (path.empty() && root_kept_) return;  // the root's own value is among its visits already
  nn::Wdl wdl;                             // of the side to move after path[i - 1]
  if (simulation.leaf.valid()) {
    wdl = evaluation.wdl[static_cast<std::size_t>(simulation.position)];
  } else if (simulation.end != Proven::kUnknown) {
    wdl = ExactWdl(simulation.end);
  } else if (const Edge& last = tree_.edge(path.back()); last.proven == Proven::kUnknown) {
    wdl = AverageWdl(tree_.node(last.child), last.visits);
  }
  for (std::size_t i = path.size(); i > 0; --i) {
    Edge& edge = tree_.edge(path[i - 1]);
    if (edge.proven != Proven::kUnknown) wdl = nn::Flip(ExactWdl(edge.proven));
    --edge.pending;
    ++edge.visits;
    if (edge.child.valid()) {
      tree_.node(edge.child).win_sum += wdl.win;
      tree_.node(edge.child).draw_sum += wdl.draw;
    }
    wdl = nn::Flip(wdl);
  }
  tree_.node(kRoot).win_sum += wdl.win;
  tree_.node(kRoot).draw_sum += wdl.draw;
}

std::size_t Search::Impl::ChooseBest() {
  if (root_proven_ != Proven::kUnknown) return BestProven(table_, root_proven_);
  if (options_.root == RootRule::kPuct) return MostVisited(table_);
  RootScores(table_, gumbel_, options_, scores_);
  return rounds_.Best(table_, scores_);
}

void Search::Impl::Finish() {
  if (done_) return;
  APIARY_CHECK(open_waves_ == 0 && (root_evaluated_ || root_proven_ != Proven::kUnknown),
               "Finish: {} waves open, root evaluated = {}", open_waves_, root_evaluated_);
  done_ = true;
  table_.Load(tree_, kRoot, DrawValue());
  const std::span<const Edge> edges = std::as_const(tree_).edges(kRoot);
  scores_.resize(edges.size());
  RootTarget(table_, root_proven_, options_, scores_);
  FillRootMoves(edges, table_, scores_, result_.moves);
  result_.best = edges[ChooseBest()].move;
  result_.proven = root_proven_;
  result_.root_wdl =
      root_proven_ != Proven::kUnknown
          ? ExactWdl(root_proven_)
          : AverageWdl(tree_.node(kRoot), static_cast<std::uint32_t>(simulations_made_ + 1));
  result_.moves_left = root_moves_left_;
  result_.simulations = simulations_made_;
  result_.evaluations = evaluations_;
  result_.remembered = remembered_leaves_;
}

Search::Search() : impl_(std::make_unique<Impl>()) {}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

void Search::Start(const env::Game& game, const SearchOptions& options,
                   const base::RandomStream& random, nn::EvaluationCache* cache) {
  impl_->Start(game, options, random, cache);
}
bool Search::Continue(const env::Game& game, const SearchOptions& options,
                      const base::RandomStream& random, nn::EvaluationCache* cache) {
  return impl_->Continue(game, options, random, cache);
}
bool Search::done() const { return impl_->done(); }
int Search::SelectWave(env::Block& block) {
  constexpr int kWholeRound = std::numeric_limits<int>::max();
  return impl_->SelectWave(impl_->own_wave(), block,
                           impl_->root_rule() == RootRule::kPuct ? 1 : kWholeRound);
}
int Search::SelectWave(env::Block& block, int max_simulations) {
  return impl_->SelectWave(impl_->own_wave(), block, max_simulations);
}
int Search::SelectWave(Wave& wave, env::Block& block, int max_simulations) {
  return impl_->SelectWave(wave, block, max_simulations);
}
void Search::BackupWave(const nn::Evaluation& evaluation, int first) {
  Wave& wave = impl_->own_wave();
  APIARY_CHECK(!wave.open || first == wave.first,
               "the wave begins at position {} of its block, not at {}", wave.first, first);
  impl_->BackupWave(wave, evaluation);
}
void Search::BackupWave(Wave& wave, const nn::Evaluation& evaluation) {
  impl_->BackupWave(wave, evaluation);
}
void Search::Finish() { impl_->Finish(); }
const SearchResult& Search::result() const {
  APIARY_CHECK(impl_->done(), "the result of an unfinished search was asked for");
  return impl_->result();
}
std::uint64_t Search::tree_bytes() const { return impl_->tree().bytes(); }
const Tree& Search::tree() const { return impl_->tree(); }

}  // namespace apiary::mcts
