#include "mcts/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"
#include "env/movegen.h"
#include "env/notation.h"
#include "mcts/edge_table.h"
#include "mcts/halving.h"
#include "mcts/interior.h"
#include "mcts/proven.h"
#include "mcts/root_rules.h"
#include "mcts/softmax.h"
#include "mcts/tree.h"

namespace apiary::mcts {

namespace {

// One simulation of the open wave: the edges it followed and what is to be backed up from its end.
struct Simulation {
  std::uint32_t path_begin = 0;  // into Impl::path_edges_; empty: the root itself
  std::uint32_t path_end = 0;
  NodeId leaf;  // to be filled from the evaluation; invalid: nothing was sent to the evaluator
  // Of the leaf: where its evaluation is, in that of the block or among the remembered ones.
  bool remembered = false;
  std::int32_t position = -1;
  std::int32_t first_logit = -1;
  // With a cache, of a leaf in the block: what its evaluation is to be remembered by.
  env::PositionKey key;
  std::uint32_t rank_begin = 0;  // into Impl::ranks_
  std::uint32_t rank_end = 0;
};

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
  void Start(const env::Game& game, const SearchOptions& options, const base::RandomStream& random,
             nn::EvaluationCache* cache);
  int SelectWave(env::Block& block, int max_simulations);
  void BackupWave(const nn::Evaluation& evaluation, int first);
  void Finish();

  bool done() const { return done_; }
  bool wave_open() const { return wave_open_; }
  const SearchResult& result() const { return result_; }
  const Tree& tree() const { return tree_; }

 private:
  void Simulate(std::size_t root_move, env::Block& block);
  std::size_t SelectInterior(NodeId node);
  // Grows the tree at `edge`, whose move was just played on game_, or proves the edge.
  void ExpandLeaf(EdgeId edge, Simulation& simulation, env::Block& block);
  void SendToEvaluator(NodeId leaf, const env::MoveList& moves, Simulation& simulation,
                       env::Block& block);
  // Whether the cache knows the leaf that is the last of the block; else how to tell the cache.
  bool Remember(const env::PositionKey& key, Simulation& simulation, const env::Block& block);
  void TellCache(const Simulation& simulation, const nn::Evaluation& evaluation);
  void PropagateProof(const Simulation& simulation);
  void ReadEvaluation(const Simulation& simulation, const nn::Evaluation& evaluation);
  void Backup(const Simulation& simulation, const nn::Evaluation& evaluation);
  // After a wave: chooses what the next round visits, or finishes.
  void PrepareRound();
  void DrawGumbels();
  std::size_t ChooseBest();

  std::span<const EdgeId> Path(const Simulation& simulation) const {
    return std::span(path_edges_)
        .subspan(simulation.path_begin, simulation.path_end - simulation.path_begin);
  }

  env::Game game_;
  SearchOptions options_;
  base::RandomStream random_{0};
  nn::EvaluationCache* cache_ = nullptr;
  Tree tree_;
  Proven root_proven_ = Proven::kUnknown;
  bool root_evaluated_ = false;
  bool done_ = true;
  bool wave_open_ = false;

  // Root rule: the moves of this round, in order of visiting; `cursor_` is the next one.
  std::vector<std::size_t> survivors_;
  std::size_t cursor_ = 0;
  std::vector<HalvingRound> schedule_;
  std::pair<int, int> schedule_of_{-1, -1};  // considered and simulations that schedule_ is for
  std::size_t round_ = 0;
  int simulations_made_ = 0;
  int evaluations_ = 0;
  int remembered_leaves_ = 0;
  float root_moves_left_ = 0;
  std::vector<float> gumbel_;  // [root moves]
  std::vector<float> scores_;  // [root moves]

  // The open wave.
  std::vector<Simulation> wave_;
  std::vector<EdgeId> path_edges_;
  std::int32_t wave_first_ = 0;
  nn::Evaluation remembered_;         // of the leaves that the cache knew
  std::vector<std::uint16_t> ranks_;  // of the moves of the others, one after the other

