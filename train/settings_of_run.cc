// Every setting of a run: key, range, help. The defaults are RunConfig's initialisers.
#include "env/move.h"
#include "train/run_config.h"

namespace apiary::train {
namespace {

constexpr int kMany = 1'000'000'000;

void RegisterRules(RunConfig& config, base::Settings& settings) {
  auto& rules = config.rules;
  std::vector<std::string> variants;
  for (const env::Variant variant : env::AllVariants()) variants.push_back(ToString(variant));
  variants.emplace_back(env::kAllVariants);
  settings.Choice(
      "rules.variant", &rules.variant, std::move(variants),
      "Expansions in play; all: each game has one of the eight variants, drawn. Fixed for a run.");
  settings.Choice("rules.first_player", &rules.first_player, {"white", "black"},
                  "Who moves first.");
  settings.Bool("rules.queen_first_turn", &rules.queen_first_turn,
                "Whether a player may open with the queen.");
  settings.Int("rules.repetition", &rules.repetition, 0, 1000,
               "The game is drawn at this occurrence of a position; 0 = no draw by repetition; 1 "
               "is refused.");
  settings.Int("rules.max_plies", &rules.max_plies, 0, 100000,
               "A self-play game is stopped, unfinished, after so many plies; its value is a "
               "search's, never a draw's. 0 = no cap.");
}

void RegisterSelfplay(RunConfig& config, base::Settings& settings) {
  auto& selfplay = config.selfplay;
  settings.Int("selfplay.simulations", &selfplay.simulations, 1, 100000,
               "Simulations of a full search, one for each move whose policy is learned.");
  settings.Int("selfplay.fast_simulations", &selfplay.fast_simulations, 0, 100000,
               "Simulations of a fast search, which only plays; 0 = every search is a full one.\n"
               "Playout cap randomization: Wu 2019, section 3.1.");
  settings.Double("selfplay.full_share", &selfplay.full_share, 0.01, 1,
                  "Share of full searches where fast_simulations > 0.");
  settings.Int("selfplay.considered", &selfplay.considered, 1, env::kMaxMoves,
               "Root moves that enter sequential halving (Danihelka et al. 2022).");
  settings.Double("selfplay.visit_offset", &selfplay.visit_offset, 0, 1e6,
                  "c_visit of the Q transform (c_visit + max visits) * c_scale * q (Danihelka et "
                  "al. 2022, eq. 8).");
  settings.Double("selfplay.value_scale", &selfplay.value_scale, 0, 1000,
                  "c_scale of the Q transform.");
  settings.Double("selfplay.draw_value", &selfplay.draw_value, -1, 1,
                  "What a draw is worth to either side in the searches of self-play; 0 = half a "
                  "win, below 0 both\nsides avoid it. Value targets stay probabilities of win, "
                  "draw and loss.");
  settings.Choice("selfplay.interior", &selfplay.interior, {"improved", "puct"},
                  "Rule below the root: the deterministic improved-policy rule, or PUCT.");
  settings.Bool(
      "selfplay.proofs", &selfplay.proofs,
      "Whether ends of games are proven in the search. Off only to see what it is worth.");
  settings.Int("selfplay.games_per_thread", &selfplay.games_per_thread, 2, 65536,
               "Games that a worker thread plays together, in two cohorts: one selects while the "
               "other is evaluated.");
  settings.Int("selfplay.cache_mb", &selfplay.cache_mb, 0, 1 << 20,
               "MiB of evaluations that a worker thread remembers by canonical position, of its "
               "current net; 0: none.\n"
               "Any size above 0 gives the same games.");
  settings.Int("selfplay.opening_plies", &selfplay.opening_plies, 0, 20,
               "A game begins with 0 to so many uniformly random plies; they are not learned.");
  settings.Int("selfplay.sample_plies", &selfplay.sample_plies, 0, 100000,
               "So many plies after the opening are drawn from the improved policy, then the best "
               "move is played.\n"
               "A proven move is always played.");
  settings.Int("selfplay.gen0_games", &selfplay.gen0_games, 0, kMany,
               "Games of generation 0, played before there is a net (player gen0).");
}

void RegisterOptimiser(RunConfig& config, base::Settings& settings) {
  auto& learn = config.learn;
  settings.Int("learn.batch", &learn.batch, 1, 65536, "Positions a training step.");
  settings.Double("learn.learning_rate", &learn.learning_rate, 1e-8, 1,
                  "AdamW's rate at the start of the budget.");
  settings.Double("learn.final_learning_rate", &learn.final_learning_rate, 0, 1,
                  "The rate at its end.");
  settings.Double("learn.weight_decay", &learn.weight_decay, 0, 1,
                  "AdamW's decoupled weight decay.");
  settings.Double("learn.clip_norm", &learn.clip_norm, 1e-6, 1e6,
                  "Gradients are scaled down to this norm.");
  settings.Double(
      "learn.ema_decay", &learn.ema_decay, 0, 0.999999,
      "Decay a step of the averaged weights, which are the ones that are published and play.");
  settings.Double("learn.value_lambda", &learn.value_lambda, 0, 1,
                  "Value target: the result (1) mixed with the search values of the plies on the "
                  "way (0: the next one).");
  settings.Double("learn.value_weight", &learn.value_weight, 0, 1000,
                  "Weight of the value loss; the policy's is 1.");
  settings.Double(
      "learn.draw_weight", &learn.draw_weight, 0, 1000,
      "Weight of drawn games in the value loss. 0: the net never learns what a draw is, "
      "and self-play collapses (docs/training.md).");
  settings.Double("learn.moves_left_weight", &learn.moves_left_weight, 0, 1000,
                  "Weight of the moves-left loss.");
}

void RegisterWindow(RunConfig& config, base::Settings& settings) {
  auto& learn = config.learn;
  settings.Int("learn.uses", &learn.uses, 1, 1000,
               "Mean uses of a self-play position that the learner aims at: it waits for new games "
               "rather than\nuse the old ones more.");
  settings.Int("learn.max_uses", &learn.max_uses, 1, 255,
               "A position is trained on at most so many times.");
  settings.Int("learn.gen0_uses", &learn.gen0_uses, 0, 1000,
               "Mean uses of the positions of generation 0.");
  settings.Int(
      "learn.window_min", &learn.window_min, 1, kMany,
      "Replay window in positions: window_min * (positions so far / window_min)^window_power ...");
  settings.Double("learn.window_power", &learn.window_power, 0, 1,
                  "... with this power (Wu 2019, appendix C) ...");
  settings.Int("learn.window_max", &learn.window_max, 1, kMany, "... and never more than this.");
  settings.Int("learn.window_mb", &learn.window_mb, 1, 1'000'000,
               "Memory of the window in MiB; the oldest games leave first.");
  settings.Int("learn.min_positions", &learn.min_positions, 1, kMany,
               "Training starts with so many positions.");
  settings.Int("learn.publish_steps", &learn.publish_steps, 1, kMany,
               "A generation every so many steps.");
  settings.Int("learn.max_lead", &learn.max_lead, 1, kMany,
               "Workers pause when the learner has so many positions more than it can use yet.");
}

void RegisterRest(RunConfig& config, base::Settings& settings) {
  settings.Int("store.positions_per_file", &config.store.positions_per_file, 1, 10'000'000,
               "A game file is written when it holds so many positions ...");
  settings.Double(
      "store.seconds_per_file", &config.store.seconds_per_file, 0, 86400,
      "... or its oldest game has waited so long. At most this much play is lost by a kill.");
  settings.Double("store.keep_gb", &config.store.keep_gb, 0.001, 1e6,
                  "Game files outside the window are deleted, oldest first, above so many "
                  "gigabytes, and weights "
                  "above a tenth of that; generation 1, every 10th and the newest stay.");
  settings.Int("eval.every", &config.eval.every, 0, kMany,
               "Strength is measured every so many generations; 0 = never.");
  settings.Int("eval.games", &config.eval.games, 2, 1'000'000,
               "Games of a measurement against each fixed player; even.");
  settings.Int("eval.simulations", &config.eval.simulations, 1, 100000,
               "Simulations a move in it.");
  settings.Int("eval.final_games", &config.eval.final_games, 0, 1'000'000,
               "Games of each row of the final table; even; 0 = no table.");
  settings.Double("budget.minutes", &config.budget.minutes, 0, 1e9,
                  "Minutes of training, resumed time included; 0 = no limit.");
  settings.Double("budget.cpu_hours", &config.budget.cpu_hours, 0, 1e9,
                  "CPU hours of training, resumed time included; 0 = no limit.");
  settings.Int("budget.generations", &config.budget.generations, 0, kMany,
               "Generations, resumed ones included; 0 = no limit.");
  settings.Double(
      "io.full_timeout_s", &config.io.full_timeout_s, 0, 1e9,
      "On a full disk a write is retried for so many seconds, then the program ends with code 74.");
}

}  // namespace

void RegisterSettings(RunConfig& config, base::Settings& settings) {
  settings.UInt64("seed", &config.seed, "Seed of all random numbers of the run.");
  settings.Int("threads", &config.threads, 0, 4096,
               "Worker threads; 0 = one for each core that may be used.");
  RegisterRules(config, settings);
  settings.Int("net.channels", &config.net.channels, 8, 1024,
               "Width of the net, a multiple of 8. Fixed for a run.");
  settings.Int("net.blocks", &config.net.blocks, 1, 256,
               "Residual blocks of two hex convolutions. Fixed for a run.");
  RegisterSelfplay(config, settings);
  RegisterOptimiser(config, settings);
  RegisterWindow(config, settings);
  RegisterRest(config, settings);
}

}  // namespace apiary::train
