// Differentiable operations of the hive-only net over ragged batches: positions are contiguous
// segments of rows and of moves. On the CPU each is one pass of a kernel of nn/hex_kernels.h,
// forward and backward; elsewhere, and in tests as a second opinion, it is composed of LibTorch's
// own operations. float32. One thread at a time for each tensor.
#pragma once

#include <torch/torch.h>

#include "env/encoder.h"

namespace apiary::nn {

// The index arrays of a block as tensors on a device. On the CPU they are views: the block must
// outlive them unchanged.
struct BlockTensors {
  torch::Tensor row_features;       // [R, kNumRowFeatures] uint8
  torch::Tensor neighbors;          // [R, 6] int32, -1 where there is none
  torch::Tensor position_features;  // [n, kNumPositionFeatures] uint8
  torch::Tensor queen_rows;         // [n, 2] int32, -1 in hand
  torch::Tensor moves;              // [M, 2] int32, as env::EncodedMove
  torch::Tensor row_begin;          // [n + 1] int32
  torch::Tensor move_begin;         // [n + 1] int32
  bool reference = false;           // true: LibTorch's own operations also on the CPU

  std::int64_t positions() const { return row_begin.size(0) - 1; }
  std::int64_t rows() const { return neighbors.size(0); }
  std::int64_t move_count() const { return moves.size(0); }
  // The position of every row [R] and of every move [M], int64; only the reference operations need
  // them.
  torch::Tensor RowPositions() const;
  torch::Tensor MovePositions() const;
};
BlockTensors MakeBlockTensors(const env::Block& block, torch::Device device);

// Sum of one table row per feature: features [k, F] uint8, offsets [F] int32 (CPU: contiguous),
// table [T, C] -> [k, C].
torch::Tensor EmbedSum(const torch::Tensor& table, const torch::Tensor& features,
                       const torch::Tensor& offsets, bool reference);
// bias + residual + weight applied to relu(x) of each row and its six neighbours. x, residual: [R,
// C] (residual may be undefined), weight: [7 C, C], taps before inputs before outputs; bias: [C].
torch::Tensor HexConv(const torch::Tensor& x, const torch::Tensor& weight,
                      const torch::Tensor& bias, const torch::Tensor& residual,
                      const BlockTensors& block);
// Mean, then maximum over each position's rows: [R, C] -> [n, 2 C]. Of several equal maxima the
// first gets the gradient.
torch::Tensor SegmentPool(const torch::Tensor& x, const BlockTensors& block);
// x [R, C] + v [n, C] of each row's position.
torch::Tensor SegmentAdd(const torch::Tensor& x, const torch::Tensor& v, const BlockTensors& block);
// The additive policy layer, as described at PolicyInput in nn/hex_kernels.h -> [M].
torch::Tensor PolicyLogits(const torch::Tensor& rows, const torch::Tensor& position,
                           const torch::Tensor& hand, const torch::Tensor& weight,
                           const BlockTensors& block);
// Cross entropy of each position's moves: logits, target [M] -> [n]; 0 where target is 0 or there
// are no moves. The target has no gradient.
torch::Tensor SegmentCrossEntropy(const torch::Tensor& logits, const torch::Tensor& target,
                                  const BlockTensors& block);

}  // namespace apiary::nn
