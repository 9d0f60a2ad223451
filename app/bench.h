// The parts of `apiary bench`. Each prints its results: one JSON object a line with --json, else
// lines to read. One thread, but for search and self-play.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "env/game.h"

namespace apiary::app {

struct BenchArguments {
  std::string part;
  std::string data;     // file of games; empty: the human games of tests/data
  std::string variant;  // of the environments; empty: Base and Base+MLP
  std::string net = "32x4";
  std::string device = "auto";
  int simulations = 16;
  int envs = 64;
  int threads = 0;  // 0 = all cores allowed
  double seconds = 2;
  std::uint64_t seed = 1;
  bool no_cache = false;
  bool json = false;
};

int BenchMovegen(const BenchArguments& arguments);
int BenchEncode(const BenchArguments& arguments);
int BenchBatchEnv(const BenchArguments& arguments);
int BenchKey(const BenchArguments& arguments);
int BenchEval(const BenchArguments& arguments);
int BenchSearch(const BenchArguments& arguments);
int BenchSelfplay(const BenchArguments& arguments);

// All positions before the end of the games of one variant, shuffled: repeating one position
// flatters by three times.
struct PositionSet {
  std::string name;  // "Base+MLP"
  std::vector<env::Game> games;
};
// Base and Base+MLP, in this order, of a file of tab-separated lines with one GameString each.
// Throws apiary::Error.
std::vector<PositionSet> LoadPositions(const BenchArguments& arguments);

// Seconds of the wall, for work that waits for a device; and CPU seconds of this thread, which a
// busy machine disturbs less.
double WallSeconds();
double ThreadSeconds();

// The middle one of `values`, which are reordered. Precondition: not empty.
double Median(std::vector<double>& values);
// Runs `pass` again and again for about `seconds` after one run to warm up, at least three times.
// The median of its times by `clock`.
double MedianSeconds(double (*clock)(), double seconds, const std::function<void()>& pass);

}  // namespace apiary::app
