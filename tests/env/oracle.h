// A second opinion on the rules: slow, simple, written from the rule text alone with maps and sets
// on an unbounded axial plane. It shares no code with env/ and is not meant to be fast.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace apiary::oracle {

using Point = std::pair<int, int>;  // axial (q, r)

struct Piece {
  char color;  // 'w' or 'b'
  char type;   // one of "QSBGAMLP"
  int number;  // 1-based
  auto operator<=>(const Piece&) const = default;
};
std::string Name(const Piece& piece);  // "wQ", "bA2"

struct Move {
  bool pass = false;
  Piece piece{};
  Point to{};
  auto operator<=>(const Move&) const = default;
};

struct Options {
  std::string expansions;  // some of the letters "MLP"
  char first_player = 'w';
  bool queen_first_turn = false;
  bool count_occurrences = true;  // false: saves most of the time of Play
};

// The pieces on the table.
class Hive {
 public:
  const std::map<Point, std::vector<Piece>>& stacks() const { return stacks_; }  // bottom first
  bool Occupied(Point p) const { return stacks_.contains(p); }
  std::size_t Height(Point p) const;
  const Piece& Top(Point p) const { return stacks_.at(p).back(); }
  // Whether the hive stays in one piece when the top of `p` is lifted.
  bool OneHiveWithout(Point p) const;

  void Put(const Piece& piece, Point p) { stacks_[p].push_back(piece); }
  void Lift(Point p);

  // Where a piece of this type goes that was just lifted off `from` and is not in the hive now; may
  // hold `from`.
  std::set<Point> Destinations(char type, Point from) const;

 private:
  std::set<Point> MosquitoDestinations(Point from) const;
  std::set<Point> GroundSteps(Point from) const;
  std::set<Point> Climbs(Point from) const;
  std::set<Point> Jumps(Point from) const;
  std::set<Point> SpiderWalks(Point from) const;
  std::set<Point> AntWalks(Point from) const;
  std::set<Point> LadybugWalks(Point from) const;
  bool CanStep(Point from, Point to) const;

  std::map<Point, std::vector<Piece>> stacks_;
};

class Oracle {
 public:
  explicit Oracle(const Options& options);

  std::set<Move> LegalMoves() const { return Moves(false); }  // empty when the game is over
  void Play(const Move& move);                                // precondition: in LegalMoves()
  std::string State()
      const;  // "InProgress", "Draw", "WhiteWins", "BlackWins": surrounded queens only
  // Of the present position, by rules.md, section 2.4. Precondition: they are counted.
  int occurrences() const;

  char side_to_move() const;
  const Hive& hive() const { return hive_; }
  const std::map<Piece, Point>& places() const { return places_; }
  // Pieces that the rule of one hive keeps where they are (unstacked ones).
  std::set<Piece> Pinned() const;

 private:
  bool InHand(const Piece& piece) const { return hand_.contains(piece); }
  bool Surrounded(char color) const;

  std::set<Point> PlacementCells() const;
  void AddPlacements(std::set<Move>& moves) const;
  void AddMoves(bool ignore_mark, std::set<Move>& moves) const;
  void AddThrows(const Piece& thrower, const std::set<Piece>& stunned, std::set<Move>& moves) const;
  std::set<Move> Moves(bool ignore_mark) const;
  std::string PositionKey() const;

  Options options_;
  Hive hive_;
  std::map<Piece, Point> places_;
  std::set<Piece> hand_;
  int plies_ = 0;
  bool marked_ = false;
  Piece mark_{};
  std::map<std::string, int> seen_;
};

}  // namespace apiary::oracle
