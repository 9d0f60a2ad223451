// Which root moves are visited next and which one is played. Pure functions; any thread. Vectors of
// move indices keep their memory.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mcts/edge_table.h"
#include "mcts/options.h"

namespace apiary::mcts {

// gumbel + log prior + sigma(completed q), all spans [moves] (Danihelka et al. 2022, algorithm 2;
// no noise: gumbel all 0).
void RootScores(const EdgeTable& table, std::span<const float> gumbel, const SearchOptions& options,
                std::span<float> scores);

// Sequential halving: leaves the best `count` of `survivors`, best first. Proven losses drop out;
// if that leaves fewer than `count` (or `survivors` was empty: the first round), the best other
// moves that are not lost fill up.
void KeepSurvivors(const EdgeTable& table, std::span<const float> scores, std::size_t count,
                   std::vector<std::size_t>& survivors);

// Among the most visited of `survivors` (not empty) the one with the highest score; the first of
// equals.
std::size_t BestSurvivor(const EdgeTable& table, std::span<const float> scores,
                         std::span<const std::size_t> survivors);

// PUCT: the most visited move that is not lost; of equals the one with the higher q, then prior.
std::size_t MostVisited(const EdgeTable& table);

// A solved root's choice: the highest prior among the moves proven to be `root`.
std::size_t BestProven(const EdgeTable& table, Proven root);

// The policy target into `improved` [moves]: softmax(log prior + sigma(completed q)); at a solved
// root uniform over the moves that are proven to be as good as the root is (a lost root: all
// moves).
void RootTarget(const EdgeTable& table, Proven root, const SearchOptions& options,
                std::span<float> improved);

// The root's moves as a result shows them; all spans [moves].
void FillRootMoves(std::span<const Edge> edges, const EdgeTable& table,
                   std::span<const float> improved, std::vector<RootMove>& moves);

}  // namespace apiary::mcts
