#include "tests/env/oracle.h"

#include <algorithm>

namespace apiary::oracle {
namespace {

std::vector<Point> Around(Point p) {
  const auto [q, r] = p;
  return {{q + 1, r}, {q + 1, r - 1}, {q, r - 1}, {q - 1, r}, {q - 1, r + 1}, {q, r + 1}};
}

bool Touch(Point a, Point b) {
  const std::vector<Point> around = Around(a);
  return std::find(around.begin(), around.end(), b) != around.end();
}

// The two cells that touch both ends of a step.
std::vector<Point> Shared(Point a, Point b) {
  std::vector<Point> shared;
  for (const Point& p : Around(a)) {
    if (Touch(p, b)) shared.push_back(p);
  }
  return shared;
}

int CountOf(char type) {
  switch (type) {
    case 'A':
    case 'G':
      return 3;
    case 'S':
    case 'B':
      return 2;
    default:
      return 1;
  }
}

char Other(char color) { return color == 'w' ? 'b' : 'w'; }

}  // namespace

std::string Name(const Piece& piece) {
  std::string name{piece.color, piece.type};
  if (CountOf(piece.type) > 1) name += std::to_string(piece.number);
  return name;
}

Oracle::Oracle(const Options& options) : options_(options) {
  for (const char color : {'w', 'b'}) {
    for (const char type : "QBASG" + options.expansions) {
      for (int n = 1; n <= CountOf(type); ++n) hand_.insert(Piece{color, type, n});
    }
  }
  if (options_.count_occurrences) ++seen_[PositionKey()];
}

char Oracle::side_to_move() const {
  return plies_ % 2 == 0 ? options_.first_player : Other(options_.first_player);
}

void Hive::Lift(Point p) {
  stacks_.at(p).pop_back();
  if (stacks_.at(p).empty()) stacks_.erase(p);
}

std::size_t Hive::Height(Point p) const {
  const auto stack = stacks_.find(p);
  return stack == stacks_.end() ? 0 : stack->second.size();
}

int Oracle::occurrences() const { return seen_.at(PositionKey()); }

bool Oracle::Surrounded(char color) const {
  const auto queen = places_.find(Piece{color, 'Q', 1});
  if (queen == places_.end()) return false;
  const std::vector<Point> around = Around(queen->second);
  return std::all_of(around.begin(), around.end(), [this](Point p) { return hive_.Occupied(p); });
}

std::string Oracle::State() const {
  if (Surrounded('w') && Surrounded('b')) return "Draw";
  if (Surrounded('w')) return "BlackWins";
  if (Surrounded('b')) return "WhiteWins";
  return "InProgress";
}

std::set<Move> Oracle::Moves(bool ignore_mark) const {
  std::set<Move> moves;
  if (State() != "InProgress") return moves;
  AddPlacements(moves);
  if (!InHand(Piece{side_to_move(), 'Q', 1})) AddMoves(ignore_mark, moves);
  if (moves.empty()) {
    Move pass;
    pass.pass = true;
    moves.insert(pass);
  }
  return moves;
}

std::set<Point> Oracle::PlacementCells() const {
  if (places_.empty()) return {{0, 0}};
  std::set<Point> cells;
  for (const auto& [place, stack] : hive_.stacks()) {
    for (const Point& p : Around(place)) {
      if (hive_.Occupied(p)) continue;
      bool own = false;
      bool enemy = false;
      for (const Point& n : Around(p)) {
        if (hive_.Occupied(n)) (hive_.Top(n).color == side_to_move() ? own : enemy) = true;
      }
      if (places_.size() == 1 || (own && !enemy)) cells.insert(p);
    }
  }
  return cells;
}

void Oracle::AddPlacements(std::set<Move>& moves) const {
  const char color = side_to_move();
  const int turn = plies_ / 2 + 1;  // the turn of this colour that is being made
  const std::set<Point> cells = PlacementCells();
  for (const Piece& piece : hand_) {
    if (piece.color != color) continue;
    const bool first_in_hand = piece.number == 1 || !InHand({color, piece.type, piece.number - 1});
    if (!first_in_hand) continue;
    if (piece.type == 'Q' && turn == 1 && !options_.queen_first_turn) continue;
    if (piece.type != 'Q' && turn >= 4 && InHand({color, 'Q', 1})) continue;
    for (const Point& p : cells) moves.insert({false, piece, p});
  }
}

bool Hive::OneHiveWithout(Point p) const {
  std::set<Point> cells;
  for (const auto& [place, stack] : stacks_) {
    if (place != p || stack.size() > 1) cells.insert(place);
  }
  if (cells.empty()) return true;
  std::set<Point> reached = {*cells.begin()};
  std::vector<Point> open = {*cells.begin()};
  while (!open.empty()) {
    const Point here = open.back();
    open.pop_back();
    for (const Point& n : Around(here)) {
      if (cells.contains(n) && reached.insert(n).second) open.push_back(n);
    }
  }
  return reached.size() == cells.size();
}

std::set<Piece> Oracle::Pinned() const {
  std::set<Piece> pinned;
  for (const auto& [place, stack] : hive_.stacks()) {
    if (stack.size() == 1 && !hive_.OneHiveWithout(place)) pinned.insert(stack.back());
  }
  return pinned;
}

void Oracle::AddMoves(bool ignore_mark, std::set<Move>& moves) const {
  std::set<Piece> stunned;
  if (marked_ && !ignore_mark) stunned.insert(mark_);
  for (const auto& [place, stack] : hive_.stacks()) {
    const Piece piece = stack.back();
    if (piece.color != side_to_move() || stunned.contains(piece)) continue;
    if (hive_.OneHiveWithout(place)) {
      Hive lifted = hive_;
      lifted.Lift(place);
      for (const Point& to : lifted.Destinations(piece.type, place)) {
        if (to != place) moves.insert({false, piece, to});
      }
    }
    if (stack.size() > 1) continue;
    const std::vector<Point> around = Around(place);
    const bool touches_pillbug = std::any_of(around.begin(), around.end(), [this](Point p) {
      return hive_.Occupied(p) && hive_.Top(p).type == 'P';
    });
    if (piece.type == 'P' || (piece.type == 'M' && touches_pillbug))
      AddThrows(piece, stunned, moves);
  }
}

void Oracle::AddThrows(const Piece& thrower, const std::set<Piece>& stunned,
                       std::set<Move>& moves) const {
  const Point here = places_.at(thrower);
  const auto gate_open = [&](Point p) {
    const std::vector<Point> sides = Shared(here, p);
    return std::min(hive_.Height(sides[0]), hive_.Height(sides[1])) < 2;
  };
  for (const Point& from : Around(here)) {
    if (hive_.Height(from) != 1 || stunned.contains(hive_.Top(from))) continue;
    if (!hive_.OneHiveWithout(from) || !gate_open(from)) continue;
    for (const Point& to : Around(here)) {
      if (!hive_.Occupied(to) && gate_open(to)) moves.insert({false, hive_.Top(from), to});
    }
  }
}

// Whether a lifted piece may go from the top of what lies at `from` to the top of what lies at
// `to`.
bool Hive::CanStep(Point from, Point to) const {
  const std::vector<Point> sides = Shared(from, to);
  const std::size_t level = std::max(Height(from), Height(to));
  if (level == 0) return Occupied(sides[0]) != Occupied(sides[1]);
  return std::min(Height(sides[0]), Height(sides[1])) <= level;
}

std::set<Point> Hive::Destinations(char type, Point from) const {
  if (Height(from) > 0) return Climbs(from);  // beetles, and mosquitoes that are one up there
  switch (type) {
    case 'B':
      return Climbs(from);
    case 'G':
      return Jumps(from);
    case 'S':
      return SpiderWalks(from);
    case 'A':
      return AntWalks(from);
    case 'L':
      return LadybugWalks(from);
    case 'M':
      return MosquitoDestinations(from);
    default:
      return GroundSteps(from);
  }
}

std::set<Point> Hive::MosquitoDestinations(Point from) const {
  std::set<Point> destinations;
  for (const Point& n : Around(from)) {
    if (Occupied(n) && Top(n).type != 'M') destinations.merge(Destinations(Top(n).type, from));
  }
  return destinations;
}

std::set<Point> Hive::GroundSteps(Point from) const {
  std::set<Point> steps;
  for (const Point& to : Around(from)) {
    if (!Occupied(to) && CanStep(from, to)) steps.insert(to);
  }
  return steps;
}

std::set<Point> Hive::Climbs(Point from) const {
  std::set<Point> steps;
  for (const Point& to : Around(from)) {
    if (CanStep(from, to)) steps.insert(to);
  }
  return steps;
}

std::set<Point> Hive::Jumps(Point from) const {
  std::set<Point> landings;
  for (const Point& next : Around(from)) {
    const Point step = {next.first - from.first, next.second - from.second};
    Point here = next;
    while (Occupied(here)) here = {here.first + step.first, here.second + step.second};
    if (here != next) landings.insert(here);
  }
  return landings;
}

std::set<Point> Hive::SpiderWalks(Point from) const {
  std::set<std::vector<Point>> walks = {{from}};
  for (int step = 0; step < 3; ++step) {
    std::set<std::vector<Point>> longer;
    for (const std::vector<Point>& walk : walks) {
      for (const Point& to : GroundSteps(walk.back())) {
        if (std::find(walk.begin(), walk.end(), to) != walk.end()) continue;
        std::vector<Point> next = walk;
        next.push_back(to);
        longer.insert(next);
      }
    }
    walks = longer;
  }
  std::set<Point> ends;
  for (const std::vector<Point>& walk : walks) ends.insert(walk.back());
  return ends;
}

std::set<Point> Hive::AntWalks(Point from) const {
  std::set<Point> reached = {from};
  std::vector<Point> open = {from};
  while (!open.empty()) {
    const Point here = open.back();
    open.pop_back();
    for (const Point& to : GroundSteps(here)) {
      if (reached.insert(to).second) open.push_back(to);
    }
  }
  reached.erase(from);
  return reached;
}

std::set<Point> Hive::LadybugWalks(Point from) const {
  std::set<Point> ends;
  for (const Point& up : Around(from)) {
    if (!Occupied(up) || !CanStep(from, up)) continue;
    for (const Point& across : Around(up)) {
      if (!Occupied(across) || !CanStep(up, across)) continue;
      for (const Point& down : Around(across)) {
        if (!Occupied(down) && down != from && CanStep(across, down)) ends.insert(down);
      }
    }
  }
  return ends;
}

void Oracle::Play(const Move& move) {
  marked_ = false;
  if (!move.pass) {
    if (hand_.erase(move.piece) == 0) {
      hive_.Lift(places_.at(move.piece));
      marked_ = true;
      mark_ = move.piece;
    }
    hive_.Put(move.piece, move.to);
    places_[move.piece] = move.to;
  }
  ++plies_;
  if (options_.count_occurrences) ++seen_[PositionKey()];
}

std::string Oracle::PositionKey() const {
  std::string key(1, side_to_move());
  for (const auto& [place, stack] : hive_.stacks()) {
    key += ' ' + std::to_string(place.first) + ',' + std::to_string(place.second) + ':';
    for (const Piece& piece : stack) key += {piece.color, piece.type};
  }
  if (marked_ && Moves(false) != Moves(true)) {
    const Point place = places_.at(mark_);
    key += " mark " + std::to_string(place.first) + ',' + std::to_string(place.second);
  }
  return key;
}

}  // namespace apiary::oracle
