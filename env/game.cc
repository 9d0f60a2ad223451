#include "env/game.h"

#include <algorithm>

#include "base/contains.h"

namespace apiary::env {
namespace {

std::uint16_t Tag(std::uint64_t hash) { return static_cast<std::uint16_t>(hash); }

}  // namespace

Game::Game(const Rules& rules) { Restart(rules); }

void Game::LegalMoves(MoveList& moves) const {
  if (outcome_.over()) {
    moves.clear();
    return;
  }
  GenerateLegalMoves(board_, moves);
}

void Game::Apply(Move move) {
  APIARY_CHECK(!outcome_.over(), "a move is played after the end of the game ({})",
               ToString(outcome_.result));
  const int reversible_before = history_.empty() ? 0 : history_.back().reversible_plies;
  const bool placement = !move.is_pass() && board_.in_hand(move.piece());
  Entry entry{};
  entry.undo = board_.Apply(move);
  entry.mark = board_.moved_last().valid() ? move.destination() : kNoCell;
  entry.reversible_plies = placement ? 0 : reversible_before + 1;
  entry.occurrences = rules().repetition == 0 ? 1 : CountOccurrences(entry);
  outcome_ = board_.SurroundOutcome();
  if (!outcome_.over() && rules().repetition != 0 && entry.occurrences >= rules().repetition) {
    outcome_ = {Result::kDraw, Reason::kRepetition};
  }
  if (!outcome_.over() && rules().max_plies != 0 && ply() >= rules().max_plies) {
    outcome_ = {Result::kUnfinished, Reason::kCap};
  }
  history_.push_back(entry);
  tags_.push_back(Tag(board_.hash()));
  moves_.push_back(move);
}

void Game::Undo() {
  APIARY_CHECK(!history_.empty(), "there is no move to take back");
  board_.Undo(history_.back().undo);
  history_.pop_back();
  tags_.pop_back();
  moves_.pop_back();
  outcome_ = {};
}

void Game::Restart(const Rules& rules) {
  APIARY_CHECK(rules.repetition == 0 || rules.repetition >= 2, "rules.repetition = {}",
               rules.repetition);
  APIARY_CHECK(rules.max_plies >= 0, "rules.max_plies = {}", rules.max_plies);
  board_ = Board(rules);
  outcome_ = {};
  history_.clear();
  tags_.clear();
  moves_.clear();
}

void Game::Reserve(int plies) {
  history_.reserve(static_cast<std::size_t>(plies));
  tags_.reserve(static_cast<std::size_t>(plies));
  moves_.reserve(static_cast<std::size_t>(plies));
}

int Game::CountOccurrences(const Entry& entry) const {
  // Placements are never undone, so that no position before the last one can come back.
  const auto reversible = std::min(tags_.size(), static_cast<std::size_t>(entry.reversible_plies));
  if (!base::Contains(std::span<const std::uint16_t>(tags_).last(reversible), Tag(board_.hash())))
    return 1;
  // The position k plies ago is number size - k of the history, and the hash before the move after
  // it. The side to move is the same every second ply.
  const auto size = static_cast<std::ptrdiff_t>(tags_.size());
  const auto oldest = size - static_cast<std::ptrdiff_t>(reversible);
  for (std::ptrdiff_t i = size - 2; i >= oldest; i -= 2) {
    const auto at = static_cast<std::size_t>(i);
    if (history_[at + 1].undo.hash == board_.hash() && SameMark(history_[at].mark, entry.mark))
      return history_[at].occurrences + 1;
  }
  return 1;
}

bool Game::SameMark(Cell a, Cell b) const {
  if (a == b) return true;
  const auto matters = [this](Cell cell) {
    return cell.valid() && MarkMatters(board_, board_.top(cell));
  };
  return !matters(a) && !matters(b);
}

}  // namespace apiary::env
