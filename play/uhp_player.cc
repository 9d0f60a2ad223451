#include "play/uhp_player.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "env/notation.h"

namespace apiary::play {
namespace {

constexpr int kStarts = 3;  // attempts before an engine that ran before is given up

bool IsPrefix(std::span<const env::Move> start, std::span<const env::Move> whole) {
  return start.size() <= whole.size() && std::equal(start.begin(), start.end(), whole.begin());
}

}  // namespace

UhpPlayer::UhpPlayer(const UhpSpec& spec, const EngineLimits& limits,
                     std::unique_ptr<UhpClient> client)
    : spec_(spec), limits_(limits), engine_name_(client->name()) {
  sessions_.push_back({.client = std::move(client), .game = std::nullopt});
}

base::Result<std::unique_ptr<Player>> UhpPlayer::Make(const UhpSpec& spec,
                                                      const EngineLimits& limits) {
  APIARY_CHECK(!spec.go.empty(), "engine {} without a limit", spec.text);
  static const base::StopToken never;  // never set
  EngineLimits own = limits;
  if (own.stop == nullptr) own.stop = &never;
  auto client = UhpClient::Start(spec, own.timeout, *own.stop);
  if (!client) return client.failure();
  return std::unique_ptr<Player>(new UhpPlayer(spec, own, *std::move(client)));
}

base::Result<void> UhpPlayer::CheckRules(const env::Rules& rules) const {
  if (rules.first_player != env::Color::kWhite)
    return base::Fail("engine '{}': the protocol has no game that Black begins", spec_.text);
  for (const Session& session : sessions_) {
    if (session.client && !session.client->Supports(rules.variant))
      return base::Fail("engine '{}' ({}) does not play {}", spec_.text, engine_name_,
                        env::ToString(rules.variant));
  }
  return {};
}

std::string UhpPlayer::name() const { return fmt::format("{} ({})", engine_name_, spec_.go); }

void UhpPlayer::ChooseMoves(std::span<const env::Game* const> games, std::span<base::RandomStream>,
                            std::span<env::Move> moves) {
  faults_.clear();
  for (std::size_t i = 0; i < games.size(); ++i) {
    Choice choice = Choose(SessionOf(*games[i], games.size()), *games[i]);
    if (choice.move) moves[i] = *choice.move;
    if (!choice.fault) continue;
    choice.fault->game = i;
    choice.fault->moved = choice.move.has_value();
    faults_.push_back(*std::move(choice.fault));
  }
}

UhpPlayer::Session& UhpPlayer::SessionOf(const env::Game& game, std::size_t games) {
  const auto known = [&game](const Session& session) {
    const bool knows = session.game && session.game->rules() == game.rules() &&
                       IsPrefix(session.game->moves(), game.moves());
    return knows ? session.game->ply() : -1;
  };
  // The two games of a pair begin alike, and a process plays one of them.
  while (sessions_.size() < games) sessions_.emplace_back();
  Session* best = &sessions_[0];
  for (Session& session : sessions_) {
    const int ply = known(session);
    const int best_ply = known(*best);
    if (ply > best_ply || (ply == best_ply && session.last_used < best->last_used)) best = &session;
  }
  best->last_used = ++uses_;
  return *best;
}

UhpPlayer::Choice UhpPlayer::Choose(Session& session, const env::Game& game) {
  if (auto fault = Follow(session, game)) return {std::nullopt, std::move(fault)};
  const auto timeout = limits_.timeout + std::chrono::seconds(spec_.seconds);
  const std::string command = "bestmove " + spec_.go;
  auto answer = session.client->Ask(command, timeout);
  if (!answer) return {std::nullopt, GiveUp(session, answer.error())};
  if (!answer->ok() || answer->lines.empty())
    return {std::nullopt, Broken(session, FaultKind::kProtocol,
                                 fmt::format("answers '{}' by {}", command,
                                             answer->ok() ? "nothing" : answer->lines.back()))};
  const base::Result<env::Move> move = env::ParseMove(game, answer->lines.back());
  if (!move) return {std::nullopt, Broken(session, FaultKind::kIllegalMove, move.error())};
  env::Game after = game;
  after.Apply(*move);
  if (after.outcome().over()) return {*move, std::nullopt};
  return {*move, Play(session, *move)};
}

std::optional<Fault> UhpPlayer::Follow(Session& session, const env::Game& game) {
  StartIfNeeded(session);
  if (!session.client) return Fault{.kind = FaultKind::kStopped, .what = {}};
  const bool knows = session.game && session.game->rules() == game.rules() &&
                     IsPrefix(session.game->moves(), game.moves());
  if (!knows) {
    if (auto fault = BeginGame(session, game.rules())) return fault;
  }
  while (session.game->ply() < game.ply()) {
    const env::Move move = game.moves()[static_cast<std::size_t>(session.game->ply())];
    if (auto fault = Play(session, move)) return fault;
  }
  return std::nullopt;
}

std::optional<Fault> UhpPlayer::BeginGame(Session& session, const env::Rules& rules) {
  session.game.reset();
  if (auto fault = AskState(session, "newgame " + env::ToString(rules.variant))) return fault;
  session.game.emplace(rules);
  return std::nullopt;
}

std::optional<Fault> UhpPlayer::Play(Session& session, env::Move move) {
  const std::string text = env::MoveToString(session.game->board(), move);
  session.game->Apply(move);
  return AskState(session, move.is_pass() ? "pass" : "play " + text);
}

std::optional<Fault> UhpPlayer::AskState(Session& session, const std::string& command) {
  auto answer = session.client->Ask(command);
  if (!answer) return GiveUp(session, answer.error());
  if (!answer->ok())
    return Broken(session, FaultKind::kProtocol,
                  fmt::format("refuses '{}': {}", command, answer->message));
  const auto fields = answer->lines.empty() ? std::vector<std::string_view>()
                                            : base::SplitFields(answer->lines.front());
  if (fields.size() < 2)
    return Broken(session, FaultKind::kProtocol,
                  fmt::format("answers '{}' without a GameString", command));
  const std::string state = base::ToLower(fields[1]);
  if (state == "draw" || state == "whitewins" || state == "blackwins")
    return Broken(session, FaultKind::kForeignEnd,
                  fmt::format("says {} after '{}', where the game goes on", fields[1], command));
  return std::nullopt;
}

void UhpPlayer::StartIfNeeded(Session& session) {
  if (session.client) return;
  session.game.reset();
  std::string why;
  for (int attempt = 0; attempt < kStarts && !limits_.stop->requested(); ++attempt) {
    auto client = UhpClient::Start(spec_, limits_.timeout, *limits_.stop);
    if (client) {
      session.client = *std::move(client);
      return;
    }
    why = client.error();
  }
  if (!limits_.stop->requested()) throw Error(why);
}

Fault UhpPlayer::GiveUp(Session& session, const std::string& what) {
  const UhpClient::Trouble trouble = session.client->trouble();
  session.client.reset();
  session.game.reset();
  switch (trouble) {
    case UhpClient::Trouble::kTimeout:
      return {.kind = FaultKind::kTimeout, .what = what};
    case UhpClient::Trouble::kStopped:
      return {.kind = FaultKind::kStopped, .what = what};
    case UhpClient::Trouble::kNonsense:
      return {.kind = FaultKind::kProtocol, .what = what};
    case UhpClient::Trouble::kEnded:
    case UhpClient::Trouble::kNone:
      break;
  }
  return {.kind = FaultKind::kCrash, .what = what};
}

Fault UhpPlayer::Broken(Session& session, FaultKind kind, const std::string& what) {
  session.game.reset();  // the next game begins anew
  return {.kind = kind, .what = fmt::format("engine '{}': {}", spec_.text, what)};
}

}  // namespace apiary::play
