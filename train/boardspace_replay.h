// Plays the actions of a boardspace game: picks, drops, throws, takebacks and what confirms them.
// Plain value; any thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "env/notation.h"

namespace apiary::train {

class BoardspaceReplay {
 public:
  explicit BoardspaceReplay(env::Variant variant) : variant_(variant) {}

  // One action of player 0 or 1 without its number: "dropb A1 N 13 /wQ", "done". The failure says
  // what is wrong with it.
  base::Result<void> Act(int player, std::string_view action);

  // nullopt before the first move.
  const std::optional<env::WrittenGame>& game() const { return game_; }
  // Of player 0, or 1.
  env::Color ColorOf(int player) const {
    return player == white_player_ ? env::Color::kWhite : env::Color::kBlack;
  }
  // A resignation or an agreed draw; kInProgress if there was none.
  env::Result agreed() const { return agreed_; }
  // The last failure was a move that the rules forbid, not a text that could not be read.
  bool illegal() const { return illegal_; }

 private:
  // On the torus of the board there: columns from 0, rows as written.
  struct Place {
    int column = 0;
    int row = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  enum class Intent { kNothing, kMove, kPass, kCourtesy };
  struct Pending {
    Intent intent = Intent::kNothing;
    env::PieceId piece;  // as written
    Place to;
  };

  using Words = std::vector<std::string_view>;
  static base::Result<Place> ParsePlace(std::string_view column, std::string_view row);
  base::Result<void> Pick(const Words& words);
  base::Result<void> PickFromBoard(int player, const Words& words);
  base::Result<void> Drop(int player, const Words& words);
  base::Result<void> Move(const Words& words);
  base::Result<void> Done(int player);
  base::Result<void> PlayMove(int player);
  base::Result<void> PlayPass();
  const env::Game& Position() const { return game_->game(); }
  bool over() const { return game_ && Position().outcome().over(); }
  // The cells that a place of the torus may be, the nearest to the first piece first.
  std::array<env::Cell, 9> CellsOf(Place place) const;

  env::Variant variant_;
  std::optional<env::WrittenGame> game_;
  Place first_;  // where the first piece lies
  int white_player_ = 0;
  Pending pending_;
  std::optional<env::Color> picked_;  // the colour of the piece picked last
  env::Result agreed_ = env::Result::kInProgress;
  bool illegal_ = false;
};

}  // namespace apiary::train
