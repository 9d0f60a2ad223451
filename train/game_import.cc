#include "train/game_import.h"

#include <numeric>
#include <utility>

#include "train/imported_game.h"

namespace apiary::train {

int ImportTally::skipped_games() const {
  return std::accumulate(skipped.begin(), skipped.end(), 0);
}

void ImportTally::Add(const ImportTally& other) {
  games += other.games;
  stored += other.stored;
  positions += other.positions;
  without_result += other.without_result;
  agreed += other.agreed;
  for (std::size_t i = 0; i < skipped.size(); ++i) skipped[i] += other.skipped[i];
}

std::string GameImport::KeyOf(const GameRecord& record) {
  std::string key;
  key += static_cast<char>(record.rules.variant.index());
  key += static_cast<char>(record.rules.first_player);
  for (const env::Move move : record.moves) {
    key += static_cast<char>(move.bits() & 0xFF);
    key += static_cast<char>(move.bits() >> 8);
  }
  return key;
}

ImportReport GameImport::Read(std::string_view text) {
  ImportReport report;
  report.format = DetectFormat(text);
  ReadForeignGames(text, [this, &report](const ForeignEntry& entry) {
    ++report.tally.games;
    if (const auto* const game = std::get_if<ForeignGame>(&entry)) {
      Take(*game, report);
    } else {
      Skip(std::get<SkippedGame>(entry), report);
    }
  });
  return report;
}

void GameImport::Take(const ForeignGame& game, ImportReport& report) {
  const env::Variant variant = game.game.rules().variant;
  if (!env::IsOneOf(variant, options_.variants))
    return Skip(
        {game.line, SkipReason::kOtherVariant,
         fmt::format("a game of {}, the run is of {}", env::ToString(variant), options_.variants)},
        report);
  if (game.game.ply() == 0)
    return Skip({game.line, SkipReason::kNoResult, "no move was made"}, report);
  GameRecord record = RecordOfGame(game.game, game.claimed, options_.rules);
  if (!HasResult(record) && !options_.keep_unfinished)
    return Skip(
        {game.line, SkipReason::kNoResult,
         fmt::format("in progress after {} plies, and the text names no result", game.game.ply())},
        report);
  if (!known_.insert(KeyOf(record)).second)
    return Skip({game.line, SkipReason::kDuplicate, "the run has this game already"}, report);
  ++report.tally.stored;
  report.tally.positions += static_cast<int>(record.moves.size());
  report.tally.without_result += !HasResult(record);
  report.tally.agreed += AgreedResult(record) != env::Result::kInProgress;
  sink_(std::move(record));
}

void GameImport::Skip(SkippedGame skipped, ImportReport& report) {
  ++report.tally.skipped[static_cast<std::size_t>(skipped.reason)];
  report.skipped.push_back(std::move(skipped));
}

}  // namespace apiary::train
