#include "play/uhp_engine.h"

#include <array>
#include <charconv>
#include <ostream>

#include "base/text.h"
#include "env/notation.h"

namespace apiary::play {
namespace {

constexpr int kMaxDepth = 15;  // bestmove depth: 32 x 2^15 is a million simulations
constexpr int kMaxPerftDepth = 12;
constexpr int kDefaultPerftDepth = 4;

// "hh:mm:ss", with a fraction of a second if wanted.
std::optional<double> ParseDuration(std::string_view text) {
  const std::size_t first = text.find(':');
  const std::size_t second = first == std::string_view::npos ? first : text.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const std::optional<int> hours = base::ParseWhole(text.substr(0, first), 0, 999);
  const std::optional<int> minutes =
      base::ParseWhole(text.substr(first + 1, second - first - 1), 0, 59);
  const std::string_view tail = text.substr(second + 1);
  double seconds = 0;
  const char* const end = tail.data() + tail.size();
  const auto [stop, error] = std::from_chars(tail.data(), end, seconds, std::chars_format::fixed);
  const bool valid = error == std::errc() && stop == end && seconds >= 0 && seconds < 60;
  if (!hours || !minutes || !valid) return std::nullopt;
  return *hours * 3600.0 + *minutes * 60.0 + seconds;
}

}  // namespace

struct UhpEngine::Command {
  std::string_view name;
  Answer (UhpEngine::*handle)(std::string_view);
  std::string_view help;
};

std::span<const UhpEngine::Command> UhpEngine::Commands() {
  static constexpr std::array<Command, 12> kCommands = {{
      {"info", &UhpEngine::Info, "info: who this is and which expansions it plays"},
      {"newgame", &UhpEngine::NewGame,
       "newgame [GameTypeString | GameString]: starts a game, Base if nothing is given"},
      {"play", &UhpEngine::Play, "play MOVE: plays a move"},
      {"pass", &UhpEngine::Pass, "pass: plays the pass, if it is the only move"},
      {"validmoves", &UhpEngine::ValidMoves, "validmoves: all legal moves"},
      {"bestmove", &UhpEngine::BestMove,
       "bestmove time hh:mm:ss | bestmove depth N: a move, not played; depth N is 32 x 2^N "
       "simulations, or N plies without a model; time is used to its end unless the position is "
       "solved"},
      {"stop", &UhpEngine::Stop,
       "stop: sent while bestmove thinks, it answers what it knows; else nothing"},
      {"undo", &UhpEngine::Undo, "undo [N]: takes back the last move, or the last N"},
      {"options", &UhpEngine::Options,
       "options [get NAME | set NAME VALUE]: lists, shows or changes options"},
      {"perft", &UhpEngine::Perft, "perft [N]: counts the positions after 1 to N plies"},
      {"help", &UhpEngine::Help, "help [COMMAND]: this text"},
      {"exit", &UhpEngine::Exit, "exit: ends the engine"},
  }};
  return kCommands;
}

const UhpEngine::Command* UhpEngine::FindCommand(std::string_view name) {
  for (const Command& command : Commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

UhpEngine::UhpEngine(std::string version, UhpModel model, std::uint64_t seed,
                     const UhpOptions& options, UhpModelLoader loader)
    : version_(std::move(version)),
      first_model_(std::move(model)),
      loader_(std::move(loader)),
      model_(first_model_.name),
      options_(options),
      search_(first_model_.source, seed, options.resources) {
  APIARY_CHECK(search_.has_net() != model_.empty(), "model '{}' with {} evaluator", model_,
               search_.has_net() ? "an" : "no");
}

std::string UhpEngine::Handle(std::string_view line, const UhpSearch::Interrupted& interrupted) {
  interrupted_ = interrupted;
  std::string_view rest = line;
  const std::string name = base::ToLower(base::TakeWord(rest));
  if (name.empty()) return "";
  const Command* command = FindCommand(name);
  if (command == nullptr) return fmt::format("err '{}' is not a command; see help\nok\n", name);
  const Answer answer = (this->*command->handle)(rest);
  if (!answer) {
    const bool is_move = command->handle == &UhpEngine::Play || command->handle == &UhpEngine::Pass;
    return fmt::format("{} {}\nok\n", is_move && game_ ? "invalidmove" : "err", answer.error());
  }
  return *answer + "ok\n";
}

base::Result<void> UhpEngine::NeedGame() const {
  if (!game_) return base::Fail("there is no game; start one with newgame");
  return {};
}

base::Result<void> UhpEngine::NeedOpenGame() const {
  if (auto game = NeedGame(); !game) return game;
  if (game_->outcome().over())
    return base::Fail("the game is over: {} by {}", env::ToString(game_->outcome().result),
                      env::ToString(game_->outcome().reason));
  return {};
}

UhpEngine::Answer UhpEngine::Info(std::string_view) {
  const std::string player = model_.empty() ? "no model: alpha-beta" : model_;
  return fmt::format("id Apiary {} ({})\nMosquito;Ladybug;Pillbug\n", version_, player);
}

UhpEngine::Answer UhpEngine::NewGame(std::string_view rest) {
  auto parsed = env::ParseGameString(rest.empty() ? "Base" : rest, options_.Rules());
  if (!parsed) return parsed.failure();
  game_ = std::move(parsed->game);
  return env::ToGameString(*game_) + "\n";
}

UhpEngine::Answer UhpEngine::Play(std::string_view rest) {
  if (auto open = NeedOpenGame(); !open) return open.failure();
  if (rest.empty()) return base::Fail("play needs a move");
  auto move = env::ParseMove(*game_, rest);
  if (!move) return move.failure();
  game_->Apply(*move);
  return env::ToGameString(*game_) + "\n";
}

UhpEngine::Answer UhpEngine::Pass(std::string_view rest) {
  if (!rest.empty()) return base::Fail("pass takes no argument");
  return Play("pass");
}

UhpEngine::Answer UhpEngine::ValidMoves(std::string_view) {
  if (auto open = NeedOpenGame(); !open) return open.failure();
  env::MoveList moves;
  game_->LegalMoves(moves);
  std::string text;
  for (const env::Move move : moves) {
    if (!text.empty()) text += ';';
    text += env::MoveToString(game_->board(), move);
  }
  return text + "\n";
}

UhpEngine::Answer UhpEngine::BestMove(std::string_view rest) {
  if (auto open = NeedOpenGame(); !open) return open.failure();
  const std::string limit = base::ToLower(base::TakeWord(rest));
  env::Move move;
  if (limit == "depth") {
    const std::optional<int> depth = base::ParseWhole(rest, 0, kMaxDepth);
    if (!depth)
      return base::Fail("bestmove depth needs a whole number from 0 to {}, not '{}'", kMaxDepth,
                        rest);
    move = Think(*depth);
  } else if (limit == "time") {
    const std::optional<double> seconds = ParseDuration(rest);
    if (!seconds) return base::Fail("bestmove time needs hh:mm:ss, not '{}'", rest);
    move = Think(*seconds);
  } else {
    return base::Fail("bestmove needs 'time hh:mm:ss' or 'depth N'");
  }
  return env::MoveToString(game_->board(), move) + "\n";
}

env::Move UhpEngine::Think(int depth) {
  if (search_.has_net() && options_.simulations > 0)
    return search_.WithSimulations(*game_, options_.simulations, options_.temperature,
                                   interrupted_);
  return search_.AtDepth(*game_, depth, options_.temperature, interrupted_);
}

env::Move UhpEngine::Think(double seconds) {
  if (search_.has_net() && options_.simulations > 0) return Think(0);
  return search_.InTime(*game_, seconds, options_.temperature, interrupted_);
}

UhpEngine::Answer UhpEngine::Undo(std::string_view rest) {
  if (auto game = NeedGame(); !game) return game.failure();
  const std::optional<int> count = rest.empty() ? 1 : base::ParseWhole(rest, 1, game_->ply());
  if (!count || *count > game_->ply())
    return base::Fail("undo needs a whole number from 1 to the {} moves played", game_->ply());
  for (int i = 0; i < *count; ++i) game_->Undo();
  return env::ToGameString(*game_) + "\n";
}

UhpEngine::Answer UhpEngine::Options(std::string_view rest) {
  const std::string verb = base::ToLower(base::TakeWord(rest));
  if (verb.empty()) return options_.Describe() + DescribeModel();
  const std::string_view name = base::TakeWord(rest);
  if (name.empty() || (verb != "get" && verb != "set"))
    return base::Fail("options takes nothing, 'get NAME' or 'set NAME VALUE'");
  if (base::ToLower(name) == "model")
    return verb == "set" ? SetModel(rest) : Answer(DescribeModel());
  if (verb == "set") return SetOption(name, rest);
  auto line = options_.DescribeOne(name);
  if (!line) return line.failure();
  return *line + "\n";
}

// The game goes on under the new rules, so its moves must be a game under them as well. Who began
// it does not change.
UhpEngine::Answer UhpEngine::SetOption(std::string_view name, std::string_view value) {
  UhpOptions changed = options_;
  if (auto set = changed.Set(name, value); !set) return set.failure();
  if (auto fits = UhpSearch::Check(changed.resources); !fits) return fits.failure();
  if (game_) {
    env::Rules rules = changed.Rules();
    rules.variant = game_->rules().variant;
    rules.first_player = game_->rules().first_player;
    env::Game replayed(rules);
    env::MoveList legal;
    for (const env::Move move : game_->moves()) {
      replayed.LegalMoves(legal);
      if (!legal.Contains(move))
        return base::Fail("the game in progress is not possible with {} {}; start a new one first",
                          name, value);
      replayed.Apply(move);
    }
    game_ = std::move(replayed);
  }
  search_.SetResources(changed.resources);
  options_ = changed;
  return *options_.DescribeOne(name) + "\n";
}

// The protocol knows no texts, so this is a choice of names; a path is taken as well.
std::string UhpEngine::DescribeModel() const {
  const auto or_none = [](const std::string& name) { return name.empty() ? "none" : name; };
  std::string choices = "none";
  if (!first_model_.name.empty()) choices += ";" + first_model_.name;
  if (!model_.empty() && model_ != first_model_.name) choices += ";" + model_;
  return fmt::format("Model;enum;{};{};{}\n", or_none(model_), or_none(first_model_.name), choices);
}

UhpEngine::Answer UhpEngine::SetModel(std::string_view value) {
  if (value.empty()) return base::Fail("options set Model needs a name or a path");
  UhpModel model;
  if (!first_model_.name.empty() && value == first_model_.name) {
    model = first_model_;
  } else if (base::ToLower(value) != "none") {
    if (!loader_) return base::Fail("'{}': this engine loads no models", value);
    auto loaded = loader_(std::string(value));
    if (!loaded) return loaded.failure();
    model = std::move(*loaded);
  }
  search_.SetSource(model.source);
  model_ = model.name;
  return DescribeModel();
}

UhpEngine::Answer UhpEngine::Perft(std::string_view rest) {
  if (auto game = NeedGame(); !game) return game.failure();
  const std::optional<int> depth =
      rest.empty() ? kDefaultPerftDepth : base::ParseWhole(rest, 1, kMaxPerftDepth);
  if (!depth)
    return base::Fail("perft needs a whole number from 1 to {}, not '{}'", kMaxPerftDepth, rest);
  env::Board board = game_->board();
  std::string text;
  for (int i = 1; i <= *depth; ++i) text += fmt::format("{}: {}\n", i, env::Perft(board, i));
  return text;
}

UhpEngine::Answer UhpEngine::Stop(std::string_view) { return std::string(); }

UhpEngine::Answer UhpEngine::Help(std::string_view rest) {
  if (!rest.empty()) {
    const Command* command = FindCommand(base::ToLower(rest));
    if (command == nullptr) return base::Fail("there is no command '{}'", rest);
    return std::string(command->help) + "\n";
  }
  std::string text;
  for (const Command& command : Commands()) text += std::string(command.help) + "\n";
  return text;
}

UhpEngine::Answer UhpEngine::Exit(std::string_view) {
  exited_ = true;
  return std::string();
}

void ServeUhp(UhpEngine& engine, LineInput& in, std::ostream& out) {
  const UhpSearch::Interrupted interrupted = [&in] { return in.Interrupted(); };
  out << engine.Handle("info") << std::flush;
  std::string line;
  while (!engine.exited() && in.Next(line)) out << engine.Handle(line, interrupted) << std::flush;
}

}  // namespace apiary::play