  // Scratch.
  EdgeTable table_;
  env::MoveList moves_;
  std::vector<Proven> move_proven_;
  std::vector<float> logits_;
  std::vector<float> softmax_scratch_;
  SearchResult result_;
};

void Search::Impl::Start(const env::Game& game, const SearchOptions& options,
                         const base::RandomStream& random, nn::EvaluationCache* cache) {
  APIARY_CHECK(!game.outcome().over(), "a search of a finished game: {}", env::ToGameString(game));
  APIARY_CHECK(options.simulations >= 0 && options.considered >= 1,
               "simulations = {}, considered = {}", options.simulations, options.considered);
  game_ = game;
  options_ = options;
  random_ = random;
  cache_ = cache;
  root_evaluated_ = done_ = wave_open_ = false;
  survivors_.clear();
  cursor_ = round_ = 0;
  simulations_made_ = evaluations_ = remembered_leaves_ = 0;
  tree_.Reset(options.max_tree_bytes);

  env::GenerateLegalMoves(game_.board(), moves_);
  APIARY_CHECK(!moves_.empty(), "no legal move, not even pass: {}", env::ToGameString(game));
  tree_.AddNode(Span(moves_));
  move_proven_.resize(static_cast<std::size_t>(moves_.size()));
  root_proven_ = MarkImmediateEnds(game_.board(), Span(moves_), move_proven_);
  const float uniform = -std::log(static_cast<float>(moves_.size()));
  const std::span<Edge> edges = tree_.edges(kRoot);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges[i].proven = move_proven_[i];
    edges[i].log_prior = uniform;
  }
  root_moves_left_ = 1;  // replaced by the net's unless the next move ends the game
  DrawGumbels();
  if (root_proven_ != Proven::kUnknown) Finish();
}

void Search::Impl::DrawGumbels() {
  gumbel_.assign(tree_.node(kRoot).edge_count, 0.0F);
  scores_.resize(gumbel_.size());
  if (options_.root != RootRule::kGumbel || !options_.root_noise) return;
  for (float& gumbel : gumbel_) gumbel = static_cast<float>(random_.Gumbel());
}

int Search::Impl::SelectWave(env::Block& block, int max_simulations) {
  APIARY_CHECK(!done_ && !wave_open_, "SelectWave: done = {}, wave open = {}", done_, wave_open_);
  APIARY_CHECK(max_simulations >= 1, "max_simulations = {}", max_simulations);
  const base::ScopedCheckContext context([this] { return env::ToGameString(game_); });
  wave_open_ = true;
  wave_.clear();
  path_edges_.clear();
  ranks_.clear();
  remembered_.logits.clear();
  remembered_.wdl.clear();
  remembered_.moves_left.clear();
  wave_first_ = block.positions();
  if (!root_evaluated_) {
    env::GenerateLegalMoves(game_.board(), moves_);
    SendToEvaluator(kRoot, moves_, wave_.emplace_back(), block);
  } else {
    // What is proven is known before any evaluation, so a wave ends at the same simulation as one
    // by one would.
    for (int i = 0;
         i < max_simulations && cursor_ < survivors_.size() && root_proven_ == Proven::kUnknown;
         ++i)
      Simulate(survivors_[cursor_++], block);
  }
  return block.positions() - wave_first_;
}

void Search::Impl::Simulate(std::size_t root_move, env::Block& block) {
  ++simulations_made_;
  Simulation& simulation = wave_.emplace_back();
  simulation.path_begin = static_cast<std::uint32_t>(path_edges_.size());
  EdgeId edge = tree_.edge_id(kRoot, root_move);
  bool expanded = false;
  int plies = 0;
  while (true) {
    path_edges_.push_back(edge);
    if (tree_.edge(edge).proven != Proven::kUnknown) break;
    game_.Apply(tree_.edge(edge).move);
    ++plies;
    const NodeId child = tree_.edge(edge).child;
    if (!child.valid()) {
      simulation.path_end = static_cast<std::uint32_t>(path_edges_.size());
      ExpandLeaf(edge, simulation, block);
      expanded = true;
      break;
    }
    if (tree_.node(child).edge_count == 0) break;  // never grown: its value counts once more
    edge = tree_.edge_id(child, SelectInterior(child));
  }
  simulation.path_end = static_cast<std::uint32_t>(path_edges_.size());
  for (; plies > 0; --plies) game_.Undo();
  if (expanded && !simulation.leaf.valid()) PropagateProof(simulation);
}

std::size_t Search::Impl::SelectInterior(NodeId node) {
  table_.Load(tree_, node);
  return options_.interior == InteriorRule::kPuct
             ? SelectByPuct(table_, options_)
             : SelectByImprovedPolicy(table_, options_, logits_);
}

