#include "tests/fuzz/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "base/text.h"
#include "env/notation.h"
#include "play/uhp_engine.h"

namespace apiary::fuzz {
namespace {

// An error quotes the text it is about, at most twice.
std::string CheckError(std::string_view input, const std::string& error) {
  if (error.empty()) return "an error without a sentence";
  if (error.size() > 2 * input.size() + 300) return "an error much longer than its text: " + error;
  return "";
}

// A game that was read is written and read again.
std::string CheckSameAfterWriting(const env::Game& game, const env::Rules& options) {
  const std::string text = env::ToGameString(game);
  const base::Result<env::ParsedGame> again = env::ParseGameString(text, options);
  if (!again) return fmt::format("'{}' was written and is refused: {}", text, again.error());
  const env::Game& copy = again->game;
  if (env::ToGameString(copy) != text) return fmt::format("'{}' reads as another text", text);
  if (copy.rules() != game.rules()) return fmt::format("'{}' reads with other rules", text);
  if (copy.board() != game.board()) return fmt::format("'{}' reads as another position", text);
  if (copy.outcome() != game.outcome()) return fmt::format("'{}' reads with another end", text);
  return "";
}

std::string CheckUnder(std::string_view input, const env::Rules& options) {
  const base::Result<env::ParsedGame> parsed = env::ParseGameString(input, options);
  if (!parsed) return CheckError(input, parsed.error());
  return CheckSameAfterWriting(parsed->game, options);
}

// Every legal move's text is read as that move.
std::string CheckTexts(const env::Game& game) {
  env::MoveList moves;
  game.LegalMoves(moves);
  for (const env::Move move : moves) {
    const std::string text = env::MoveToString(game.board(), move);
    const base::Result<env::Move> read = env::ParseMove(game, text);
    if (!read) return fmt::format("{}: {}", env::ToGameString(game), read.error());
    if (*read != move)
      return fmt::format("{}: '{}' reads as another move", env::ToGameString(game), text);
  }
  return "";
}

// The bytes that begin a move input; `input` keeps the rest.
env::Game TakePosition(std::string_view& input) {
  const auto take = [&input] {
    const auto byte = static_cast<unsigned char>(input.empty() ? 0 : input.front());
    input.remove_prefix(std::min<std::size_t>(1, input.size()));
    return byte;
  };
  env::Rules rules;
  const int options = take();
  rules.variant = env::Variant::FromIndex(options & 7);
  rules.queen_first_turn = (options & 8) != 0;
  rules.first_player = (options & 16) != 0 ? env::Color::kBlack : env::Color::kWhite;
  rules.repetition = (options & 32) != 0 ? 0 : 3;
  env::Game game(rules);
  env::MoveList moves;
  for (int left = take(); left > 0 && !input.empty() && !game.outcome().over(); --left) {
    game.LegalMoves(moves);
    game.Apply(moves[take() % moves.size()]);
  }
  return game;
}

bool IsDeepPerft(std::string_view line) {
  if (base::ToLower(base::TakeWord(line)) != "perft") return false;
  return line != "1" && line != "2";
}

// The first lines of the input as the engine gets them, without deep perfts.
std::vector<std::string> UhpLines(std::string_view input) {
  std::istringstream in{std::string(input)};
  std::vector<std::string> lines;
  std::string line;
  while (lines.size() < kUhpLines && std::getline(in, line)) {
    if (!IsDeepPerft(line)) lines.push_back(line);
  }
  return lines;
}

// Searches end after their first ply.
const play::UhpSearch::Interrupted kAtOnce = [] { return true; };

// Lines of a stream whose searches end so.
class HastyInput : public play::StreamInput {
 public:
  using play::StreamInput::StreamInput;
  bool Interrupted() override { return true; }
};

play::UhpEngine Engine() { return play::UhpEngine("0", {}, 1); }

// The options under which the engine's game, if any, was read.
env::Rules OptionsOf(const env::Game& game) {
  env::Rules options = game.rules();
  options.variant = {};
  options.first_player = env::Color::kWhite;
  return options;
}

std::string CheckAnswer(const play::UhpEngine& engine, const std::string& line,
                        const std::string& answer, const std::string& game_before) {
  const bool blank = base::Trim(line).empty();
  if (blank) return answer.empty() ? "" : "an answer to an empty line";
  if (!answer.ends_with("ok\n")) return fmt::format("'{}': no ok in '{}'", line, answer);
  const bool refused = answer.starts_with("err ") || answer.starts_with("invalidmove ");
  if (refused && !answer.ends_with("\nok\n")) return fmt::format("'{}': '{}'", line, answer);
  if (engine.game() == nullptr) return "";
  const std::string game = env::ToGameString(*engine.game());
  if (refused && game != game_before)
    return fmt::format("'{}' is refused and changes the game to '{}'", line, game);
  return "";
}

}  // namespace

std::string CheckGameString(std::string_view input) {
  env::Rules other;
  other.queen_first_turn = true;
  other.first_player = env::Color::kBlack;
  other.repetition = 0;
  other.max_plies = 30;
  const std::string broken = CheckUnder(input, {});
  return broken.empty() ? CheckUnder(input, other) : broken;
}

std::string CheckMoveText(std::string_view input) {
  const env::Game game = TakePosition(input);
  if (std::string broken = CheckTexts(game); !broken.empty()) return broken;
  const base::Result<env::Move> move = env::ParseMove(game, input);
  if (!move) return CheckError(input, move.error());
  env::MoveList moves;
  game.LegalMoves(moves);
  if (!moves.Contains(*move)) return fmt::format("'{}' is read and not legal", input);
  return "";
}

std::string CheckUhp(std::string_view input) {
  const std::vector<std::string> lines = UhpLines(input);
  play::UhpEngine engine = Engine();
  std::string expected = engine.Handle("info");
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
    if (engine.exited()) continue;
    const std::string before = engine.game() ? env::ToGameString(*engine.game()) : "";
    const std::string answer = engine.Handle(line, kAtOnce);
    expected += answer;
    if (std::string broken = CheckAnswer(engine, line, answer, before); !broken.empty())
      return broken;
  }
  if (engine.game() != nullptr) {
    const env::Rules options = OptionsOf(*engine.game());
    if (std::string broken = CheckSameAfterWriting(*engine.game(), options); !broken.empty())
      return broken;
  }
  play::UhpEngine served = Engine();
  std::istringstream in(text);
  std::ostringstream out;
  const base::StopToken stop;
  HastyInput stream(in, stop);
  play::ServeUhp(served, stream, out);
  return out.str() == expected ? "" : "a stream is answered otherwise than its lines";
}

}  // namespace apiary::fuzz
