// A UHP engine (rules.md, section 9): one line in, the answer's text out. With a net it searches a
// tree, without one it plays by alpha-beta and says so. Whatever the line, the engine survives it;
// after `err` and `invalidmove` the game is unchanged. Lives on one thread.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "env/game.h"
#include "play/line_input.h"
#include "play/uhp_options.h"
#include "play/uhp_search.h"

namespace apiary::play {

// What an engine plays with: a net, or nothing.
struct UhpModel {
  std::string name;                   // one word; empty: none
  UhpSearch::EvaluatorSource source;  // null exactly if there is no name
};
// Loads the model that `options set Model TEXT` names: a path, or what the program knows.
using UhpModelLoader = std::function<base::Result<UhpModel>(const std::string& text)>;

class UhpEngine {
 public:
  // `loader` may be empty: then the engine keeps its model, or plays without.
  UhpEngine(std::string version, UhpModel model, std::uint64_t seed, const UhpOptions& options = {},
            UhpModelLoader loader = {});

  // Every answer ends with the line "ok". An empty line has an empty answer. `interrupted` ends a
  // search early, which answers the best move that it knows.
  std::string Handle(std::string_view line, const UhpSearch::Interrupted& interrupted = {});
  // `exit` was received.
  bool exited() const { return exited_; }
  // Null before the first `newgame`.
  const env::Game* game() const { return game_ ? &*game_ : nullptr; }

 private:
  struct Command;
  static std::span<const Command> Commands();
  // Null if there is none of that name (lower case).
  static const Command* FindCommand(std::string_view name);

  // Each takes the rest of the line, trimmed, and returns the answer's lines without "ok"; the
  // failure becomes an `err` line.
  using Answer = base::Result<std::string>;
  Answer Info(std::string_view rest);
  Answer NewGame(std::string_view rest);
  Answer Play(std::string_view rest);
  Answer Pass(std::string_view rest);
  Answer ValidMoves(std::string_view rest);
  Answer BestMove(std::string_view rest);
  Answer Undo(std::string_view rest);
  Answer Options(std::string_view rest);
  Answer Perft(std::string_view rest);
  Answer Stop(std::string_view rest);
  Answer Help(std::string_view rest);
  Answer Exit(std::string_view rest);

  Answer SetOption(std::string_view name, std::string_view value);
  std::string DescribeModel() const;
  Answer SetModel(std::string_view value);
  env::Move Think(double seconds);
  env::Move Think(int depth);
  base::Result<void> NeedGame() const;
  base::Result<void> NeedOpenGame() const;

  std::string version_;
  UhpModel first_model_;  // that the engine began with
  UhpModelLoader loader_;
  std::string model_;  // name; empty: none
  UhpOptions options_;
  UhpSearch search_;
  std::optional<env::Game> game_;
  UhpSearch::Interrupted interrupted_;  // of the line at hand
  bool exited_ = false;
};

// Greets with `info` and answers line by line until `exit` or the end of the input.
void ServeUhp(UhpEngine& engine, LineInput& in, std::ostream& out);

}  // namespace apiary::play