void Search::Impl::ExpandLeaf(EdgeId edge, Simulation& simulation, env::Block& block) {
  const env::Color mover = env::Opponent(game_.side_to_move());
  const env::Outcome outcome = game_.outcome();
  env::GenerateLegalMoves(game_.board(), moves_);
  if (outcome.over() && outcome.result != env::Result::kUnfinished) {
    tree_.edge(edge).proven = FromResult(outcome.result, mover);
    return;
  }
  if (outcome.over()) {  // capped: an opinion, never a proof, and nothing beyond
    const NodeId leaf = tree_.AddNode({});
    tree_.edge(edge).child = leaf;
    SendToEvaluator(leaf, moves_, simulation, block);
    return;
  }
  if (env::FindWinInOne(game_.board(), moves_) >= 0) {
    tree_.edge(edge).proven = Proven::kLoss;
    return;
  }
  move_proven_.resize(static_cast<std::size_t>(moves_.size()));
  const Proven proven = MarkImmediateEnds(game_.board(), Span(moves_), move_proven_);
  if (proven != Proven::kUnknown) {
    tree_.edge(edge).proven = Flip(proven);
    return;
  }
  const NodeId leaf = tree_.AddNode(Span(moves_));
  tree_.edge(edge).child = leaf;
  const std::span<Edge> edges = tree_.edges(leaf);
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i].proven = move_proven_[i];
  SendToEvaluator(leaf, moves_, simulation, block);
}

void Search::Impl::SendToEvaluator(NodeId leaf, const env::MoveList& moves, Simulation& simulation,
                                   env::Block& block) {
  simulation.leaf = leaf;
  simulation.position = block.positions();
  simulation.first_logit = block.move_count();
  if (cache_ == nullptr) {
    env::Append(game_, moves, env::Symmetry(), block);
  } else {
    const env::CanonicalPosition canonical = env::CanonicalizeEncoding(game_);
    env::Append(game_, moves, canonical.symmetry, block);
    if (Remember(canonical.key, simulation, block)) return block.PopBack();
  }
  ++evaluations_;
}

bool Search::Impl::Remember(const env::PositionKey& key, Simulation& simulation,
                            const env::Block& block) {
  const std::size_t begin = ranks_.size();
  const auto moves = std::span<const env::EncodedMove>(block.moves)
                         .subspan(static_cast<std::size_t>(simulation.first_logit));
  ranks_.resize(begin + moves.size());
  const std::span<std::uint16_t> ranks = std::span(ranks_).subspan(begin);
  env::RankMoves(moves, block.row_begin[block.row_begin.size() - 2], ranks);
  const auto position = static_cast<std::int32_t>(remembered_.wdl.size());
  const auto first_logit = static_cast<std::int32_t>(remembered_.logits.size());
  if (!cache_->Find(key, ranks, remembered_)) {
    simulation.key = key;
    simulation.rank_begin = static_cast<std::uint32_t>(begin);
    simulation.rank_end = static_cast<std::uint32_t>(ranks_.size());
    return false;
  }
  ranks_.resize(begin);
  simulation.remembered = true;
  simulation.position = position;
  simulation.first_logit = first_logit;
  ++remembered_leaves_;
  return true;
}

void Search::Impl::TellCache(const Simulation& simulation, const nn::Evaluation& evaluation) {
  const auto position = static_cast<std::size_t>(simulation.position);
  const std::size_t moves = simulation.rank_end - simulation.rank_begin;
  cache_->Insert(simulation.key, std::span(ranks_).subspan(simulation.rank_begin, moves),
                 evaluation.wdl[position], evaluation.moves_left[position],
                 std::span(evaluation.logits)
                     .subspan(static_cast<std::size_t>(simulation.first_logit), moves));
}

void Search::Impl::PropagateProof(const Simulation& simulation) {
  const std::span<const EdgeId> path = Path(simulation);
  for (std::size_t i = path.size() - 1; i > 0; --i) {
    Edge& into = tree_.edge(path[i - 1]);
    const Proven proven = BestOf(std::as_const(tree_).edges(into.child));
    if (proven == Proven::kUnknown) return;
    into.proven = Flip(proven);
  }
  root_proven_ = BestOf(std::as_const(tree_).edges(kRoot));
}

