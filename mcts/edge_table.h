// One node's edges as contiguous arrays with completed Q values: what selection rules and targets
// are computed from. Owned by one search and refilled for each node; allocates when made only.
#pragma once

#include <cstdint>
#include <vector>

#include "mcts/tree.h"

namespace apiary::mcts {

// All arrays [moves]; values are of the node's side to move, in [-1, 1].
struct EdgeTable {
  std::vector<float> log_prior;
  std::vector<float> prior;           // of visited moves only, else 0
  std::vector<std::uint32_t> visits;  // those on their way included (Liu et al. 2020, WU-UCT)
  std::vector<Proven> proven;
  std::vector<float> completed_q;  // exact if proven, the average if visited, else mixed_value
  std::uint32_t visit_sum = 0;
  std::uint32_t visit_max = 0;
  float raw_value = 0;    // the net's of the node
  float mixed_value = 0;  // Danihelka et al. 2022, eq. 33

  std::size_t size() const { return log_prior.size(); }
  EdgeTable();
  // draw_value: as in SearchOptions.
  void Load(const Tree& tree, NodeId node, float draw_value);
};

// Average of a visited node's backups, for its own side to move. `visits` of the edge into it.
nn::Wdl AverageWdl(const Node& node, std::uint32_t visits);

}  // namespace apiary::mcts
