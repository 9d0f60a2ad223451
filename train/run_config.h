// All settings of a run: registered once (RegisterSettings) with default, range and help; presets
// are configs/*.toml, compiled in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "base/settings.h"
#include "env/rules.h"
#include "mcts/options.h"

namespace apiary::train {

struct RunConfig {
  std::uint64_t seed = 1;
  int threads = 0;  // 0 = all cores allowed

  struct {
    std::string variant = "Base";
    std::string first_player = "white";
    bool queen_first_turn = false;
    int repetition = 3;
    int max_plies = 200;
  } rules;
  struct {
    int channels = 32;
    int blocks = 4;
  } net;
  struct {
    int simulations = 16;
    int fast_simulations = 0;  // 0: every search is a full one
    double full_share = 1.0;   // share of full searches when fast_simulations > 0
    int considered = 8;
    double visit_offset = 50;
    double value_scale = 1.0;
    double draw_value = 0;      // of a draw in the search, for both sides
    bool proofs = true;         // ends of games are proven in the search
    int games_per_thread = 64;  // played together, in two cohorts
    int cache_mb = 64;          // evaluations remembered, a thread; 0: none
    int opening_plies =
        2;  // at most so many plies are drawn uniformly (0..n) before the search plays
    int sample_plies =
        8;  // so many plies are sampled from the improved policy, then the best move is played
    int gen0_games = 2000;              // games of generation 0
    std::string interior = "improved";  // improved | puct
  } selfplay;
  struct {
    int batch = 256;
    double learning_rate = 1e-3;
    double final_learning_rate = 1e-4;  // reached at the end of the budget
    double weight_decay = 1e-4;
    double clip_norm = 1.0;
    double ema_decay = 0.998;    // a step
    int uses = 4;                // mean uses of a position that the learner aims at
    int max_uses = 8;            // reuse cap: no position is trained on more often
    int gen0_uses = 1;           // mean uses of generation 0's positions
    int window_min = 50000;      // positions
    double window_power = 0.75;  // window = window_min * (seen / window_min)^power
    int window_max = 1000000;
    int window_mb = 1500;        // memory bound of the window; the oldest games leave first
    int min_positions = 5000;    // training starts with so many
    int publish_steps = 200;     // a generation every so many steps
    double value_lambda = 0.95;  // result mixed backwards with search values
    double value_weight = 1.0;
    double draw_weight = 1.0;  // of drawn games in the value loss
    double moves_left_weight = 0.1;
    int max_lead = 20000;  // positions workers may be ahead of the learner's need before they pause
  } learn;
  struct {
    int positions_per_file = 4000;
    double seconds_per_file = 20;
    double keep_gb = 20;
  } store;
  struct {
    int every = 5;   // generations between measurements; 0 = never
    int games = 40;  // against each of random and crowd
    int simulations = 32;
    int final_games = 200;  // games a row of the final table; 0 = no table
  } eval;
  struct {
    double minutes = 0;    // wall minutes of training, resumed time included; 0 = no limit
    double cpu_hours = 0;  // CPU hours of training, resumed time included; 0 = no limit
    int generations = 0;   // 0 = no limit
  } budget;
  struct {
    double full_timeout_s = 600;
  } io;

  // Precondition of those about rules: as LoadConfig gives it.
  std::vector<env::Variant> Variants() const;
  env::Rules Rules(env::Variant variant) const;
  // Of a new game: of several variants one is drawn, else nothing.
  env::Rules DrawRules(base::RandomStream& random) const;
  mcts::SearchOptions FullSearch() const;
};

void RegisterSettings(RunConfig& config, base::Settings& settings);

// A preset's name ("quick") or a TOML file, then `overrides` ("key=value") on top. Says which
// presets exist if it is neither. An empty name gives the defaults. Also refuses values that do not
// go together.
base::Result<RunConfig> LoadConfig(const std::string& preset_or_file,
                                   const std::vector<std::string>& overrides);
std::vector<std::string> PresetNames();
// The whole configuration with its help texts, headed by the program's version; LoadConfig reads it
// back.
std::string ConfigToToml(const RunConfig& config);

}  // namespace apiary::train
