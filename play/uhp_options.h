// The options of the UHP engine: one table of name, type, range and access. Plain value; one
// thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "env/rules.h"
#include "play/uhp_search.h"

namespace apiary::play {

struct UhpOptions {
  bool repetition = false;  // third occurrence draws: the protocol has no such rule
  bool queen_first_turn = false;
  env::Color first_player = env::Color::kWhite;  // of new games
  double temperature = 0;                        // 0 = best move, [0, 10]
  int simulations = 0;  // > 0: of every search with a net, whatever bestmove says
  UhpSearch::Resources resources = {.memory_mb = 1024};

  // Everything but the variant.
  env::Rules Rules() const;
  // All options, one line each: "Name;type;value;default[;min;max | ;choice;choice...]".
  std::string Describe() const;
  // One option's line. Names in any case.
  base::Result<std::string> DescribeOne(std::string_view name) const;
  base::Result<void> Set(std::string_view name, std::string_view value);
};

}  // namespace apiary::play
