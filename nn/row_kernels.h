// What a hive-only net does to rows beyond products with weights, for one CPU thread, by width of
// vectors: one table a processor (ProductKernel::rows). Torch-free; any thread; no allocation. NaN
// passes through every kernel: a net that broke must be seen at its outputs.
#pragma once

#include <array>
#include <cstdint>

namespace apiary::nn {

// out[i, :] = start + sum over f of table[offsets[f] + features[i, f], :].
struct EmbedCall {
  const std::uint8_t* features = nullptr;  // [rows, columns]
  const std::int32_t* offsets = nullptr;   // [columns]
  std::int64_t rows = 0;
  int columns = 0;
  const float* table = nullptr;  // [any, channels]
  int channels = 0;              // a multiple of 8
  const float* start = nullptr;  // [channels], null: zeros
  float* out = nullptr;          // [rows, channels]
  float* relu_out = nullptr;     // max(out, 0), keeps NaN; or null
};

// Positions of a batch are contiguous segments of rows, given by begin[positions + 1].
struct SegmentCall {
  const std::int32_t* begin = nullptr;
  std::int64_t positions = 0;
  int channels = 0;  // a multiple of 8
};

// The additive policy layer: logit of move m of position p = sum over h of weight[h] *
// relu(hidden[h]) with
//   hidden = rows[source, :h] + rows[destination, h:] + position[p, :h]    for a piece on the
//   board, hidden = hand[type, :] + position[p, h:] + rows[destination, h:]       for one in the
//   hand;
// 0 for a pass. rows: [R, 2 hidden], position: [n, 2 hidden], hand: [8, hidden].
struct PolicyInput {
  const float* rows;
  const float* position;
  const float* hand;
  const float* weight;
  int hidden;                  // a multiple of 8
  std::int32_t first_row = 0;  // what the moves call the first row of `rows`
};
using MoveRows = std::array<std::int32_t, 2>;  // source, destination as in env::EncodedMove

struct RowKernels {
  void (*embed)(const EmbedCall& call);
  // out[p, :] = mean over the position's rows of x, then max over them: [positions, 2 channels].
  void (*pool)(const SegmentCall& call, const float* x, float* out);
  // x[i, :] += added[position of row i, :]; relu_out = max(x, 0), keeps NaN.
  void (*add)(const SegmentCall& call, const float* added, float* x, float* relu_out);
  void (*policy)(const PolicyInput& in, const MoveRows* moves, const std::int32_t* move_begin,
                 std::int64_t positions, float* logits);
};

}  // namespace apiary::nn
