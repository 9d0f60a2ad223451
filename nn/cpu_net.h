// The hive-only net on one CPU core, without LibTorch: the same function as nn/hive_net.h (its
// header has the formulas) on fused kernels. Weights are packed once; a block is run through all
// layers in chunks that stay in the caches, so that a position costs the same in blocks of any
// size. Forward allocates only while its scratch grows. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "nn/evaluator.h"
#include "nn/matrix_product.h"
#include "nn/safetensors.h"
#include "nn/weights.h"

namespace apiary::nn {

class CpuNet {
 public:
  // Precondition: CheckNet(file) gave `spec`.
  CpuNet(const TensorFile& file, const NetSpec& spec,
         const ProductKernel& kernel = BestProductKernel());

  // Fills `evaluation`, whose vectors have their sizes.
  void Forward(const env::Block& block, Evaluation& evaluation);

  const NetSpec& spec() const { return spec_; }
  // Multiply-adds of one Forward, as a plain implementation would make them.
  static double MultiplyAdds(const NetSpec& spec, const env::Block& block);

 private:
  using Values = std::vector<float>;
  struct Layer {
    PackedWeights weight;
    Values bias;  // empty: none
  };
  struct ResidualBlock {
    Layer conv1, conv2;
    std::optional<Layer> pooling;
  };
  // Of one chunk: R rows, n positions.
  struct Scratch {
    Values x, activated, hidden;     // [R, C]: residual stream, its relu, inside of a block
    Values position, pooled, added;  // [n, C], [n, 2 C], [n, C]
    Values policy_rows;              // [R, 2 C]
    Values policy_position;          // [n, 2 C]
    Values value_in, value_hidden;   // [n, 4 C], [n, 2 C]
    std::vector<std::int32_t> row_begin;
    NeighborPairs neighbors;
  };

  struct Chunk;

  void ForwardChunk(const Chunk& chunk, Evaluation& evaluation);
  void RunTrunk(const Chunk& chunk);
  void RunBlock(const ResidualBlock& weights, const Chunk& chunk);
  void RunPolicy(const Chunk& chunk, Evaluation& evaluation);
  void RunValue(const Chunk& chunk, Evaluation& evaluation);
  void Resize(const Chunk& chunk);
  void EmbedRows(const Chunk& chunk);
  void Pool();
  SegmentCall Segments() const;

  NetSpec spec_;
  int channels_;
  RowKernels kernels_;
  std::vector<std::int32_t> row_offsets_, position_offsets_;
  Values row_table_, position_table_;
  Layer position_;
  std::vector<ResidualBlock> blocks_;
  Layer policy_rows_, policy_position_;
  Values policy_hand_, policy_out_;
  Values queen_in_hand_;
  Layer value_;
  Values output_weight_;  // [4, 2 C]: win, draw, loss, moves left
  Values output_bias_;    // [4]
  Scratch scratch_;
};

}  // namespace apiary::nn
