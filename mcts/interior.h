// Which move a simulation follows inside the tree. Deterministic; proven losing moves are never
// followed. Any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "mcts/edge_table.h"
#include "mcts/options.h"

namespace apiary::mcts {

// argmax of improved policy - visits / (1 + sum of visits) (Danihelka et al. 2022, eq. 14); the
// first of equals. `improved` is scratch. Precondition of both: some move is not a proven loss.
std::size_t SelectByImprovedPolicy(const EdgeTable& table, const SearchOptions& options,
                                   std::vector<float>& improved);

// argmax of q + c_puct * prior * sqrt(1 + sum of visits) / (1 + visits) (Silver et al. 2018), q in
// [-1, 1]; an unvisited move's q is what options.first_play says. The first of equals.
std::size_t SelectByPuct(const EdgeTable& table, const SearchOptions& options);

}  // namespace apiary::mcts
