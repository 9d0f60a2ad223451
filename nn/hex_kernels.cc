#include "nn/hex_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "env/encoder.h"

namespace apiary::nn {

void EmbedSum(const std::uint8_t* features, const std::int32_t* offsets, std::int64_t rows,
              int columns, const float* table, int channels, float* out) {
  BestProductKernel().rows.embed(
      {features, offsets, rows, columns, table, channels, nullptr, out, nullptr});
}

void EmbedSumBackward(const std::uint8_t* features, const std::int32_t* offsets, std::int64_t rows,
                      int columns, const float* grad_out, int channels, float* grad_table) {
  for (std::int64_t i = 0; i < rows; ++i, features += columns, grad_out += channels) {
    for (int f = 0; f < columns; ++f) {
      float* row = grad_table + (offsets[f] + features[f]) * channels;
      for (int c = 0; c < channels; ++c) row[c] += grad_out[c];
    }
  }
}

void GatherTaps(const float* x, const NeighborSlots* neighbors, std::int64_t rows, int channels,
                float* out) {
  const std::size_t bytes = static_cast<std::size_t>(channels) * sizeof(float);
  for (std::int64_t i = 0; i < rows; ++i) {
    std::memcpy(out, x + i * channels, bytes);
    out += channels;
    for (const std::int32_t n : neighbors[i]) {
      if (n < 0) {
        std::memset(out, 0, bytes);
      } else {
        std::memcpy(out, x + static_cast<std::int64_t>(n) * channels, bytes);
      }
      out += channels;
    }
  }
}

void SegmentPool(const float* x, const std::int32_t* begin, std::int64_t positions, int channels,
                 float* out, std::int32_t* argmax) {
  if (argmax == nullptr) {
    BestProductKernel().rows.pool({begin, positions, channels}, x, out);
    return;
  }
  for (std::int64_t p = 0; p < positions; ++p) {
    float* mean = out + p * 2 * channels;
    float* max = mean + channels;
    const float* first = x + static_cast<std::int64_t>(begin[p]) * channels;
    std::copy_n(first, channels, mean);
    std::copy_n(first, channels, max);
    std::fill_n(argmax + p * channels, channels, begin[p]);
    for (std::int32_t r = begin[p] + 1; r < begin[p + 1]; ++r) {
      const float* row = x + static_cast<std::int64_t>(r) * channels;
      for (int c = 0; c < channels; ++c) mean[c] += row[c];
      for (int c = 0; c < channels; ++c) {
        argmax[p * channels + c] = row[c] > max[c] ? r : argmax[p * channels + c];
        max[c] = row[c] > max[c] ? row[c] : max[c];
      }
    }
    const float scale = 1.0f / static_cast<float>(begin[p + 1] - begin[p]);
    for (int c = 0; c < channels; ++c) mean[c] *= scale;
  }
}

void SegmentPoolBackward(const float* grad_out, const std::int32_t* begin,
                         const std::int32_t* argmax, std::int64_t positions, int channels,
                         float* grad_x) {
  for (std::int64_t p = 0; p < positions; ++p) {
    const float* mean = grad_out + p * 2 * channels;
    const float* max = mean + channels;
    const float scale = 1.0f / static_cast<float>(begin[p + 1] - begin[p]);
    for (std::int32_t r = begin[p]; r < begin[p + 1]; ++r)
      for (int c = 0; c < channels; ++c)
        grad_x[static_cast<std::int64_t>(r) * channels + c] = scale * mean[c];
    for (int c = 0; c < channels; ++c)
      grad_x[static_cast<std::int64_t>(argmax[p * channels + c]) * channels + c] += max[c];
  }
}

void SegmentAdd(const float* x, const float* v, const std::int32_t* begin, std::int64_t positions,
                int channels, float* out) {
  for (std::int64_t p = 0; p < positions; ++p) {
    for (std::int32_t r = begin[p]; r < begin[p + 1]; ++r) {
      const std::int64_t at = static_cast<std::int64_t>(r) * channels;
      for (int c = 0; c < channels; ++c) out[at + c] = x[at + c] + v[p * channels + c];
    }
  }
}

void SegmentSum(const float* grad_out, const std::int32_t* begin, std::int64_t positions,
                int channels, float* grad_v) {
  for (std::int64_t p = 0; p < positions; ++p) {
    float* sum = grad_v + p * channels;
    std::fill_n(sum, channels, 0.0f);
    for (std::int32_t r = begin[p]; r < begin[p + 1]; ++r)
      for (int c = 0; c < channels; ++c)
        sum[c] += grad_out[static_cast<std::int64_t>(r) * channels + c];
  }
}

void PolicyLogits(const PolicyInput& in, const MoveRows* moves, const std::int32_t* move_begin,
                  std::int64_t positions, float* logits) {
  BestProductKernel().rows.policy(in, moves, move_begin, positions, logits);
}

void PolicyLogitsBackward(const PolicyInput& in, const MoveRows* moves,
                          const std::int32_t* move_begin, std::int64_t positions,
                          const float* grad_logits, const PolicyGrad& grad) {
  const int hidden = in.hidden;
  for (std::int64_t p = 0; p < positions; ++p) {
    for (std::int32_t m = move_begin[p]; m < move_begin[p + 1]; ++m) {
      const auto [source, destination] = moves[m];
      if (source == env::kPassSource) continue;
      const bool on_board = source >= 0;
      const std::int64_t a =
          static_cast<std::int64_t>(on_board ? source * 2 : -1 - source) * hidden;
      const std::int64_t b = static_cast<std::int64_t>(destination) * 2 * hidden + hidden;
      const std::int64_t c = p * 2 * hidden + (on_board ? 0 : hidden);
      const float* in_a = (on_board ? in.rows : in.hand) + a;
      float* grad_a = (on_board ? grad.rows : grad.hand) + a;
      const float g = grad_logits[m];
      for (int h = 0; h < hidden; ++h) {
        const float sum = in_a[h] + in.rows[b + h] + in.position[c + h];
        const float passed = sum > 0 ? g * in.weight[h] : 0;
        grad.weight[h] += g * Relu(sum);
        grad_a[h] += passed;
        grad.rows[b + h] += passed;
        grad.position[c + h] += passed;
      }
    }
  }
}

void SegmentCrossEntropy(const float* logits, const float* target, const std::int32_t* move_begin,
                         std::int64_t positions, float* out, float* probabilities) {
  for (std::int64_t p = 0; p < positions; ++p) {
    const std::int32_t begin = move_begin[p], end = move_begin[p + 1];
    out[p] = 0;
    if (begin == end) continue;
    const float max = *std::max_element(logits + begin, logits + end);
    float sum = 0;
    for (std::int32_t m = begin; m < end; ++m) sum += probabilities[m] = std::exp(logits[m] - max);
    const float log_sum = max + std::log(sum);
    for (std::int32_t m = begin; m < end; ++m) {
      out[p] -= target[m] * (logits[m] - log_sum);
      probabilities[m] /= sum;
    }
  }
}

}  // namespace apiary::nn