void Search::Impl::BackupWave(const nn::Evaluation& evaluation, int first) {
  APIARY_CHECK(wave_open_, "BackupWave without a wave");
  APIARY_CHECK(first == wave_first_, "the wave begins at position {} of its block, not at {}",
               wave_first_, first);
  const base::ScopedCheckContext context([this] { return env::ToGameString(game_); });
  for (const Simulation& simulation : wave_) {
    const nn::Evaluation& source = simulation.remembered ? remembered_ : evaluation;
    if (simulation.leaf.valid()) ReadEvaluation(simulation, source);
    if (cache_ != nullptr && simulation.leaf.valid() && !simulation.remembered)
      TellCache(simulation, evaluation);
    Backup(simulation, source);
  }
  wave_open_ = false;
  root_evaluated_ = true;
  if (root_proven_ != Proven::kUnknown) {
    Finish();
  } else if (cursor_ == survivors_.size()) {
    PrepareRound();
  }
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
  node.set_raw_value_stm(wdl.value_stm());
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

void Search::Impl::Backup(const Simulation& simulation, const nn::Evaluation& evaluation) {
  const std::span<const EdgeId> path = Path(simulation);
  nn::Wdl wdl;  // of the side to move after path[i - 1]
  if (simulation.leaf.valid()) {
    wdl = evaluation.wdl[static_cast<std::size_t>(simulation.position)];
  } else if (const Edge& last = tree_.edge(path.back()); last.proven == Proven::kUnknown) {
    wdl = AverageWdl(tree_.node(last.child), last.visits);
  }
  for (std::size_t i = path.size(); i > 0; --i) {
    Edge& edge = tree_.edge(path[i - 1]);
    if (edge.proven != Proven::kUnknown) wdl = nn::Flip(ExactWdl(edge.proven));
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

void Search::Impl::PrepareRound() {
  if (simulations_made_ >= options_.simulations) return Finish();
  table_.Load(tree_, kRoot);
  cursor_ = 0;
  if (options_.root == RootRule::kPuct) {
    survivors_.assign(1, SelectByPuct(table_, options_));
    return;
  }
  if (round_ == 0) {
    const auto lost = std::count(table_.proven.begin(), table_.proven.end(), Proven::kLoss);
    const int candidates = static_cast<int>(table_.size()) - static_cast<int>(lost);
    const std::pair<int, int> wanted{std::min(options_.considered, candidates),
                                     options_.simulations};
    if (schedule_of_ != wanted) schedule_ = HalvingSchedule(wanted.first, wanted.second);
    schedule_of_ = wanted;
  }
  if (round_ == schedule_.size()) return Finish();
  RootScores(table_, gumbel_, options_, scores_);
  KeepSurvivors(table_, scores_, static_cast<std::size_t>(schedule_[round_++].survivors),
                survivors_);
}

std::size_t Search::Impl::ChooseBest() {
  if (root_proven_ != Proven::kUnknown) return BestProven(table_, root_proven_);
  if (options_.root == RootRule::kPuct) return MostVisited(table_);
  RootScores(table_, gumbel_, options_, scores_);
  KeepSurvivors(table_, scores_, std::max<std::size_t>(1, survivors_.size()), survivors_);
  return BestSurvivor(table_, scores_, survivors_);
}

void Search::Impl::Finish() {
  if (done_) return;
  APIARY_CHECK(!wave_open_ && (root_evaluated_ || root_proven_ != Proven::kUnknown),
               "Finish: wave open = {}, root evaluated = {}", wave_open_, root_evaluated_);
  done_ = true;
  table_.Load(tree_, kRoot);
  const std::span<const Edge> edges = std::as_const(tree_).edges(kRoot);
  scores_.resize(edges.size());
  RootTarget(table_, root_proven_, options_, scores_);
  result_.moves.resize(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    const bool known = edge.visits > 0 || edge.proven != Proven::kUnknown;
    result_.moves[i] = {.move = edge.move,
                        .prior = ExpNonPositive(edge.log_prior),
                        .visits = edge.visits,
                        .q = known ? table_.completed_q[i] : 0.0F,
                        .proven = edge.proven,
                        .improved = scores_[i]};
  }
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
bool Search::done() const { return impl_->done(); }
int Search::SelectWave(env::Block& block) {
  return impl_->SelectWave(block, std::numeric_limits<int>::max());
}
int Search::SelectWave(env::Block& block, int max_simulations) {
  return impl_->SelectWave(block, max_simulations);
}
void Search::BackupWave(const nn::Evaluation& evaluation, int first) {
  impl_->BackupWave(evaluation, first);
}
void Search::Finish() { impl_->Finish(); }
const SearchResult& Search::result() const {
  APIARY_CHECK(impl_->done(), "the result of an unfinished search was asked for");
  return impl_->result();
}
std::uint64_t Search::tree_bytes() const { return impl_->tree().bytes(); }
const Tree& Search::tree() const { return impl_->tree(); }

SearchResult RunSearch(const env::Game& game, const SearchOptions& options,
                       const base::RandomStream& random, nn::Evaluator& evaluator,
                       nn::EvaluationCache* cache) {
  Search search;
  search.Start(game, options, random, cache);
  env::Block block;
  nn::Evaluation evaluation;
  while (!search.done()) {
    block.Clear();
    if (search.SelectWave(block) > 0) evaluator.Evaluate(block, evaluation);
    search.BackupWave(evaluation, 0);
  }
  return search.result();
}

}  // namespace apiary::mcts
