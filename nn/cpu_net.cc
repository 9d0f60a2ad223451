#include "nn/cpu_net.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "nn/hex_kernels.h"
#include "nn/net_layout.h"

namespace apiary::nn {
namespace {

constexpr int kOutputs = 4;

const float* OrNull(const std::vector<float>& values) {
  return values.empty() ? nullptr : values.data();
}

Wdl Softmax(float win, float draw, float loss) {
  const float most = std::max({win, draw, loss});
  const float w = std::exp(win - most), d = std::exp(draw - most), l = std::exp(loss - most);
  const float sum = w + d + l;
  return {w / sum, d / sum, l / sum};
}

// log(1 + e^x), without overflow.
float Softplus(float x) { return x > 20 ? x : std::log1p(std::exp(x)); }

float Dot(const float* a, const float* b, int count) {
  // Sixteen partial sums: the compiler may not reorder one.
  std::array<float, 16> sums{};
  for (int i = 0; i < count; i += 16)
    for (int j = 0; j < 16; ++j) sums[static_cast<std::size_t>(j)] += a[i + j] * b[i + j];
  float sum = 0;
  for (const float part : sums) sum += part;
  return sum;
}

}  // namespace

CpuNet::CpuNet(const TensorFile& file, const NetSpec& spec, const ProductKernel& kernel)
    : spec_(spec),
      channels_(spec.channels),
      kernels_(kernel.rows),
      row_offsets_(RowFeatureOffsets()),
      position_offsets_(PositionFeatureOffsets()),
      row_table_(FloatsOf(file, "rows_table")),
      position_table_(FloatsOf(file, "position_table")),
      policy_hand_(FloatsOf(file, "policy_hand")),
      policy_out_(FloatsOf(file, "policy_out")),
      queen_in_hand_(FloatsOf(file, "value_queen_in_hand")) {
  const auto layer = [&](const std::string& weight, const std::string& bias, int taps, int inputs,
                         int outputs) {
    return Layer{PackedWeights(FloatsOf(file, weight).data(), taps, inputs, outputs, kernel),
                 bias.empty() ? Values() : FloatsOf(file, bias)};
  };
  const int c = channels_;
  position_ = layer("position_weight", "position_bias", 1, c, c);
  for (int b = 0; b < spec.blocks; ++b) {
    const std::string prefix = fmt::format("block{}_", b);
    ResidualBlock block{layer(prefix + "weight1", prefix + "bias1", kTaps, c, c),
                        layer(prefix + "weight2", prefix + "bias2", kTaps, c, c), std::nullopt};
    if (HasPooling(b))
      block.pooling = layer(prefix + "pool_weight", prefix + "pool_bias", 1, 2 * c, c);
    blocks_.push_back(std::move(block));
  }
  policy_rows_ = layer("policy_rows", "policy_rows_bias", 1, c, 2 * c);
  policy_position_ = layer("policy_position", "", 1, 2 * c, 2 * c);
  value_ = layer("value_weight", "value_bias", 1, 4 * c, 2 * c);
  const Values wdl = FloatsOf(file, "value_wdl_weight"),
               length = FloatsOf(file, "value_length_weight");
  for (std::size_t o = 0; o < 3; ++o)
    for (std::size_t i = 0; i < length.size(); ++i) output_weight_.push_back(wdl[3 * i + o]);
  output_weight_.insert(output_weight_.end(), length.begin(), length.end());
  output_bias_ = FloatsOf(file, "value_wdl_bias");
  output_bias_.push_back(FloatsOf(file, "value_length_bias")[0]);
}

// Positions first .. end - 1 of a block, whose rows together stay in the caches from layer to
// layer.
struct CpuNet::Chunk {
  const env::Block& block;
  std::size_t first;
  std::size_t end;

