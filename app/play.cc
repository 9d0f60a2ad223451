#include <iostream>
#include <memory>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/devices.h"
#include "base/stop.h"
#include "base/text.h"
#include "env/notation.h"
#include "play/drawing.h"

namespace apiary::app {
namespace {

constexpr const char* kHelp =
    "Type a move in UHP notation (wS1, bA1 wS1-, wQ \\bQ, pass), or\n"
    "  moves   all legal moves\n"
    "  undo    take back your last move and the answer to it\n"
    "  help    this text\n"
    "  quit    leave\n";

struct Arguments {
  std::string model;
  std::string color = "white";
  std::string variant;
  std::string device = "auto";
  int simulations = 128;
  std::uint64_t seed = 1;
};

// One game of a human on stdin against a player.
class TerminalGame {
 public:
  TerminalGame(std::unique_ptr<play::Player> player, const env::Rules& rules, env::Color human,
               std::uint64_t seed)
      : player_(std::move(player)),
        game_(rules),
        human_(human),
        stream_{base::RandomStream(seed)} {}

  void Play() {
    std::cout << kHelp;
    while (!quit_ && !game_.outcome().over()) {
      if (game_.side_to_move() == human_) {
        Show();
        AskHuman();
      } else {
        MovePlayer();
      }
    }
    Show();
    if (game_.outcome().over())
      std::cout << fmt::format("{} ({})\n", env::ToString(game_.outcome().result),
                               env::ToString(game_.outcome().reason));
    std::cout << env::ToGameString(game_) << "\n";
  }

 private:
  void Show() const {
    std::cout << "\n" << play::DrawBoard(game_.board());
    for (const env::Color color : {env::Color::kWhite, env::Color::kBlack})
      std::cout << play::DescribeHand(game_.board(), color) << "\n";
  }

  void MovePlayer() {
    const env::Game* const games[] = {&game_};
    env::Move moves[1];
    player_->ChooseMoves(games, std::span(&stream_, 1), moves);
    if (!player_->faults().empty()) {
      const play::Fault& fault = player_->faults()[0];
      if (fault.kind == play::FaultKind::kStopped) {
        quit_ = true;
        return;
      }
      if (!fault.moved) throw Error(fault.what);
    }
    std::cout << fmt::format("{} plays {}\n", player_->name(),
                             env::MoveToString(game_.board(), moves[0]));
    game_.Apply(moves[0]);
  }

  void AskHuman() {
    const int ply = game_.ply();
    std::string line;
    while (!quit_ && game_.ply() == ply) {
      std::cout << env::TurnString(game_.board()) << " > " << std::flush;
      quit_ = !std::getline(std::cin, line) || base::ProcessStop().requested();
      if (!quit_) Answer(base::Trim(line));
    }
  }

  void Answer(std::string_view text) {
    const std::string command = base::ToLower(text);
    if (command.empty()) return;
    if (command == "quit" || command == "exit") {
      quit_ = true;
    } else if (command == "help") {
      std::cout << kHelp;
    } else if (command == "moves") {
      PrintMoves();
    } else if (command == "undo") {
      Undo();
    } else if (auto move = env::ParseMove(game_, text); move) {
      game_.Apply(*move);
    } else {
      std::cout << move.error() << "\n";
    }
  }

  void PrintMoves() const {
    env::MoveList moves;
    game_.LegalMoves(moves);
    for (const env::Move move : moves) std::cout << env::MoveToString(game_.board(), move) << "  ";
    std::cout << "\n";
  }

  void Undo() {
    if (game_.ply() < 2) {
      std::cout << "there is no move of yours to take back\n";
      return;
    }
    game_.Undo();
    game_.Undo();
    Show();
  }

  std::unique_ptr<play::Player> player_;
  env::Game game_;
  env::Color human_;
  base::RandomStream stream_;
  bool quit_ = false;
};

int RunPlay(const Arguments& arguments) {
  const play::PlayerSpec spec = PlayerOrThrow(arguments.model, arguments.simulations);
  env::Rules rules;
  rules.variant = VariantToPlay(arguments.variant, {&spec, 1});
  auto player = OrThrow(play::MakePlayer(spec, MakeEvaluatorFactory(arguments.device),
                                         {.stop = &base::ProcessStop()}));
  OrThrow(player->CheckRules(rules));
  const env::Color human = arguments.color == "white" ? env::Color::kWhite : env::Color::kBlack;
  TerminalGame(std::move(player), rules, human, arguments.seed).Play();
  return base::StopExitCode();
}

}  // namespace

CommandBody AddPlay(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option(
         "MODEL", arguments->model,
         "A weights file or run directory, or another player of apiary match: ab:2, crowd, ...")
      ->required();
  app.add_option("--color", arguments->color, "Your colour: white or black; White begins")
      ->capture_default_str()
      ->check(CLI::IsMember({"white", "black"}));
  app.add_option("--sims", arguments->simulations, "Simulations a move of a net")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--variant", arguments->variant,
                 "Base, Base+M, ..., Base+MLP; without it the net's own, else Base");
  app.add_option("--seed", arguments->seed, "Seed of all random numbers")->capture_default_str();
  app.add_option("--device", arguments->device, kDeviceHelp)->capture_default_str();
  return [arguments] { return RunPlay(*arguments); };
}

}  // namespace apiary::app
