// Numbers of a run over time: metrics.jsonl (one JSON object a line) and TensorBoard event files.
// One writer thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace apiary::base {

// Appends TensorBoard scalars: TFRecord frames (length, masked CRC-32C) around tensorflow.Event
// protobuf messages, written by hand: https://www.tensorflow.org/tutorials/load_data/tfrecord,
// tensorflow/core/util/event.proto.
class EventFile {
 public:
  // Creates DIR/events.out.tfevents.<seconds>.<host>.<pid> (a further number follows where that
  // exists already).
  static Result<EventFile> Create(const std::string& directory);
  EventFile(EventFile&& other) noexcept;
  EventFile& operator=(EventFile&& other) noexcept;
  ~EventFile();  // flushes
  // Buffered. `value` is stored as a 32-bit float, as TensorBoard does; `wall_time_s` since 1970.
  void Scalar(std::string_view tag, std::int64_t step, double wall_time_s, double value);
  // Writes whole frames. Where the disk is full they stay buffered (at most 1 MiB, then dropped
  // with a warning): the display must not end the run that it shows.
  void Flush();
  const std::string& path() const { return path_; }

 private:
  EventFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  void AppendFrame(std::string_view event);

  int descriptor_ = -1;
  std::string path_;
  std::string pending_;             // whole frames
  std::int64_t written_bytes_ = 0;  // length of the file, whole frames only
};

// Appends one line {"format":"apiary-metrics-1", "time":..., "step":..., name: value...} with a
// single write; the file's torn last line, if a kill left one, is ended first so that it stays one
// bad line.
class MetricsFile {
 public:
  static Result<MetricsFile> Open(const std::string& path);
  MetricsFile(MetricsFile&& other) noexcept;
  MetricsFile& operator=(MetricsFile&& other) noexcept;
  ~MetricsFile();
  // `values` should hold "step"; "time" (seconds since 1970) is added where absent. A value that is
  // not finite is written as null, since JSON has no such numbers, and is absent when read back.
  Result<void> Append(const std::map<std::string, double>& values);

 private:
  MetricsFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}

  int descriptor_ = -1;
  std::string path_;
  bool torn_ = false;  // the file does not end with a line break
};

// All whole lines of a metrics file in order; torn or foreign lines are skipped and counted.
struct MetricsHistory {
  std::vector<std::map<std::string, double>> lines;
  int skipped = 0;
};
Result<MetricsHistory> ReadMetrics(const std::string& path);

}  // namespace apiary::base
