// The net's kernels on plain arrays, row-major, for one CPU thread: what a hive-only net does
// beyond dense matrix products. Torch-free; nn/hex_ops.h wraps them as differentiable operations.
// Positions of a batch are contiguous segments of rows and of moves, given by begin[n + 1]. Any
// thread; no allocation. NaN passes through every kernel: a net that broke must be seen at its
// outputs.
#pragma once

#include <array>
#include <cstdint>

#include "nn/matrix_product.h"

namespace apiary::nn {

// Keeps NaN, unlike std::max(x, 0).
inline float Relu(float x) { return x < 0 ? 0 : x; }

// out[i, :] = sum over f of table[offsets[f] + features[i, f], :]
void EmbedSum(const std::uint8_t* features, const std::int32_t* offsets, std::int64_t rows,
              int columns, const float* table, int channels, float* out);
// grad_table[offsets[f] + features[i, f], :] += grad_out[i, :]
void EmbedSumBackward(const std::uint8_t* features, const std::int32_t* offsets, std::int64_t rows,
                      int columns, const float* grad_out, int channels, float* grad_table);

// out[i, :] = x[i, :], then x of its six neighbours (0 where there is none): [rows, 7 channels].
void GatherTaps(const float* x, const NeighborSlots* neighbors, std::int64_t rows, int channels,
                float* out);

// out[p, :] = mean over the position's rows, then max over them: [n, 2 channels]. argmax: [n,
// channels], the first row that holds the maximum; may be null.
void SegmentPool(const float* x, const std::int32_t* begin, std::int64_t positions, int channels,
                 float* out, std::int32_t* argmax);
void SegmentPoolBackward(const float* grad_out, const std::int32_t* begin,
                         const std::int32_t* argmax, std::int64_t positions, int channels,
                         float* grad_x);

// out[i, :] = x[i, :] + v[position of row i, :]; out may be x.
void SegmentAdd(const float* x, const float* v, const std::int32_t* begin, std::int64_t positions,
                int channels, float* out);
// grad_v[p, :] = sum over the position's rows of grad_out.
void SegmentSum(const float* grad_out, const std::int32_t* begin, std::int64_t positions,
                int channels, float* grad_v);

// The additive policy layer (nn/row_kernels.h).
struct PolicyGrad {
  float* rows;
  float* position;
  float* hand;
  float* weight;
};
void PolicyLogits(const PolicyInput& in, const MoveRows* moves, const std::int32_t* move_begin,
                  std::int64_t positions, float* logits);
// Adds to the gradients.
void PolicyLogitsBackward(const PolicyInput& in, const MoveRows* moves,
                          const std::int32_t* move_begin, std::int64_t positions,
                          const float* grad_logits, const PolicyGrad& grad);

// out[p] = -sum over the position's moves of target * log softmax(logits); 0 without moves.
// probabilities: [M], the softmax.
void SegmentCrossEntropy(const float* logits, const float* target, const std::int32_t* move_begin,
                         std::int64_t positions, float* out, float* probabilities);

}  // namespace apiary::nn