  std::size_t size() const { return end - first; }
  std::int32_t first_row() const { return block.row_begin[first]; }
  std::int64_t rows() const { return block.row_begin[end] - block.row_begin[first]; }
  std::span<const NeighborSlots> neighbors() const {
    return {block.neighbors.data() + first_row(), static_cast<std::size_t>(rows())};
  }
};

void CpuNet::Forward(const env::Block& block, Evaluation& evaluation) {
  constexpr std::int32_t kChunkBytes = 24 << 10;  // of one activation
  const std::int32_t most = kChunkBytes / (channels_ * static_cast<std::int32_t>(sizeof(float)));
  const auto n = static_cast<std::size_t>(block.positions());
  for (std::size_t first = 0; first < n;) {
    std::size_t end = first + 1;
    while (end < n && block.row_begin[end + 1] - block.row_begin[first] <= most) ++end;
    ForwardChunk({block, first, end}, evaluation);
    first = end;
  }
}

void CpuNet::Resize(const Chunk& chunk) {
  const auto c = static_cast<std::size_t>(channels_);
  const auto rows = static_cast<std::size_t>(chunk.rows());
  const std::size_t n = chunk.size();
  for (Values* values : {&scratch_.x, &scratch_.activated, &scratch_.hidden})
    values->resize(rows * c);
  scratch_.policy_rows.resize(rows * 2 * c);
  for (Values* values : {&scratch_.position, &scratch_.added}) values->resize(n * c);
  for (Values* values : {&scratch_.pooled, &scratch_.policy_position, &scratch_.value_hidden})
    values->resize(n * 2 * c);
  scratch_.value_in.resize(n * 4 * c);
  scratch_.row_begin.resize(n + 1);
  for (std::size_t p = 0; p <= n; ++p)
    scratch_.row_begin[p] = chunk.block.row_begin[chunk.first + p] - chunk.first_row();
}

void CpuNet::ForwardChunk(const Chunk& chunk, Evaluation& evaluation) {
  Resize(chunk);
  scratch_.neighbors.Assign(chunk.neighbors(), chunk.first_row());
  RunTrunk(chunk);
  Pool();
  RunPolicy(chunk, evaluation);
  RunValue(chunk, evaluation);
}

SegmentCall CpuNet::Segments() const {
  return {scratch_.row_begin.data(), static_cast<std::int64_t>(scratch_.row_begin.size()) - 1,
          channels_};
}

void CpuNet::Pool() {
  kernels_.pool(Segments(), scratch_.activated.data(), scratch_.pooled.data());
}

void CpuNet::EmbedRows(const Chunk& chunk) {
  EmbedCall call;
  call.offsets = row_offsets_.data();
  call.columns = env::kNumRowFeatures;
  call.table = row_table_.data();
  call.channels = channels_;
  for (std::size_t p = 0; p < chunk.size(); ++p) {
    const std::int64_t row = scratch_.row_begin[p];
    call.rows = scratch_.row_begin[p + 1] - row;
    call.features = chunk.block.row_features.data() + (chunk.first_row() + row) * call.columns;
    call.start = scratch_.added.data() + p * static_cast<std::size_t>(channels_);
    call.out = scratch_.x.data() + row * channels_;
    call.relu_out = scratch_.activated.data() + row * channels_;
    kernels_.embed(call);
  }
}

void CpuNet::RunTrunk(const Chunk& chunk) {
  const auto n = static_cast<std::int64_t>(chunk.size());
  float* const position = scratch_.position.data();
  kernels_.embed({chunk.block.position_features.data() + chunk.first * env::kNumPositionFeatures,
                  position_offsets_.data(), n, env::kNumPositionFeatures, position_table_.data(),
                  channels_, nullptr, position, position});
  position_.weight.Multiply(position, nullptr, n, OrNull(position_.bias), nullptr,
                            scratch_.added.data());
  EmbedRows(chunk);
  for (const ResidualBlock& weights : blocks_) RunBlock(weights, chunk);
}

void CpuNet::RunBlock(const ResidualBlock& weights, const Chunk& chunk) {
  float* const x = scratch_.x.data();
  weights.conv1.weight.Multiply(scratch_.activated.data(), &scratch_.neighbors, chunk.rows(),
                                OrNull(weights.conv1.bias), nullptr, scratch_.hidden.data(),
                                scratch_.hidden.data());
  weights.conv2.weight.Multiply(scratch_.hidden.data(), &scratch_.neighbors, chunk.rows(),
                                OrNull(weights.conv2.bias), x, x, scratch_.activated.data());
  if (!weights.pooling) return;
  Pool();
  weights.pooling->weight.Multiply(scratch_.pooled.data(), nullptr,
                                   static_cast<std::int64_t>(chunk.size()),
                                   OrNull(weights.pooling->bias), nullptr, scratch_.added.data());
  kernels_.add(Segments(), scratch_.added.data(), x, scratch_.activated.data());
}

void CpuNet::RunPolicy(const Chunk& chunk, Evaluation& evaluation) {
  const auto n = static_cast<std::int64_t>(chunk.size());
  policy_rows_.weight.Multiply(scratch_.activated.data(), nullptr, chunk.rows(),
                               OrNull(policy_rows_.bias), nullptr, scratch_.policy_rows.data());
  policy_position_.weight.Multiply(scratch_.pooled.data(), nullptr, n, nullptr, nullptr,
                                   scratch_.policy_position.data());
  static_assert(sizeof(env::EncodedMove) == sizeof(MoveRows));
  kernels_.policy({scratch_.policy_rows.data(), scratch_.policy_position.data(),
                   policy_hand_.data(), policy_out_.data(), channels_, chunk.first_row()},
                  reinterpret_cast<const MoveRows*>(chunk.block.moves.data()),
                  chunk.block.move_begin.data() + chunk.first, n, evaluation.logits.data());
}

void CpuNet::RunValue(const Chunk& chunk, Evaluation& evaluation) {
  const auto c = static_cast<std::size_t>(channels_);
  for (std::size_t p = 0; p < chunk.size(); ++p) {
    float* in = scratch_.value_in.data() + p * 4 * c;
    in = std::copy_n(scratch_.pooled.data() + p * 2 * c, 2 * c, in);
    for (std::size_t side = 0; side < 2; ++side) {
      const std::int32_t row = chunk.block.queen_rows[chunk.first + p][side];
      const float* queen = row < 0 ? queen_in_hand_.data() + side * c
                                   : scratch_.activated.data() +
                                         static_cast<std::size_t>(row - chunk.first_row()) * c;
      in = std::copy_n(queen, c, in);
    }
  }
  value_.weight.Multiply(scratch_.value_in.data(), nullptr, static_cast<std::int64_t>(chunk.size()),
                         OrNull(value_.bias), nullptr, scratch_.value_hidden.data(),
                         scratch_.value_hidden.data());
  for (std::size_t p = 0; p < chunk.size(); ++p) {
    std::array<float, kOutputs> out;
    for (std::size_t o = 0; o < kOutputs; ++o)
      out[o] = output_bias_[o] + Dot(scratch_.value_hidden.data() + p * 2 * c,
                                     output_weight_.data() + o * 2 * c, 2 * channels_);
    evaluation.wdl[chunk.first + p] = Softmax(out[0], out[1], out[2]);
    evaluation.moves_left[chunk.first + p] = kMovesLeftScale * Softplus(out[3]);
  }
}

double CpuNet::MultiplyAdds(const NetSpec& spec, const env::Block& block) {
  const double c = spec.channels, rows = block.rows(), n = block.positions();
  const double poolings = spec.blocks / 2;
  const double convolutions = 2 * spec.blocks * kTaps * c * c * rows;
  const double heads = rows * c * 2 * c + n * (2 * c * 2 * c + 4 * c * 2 * c + 2 * c * kOutputs) +
                       c * block.move_count();
  return convolutions + heads + n * c * c + poolings * n * 2 * c * c;
}

}  // namespace apiary::nn
