#include <iostream>
#include <nlohmann/json.hpp>

#include "app/bench.h"
#include "env/canonical_key.h"

namespace apiary::app {

// Canonical keys beside move generation on the same positions: a key must not cost more.
int BenchKey(const BenchArguments& arguments) {
  for (const PositionSet& set : LoadPositions(arguments)) {
    const auto positions = static_cast<double>(set.games.size());
    env::MoveList moves;
    std::uint64_t used = 0;  // so that nothing is left out
    const auto nanoseconds = [&](const auto& work) {
      const double seconds = MedianSeconds(ThreadSeconds, arguments.seconds, [&] {
        for (const env::Game& game : set.games) used += work(game);
      });
      return 1e9 * seconds / positions;
    };
    const double movegen = nanoseconds([&](const env::Game& game) {
      env::GenerateLegalMoves(game.board(), moves);
      return static_cast<std::uint64_t>(moves.size());
    });
    const double key =
        nanoseconds([](const env::Game& game) { return env::Canonicalize(game.board()).key.low; });
    const double encoding_key =
        nanoseconds([](const env::Game& game) { return env::CanonicalizeEncoding(game).key.low; });
    if (arguments.json) {
      std::cout << nlohmann::ordered_json{{"set", set.name},
                                          {"positions", set.games.size()},
                                          {"ns_per_key", key},
                                          {"ns_per_encoding_key", encoding_key},
                                          {"ns_per_movegen", movegen},
                                          {"key_per_movegen", key / movegen}}
                       .dump()
                << std::endl;
    } else {
      std::cout << fmt::format(
          "key {:<9} {} positions: {:.0f} ns each, of an encoding {:.0f} ns; a move generation "
          "{:.0f} ns, ratio {:.2f}\n",
          set.name, set.games.size(), key, encoding_key, movegen, key / movegen);
    }
    APIARY_CHECK(used != 0, "{} positions", set.games.size());
  }
  return 0;
}

}  // namespace apiary::app
