#include "play/crosscheck_game.h"

#include <algorithm>

#include "base/text.h"
#include "env/notation.h"

namespace apiary::play {
namespace {

// How an engine says the game stands: the second and third field of its GameString.
struct ClaimedState {
  std::string state;
  std::string turn;
  friend bool operator==(const ClaimedState&, const ClaimedState&) = default;
};

std::optional<ClaimedState> ReadState(const UhpAnswer& answer) {
  if (answer.lines.empty()) return std::nullopt;
  const std::vector<std::string_view> fields = base::SplitFields(answer.lines.front());
  if (fields.size() < 3) return std::nullopt;
  return ClaimedState{std::string(fields[1]), std::string(fields[2])};
}

ClaimedState OurState(const env::Game& game) {
  return {game.ply() == 0 ? "NotStarted" : std::string(env::ToString(game.outcome().result)),
          env::TurnString(game.board())};
}

class CrosscheckRun {
 public:
  CrosscheckRun(UhpClient& engine, const CrosscheckPlay& play, base::RandomStream& random)
      : engine_(engine), play_(play), random_(random), game_(play.rules) {}

  base::Result<CrosscheckGame> Play() {
    result_.counts.games = 1;
    const std::string type = env::ToString(play_.rules.variant);
    auto goes_on = AskState("newgame " + type);
    while (goes_on && *goes_on && game_.ply() < play_.max_plies) {
      auto compared = CompareMoves();
      if (!compared) return Explain(compared.failure());
      if (!*compared || agreed_.empty()) break;
      goes_on = PlayMove();
    }
    if (!goes_on) return Explain(goes_on.failure());
    return std::move(result_);
  }

 private:
  base::Failure Explain(const base::Failure& failure) const {
    return base::Fail("{}; the position: {}", failure.message, env::ToGameString(game_));
  }

  void Differ(Difference difference) {
    ++result_.counts.differences;
    if (result_.first) return;
    difference.game_string = env::ToGameString(game_);
    result_.first = std::move(difference);
  }
  void Differ(std::string what) { Differ(Difference{std::move(what), {}, {}, {}}); }

  // Sends a command that is answered by a GameString and compares how the game stands. False: the
  // game ends here.
  base::Result<bool> AskState(const std::string& command) {
    auto answer = engine_.Ask(command);
    if (!answer) return answer.failure();
    if (!answer->ok()) {
      Differ(fmt::format("the engine refuses '{}': {}", command, answer->message));
      return false;
    }
    const std::optional<ClaimedState> theirs = ReadState(*answer);
    if (!theirs)
      return base::Fail("the engine '{}' answers '{}' without a GameString", engine_.name(),
                        command);
    const ClaimedState ours = OurState(game_);
    if (*theirs == ours) return !game_.outcome().over();
    if (theirs->state == "Draw" && !game_.outcome().over() && OccurredBefore()) {
      ++result_.counts.foreign_ends;
    } else {
      Differ(fmt::format("ours says {} {}, the engine {} {}", ours.state, ours.turn, theirs->state,
                         theirs->turn));
    }
    return false;
  }

  // The arrangement on the board, whichever piece moved last, stood there before with the same side
  // to move: what any rule of repetition asks for at least.
  bool OccurredBefore() const {
    return std::find(hashes_.begin(), hashes_.end(), game_.board().hash()) != hashes_.end();
  }

  // Compares both lists; the moves of both are in agreed_. False: the engine has no list.
  base::Result<bool> CompareMoves() {
    agreed_.clear();
    auto answer = engine_.Ask("validmoves");
    if (!answer) return answer.failure();
    if (!answer->ok()) {
      Differ("the engine refuses 'validmoves': " + answer->message);
      return false;
    }
    env::MoveList ours;
    game_.LegalMoves(ours);
    ++result_.counts.positions;
    result_.counts.moves += ours.size();
    Difference difference;
    for (const std::string& line : answer->lines) {
      for (const std::string_view text : base::SplitFields(line)) ReadTheirs(text, difference);
    }
    for (const env::Move move : ours) {
      if (std::find(agreed_.begin(), agreed_.end(), move) == agreed_.end())
        difference.only_ours.push_back(env::MoveToString(game_.board(), move));
    }
    if (!difference.only_ours.empty() || !difference.only_theirs.empty()) {
      difference.what = fmt::format("{} moves are only ours, {} only the engine's",
                                    difference.only_ours.size(), difference.only_theirs.size());
      Differ(std::move(difference));
    }
    return true;
  }

  void ReadTheirs(std::string_view text, Difference& difference) {
    const base::Result<env::Move> move = env::ParseMove(game_, text);
    if (!move) {
      difference.only_theirs.push_back(move.error());
    } else if (std::find(agreed_.begin(), agreed_.end(), *move) != agreed_.end()) {
      ++result_.counts.duplicates;
    } else {
      agreed_.push_back(*move);
    }
  }

  // Which of the agreed moves is drawn must not depend on the order of the engine's list.
  env::Move Draw() {
    std::sort(agreed_.begin(), agreed_.end(),
              [](env::Move a, env::Move b) { return a.bits() < b.bits(); });
    const auto weight = [this](env::Move move) {
      return play_.climb ? ClimbWeight(game_.board(), move) : 1U;
    };
    std::uint32_t total = 0;
    for (const env::Move move : agreed_) total += weight(move);
    std::uint32_t left = random_.Below(total);
    for (const env::Move move : agreed_) {
      if (left < weight(move)) return move;
      left -= weight(move);
    }
    base::CheckFailed(__FILE__, __LINE__, "left", "no move was drawn");
  }

  base::Result<bool> PlayMove() {
    const env::Move move = Draw();
    const std::string text = env::MoveToString(game_.board(), move);
    hashes_.push_back(game_.board().hash());
    game_.Apply(move);
    return AskState(move.is_pass() ? "pass" : "play " + text);
  }

  UhpClient& engine_;
  const CrosscheckPlay& play_;
  base::RandomStream& random_;
  env::Game game_;
  CrosscheckGame result_;
  std::vector<std::uint64_t> hashes_;  // of the positions before the one on the board
  std::vector<env::Move> agreed_;
};

}  // namespace

CrosscheckCounts& CrosscheckCounts::operator+=(const CrosscheckCounts& other) {
  games += other.games;
  positions += other.positions;
  moves += other.moves;
  differences += other.differences;
  duplicates += other.duplicates;
  foreign_ends += other.foreign_ends;
  return *this;
}

base::Result<CrosscheckGame> PlayCrosscheckGame(UhpClient& engine, const CrosscheckPlay& play,
                                                base::RandomStream& random) {
  APIARY_CHECK(play.rules.repetition == 0, "repetition = {}", play.rules.repetition);
  return CrosscheckRun(engine, play, random).Play();
}

std::uint32_t ClimbWeight(const env::Board& board, env::Move move) {
  constexpr std::uint32_t kPlain = 1, kAgile = 4, kRare = 12;
  if (move.is_pass()) return kPlain;
  const env::PieceId piece = move.piece();
  const env::PieceType type = piece.type();
  const bool agile = type == env::PieceType::kBeetle || type == env::PieceType::kMosquito ||
                     type == env::PieceType::kLadybug || type == env::PieceType::kPillbug;
  if (board.in_hand(piece)) return agile ? kAgile : kPlain;
  const bool thrown = piece.color() != board.side_to_move();
  const bool stacked = board.height(board.cell(piece)) > 1 || board.height(move.destination()) > 0;
  if (thrown || stacked) return kRare;
  return agile ? kAgile : kPlain;
}

}  // namespace apiary::play
