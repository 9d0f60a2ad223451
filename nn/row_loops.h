// The kernels of nn/row_kernels.h. Included by one source file for each width of vectors, which is
// compiled for processors that have it; so everything here is local to that file. Sums are made in
// the same order at every width.
#pragma once

#include <cstdint>

#include "env/encoder.h"
#include "nn/row_kernels.h"
#include "nn/vectors.h"

namespace apiary::nn {
namespace {

template <int kWidth>
void KeepPositive(Floats<kWidth>& x) {
  x = x < 0 ? Floats<kWidth>{} : x;
}

// Calls body.operator()<kWidth>(column) for columns 0 .. channels - 1, by sixteen and at the end by
// eight.
template <class Body>
void ForColumns(int channels, const Body& body) {
  int column = 0;
  for (; column + 16 <= channels; column += 16) body.template operator()<16>(column);
  if (column < channels) body.template operator()<8>(column);
}

void Embed(const EmbedCall& call) {
  const std::uint8_t* features = call.features;
  for (std::int64_t i = 0; i < call.rows; ++i, features += call.columns) {
    ForColumns(call.channels, [&]<int kWidth>(int column) {
      Floats<kWidth> sum{};
      if (call.start != nullptr) sum = At<kWidth>(call.start + column);
      for (int f = 0; f < call.columns; ++f) {
        const std::int64_t entry = call.offsets[f] + features[f];
        sum += At<kWidth>(call.table + entry * call.channels + column);
      }
      const std::int64_t at = i * call.channels + column;
      At<kWidth>(call.out + at) = sum;
      if (call.relu_out == nullptr) return;
      KeepPositive<kWidth>(sum);
      At<kWidth>(call.relu_out + at) = sum;
    });
  }
}

void Pool(const SegmentCall& call, const float* x, float* out) {
  for (std::int64_t p = 0; p < call.positions; ++p, out += 2 * call.channels) {
    const std::int64_t rows = call.begin[p + 1] - call.begin[p];
    const float* const first = x + static_cast<std::int64_t>(call.begin[p]) * call.channels;
    const float scale = 1.0f / static_cast<float>(rows);
    ForColumns(call.channels, [&]<int kWidth>(int column) {
      Floats<kWidth> sum = At<kWidth>(first + column), most = sum;
      for (std::int64_t r = 1; r < rows; ++r) {
        const Floats<kWidth> value = At<kWidth>(first + r * call.channels + column);
        sum += value;
        most = value > most ? value : most;
      }
      At<kWidth>(out + column) = sum * scale;
      At<kWidth>(out + call.channels + column) = most;
    });
  }
}

void Add(const SegmentCall& call, const float* added, float* x, float* relu_out) {
  for (std::int64_t p = 0; p < call.positions; ++p, added += call.channels) {
    ForColumns(call.channels, [&]<int kWidth>(int column) {
      const Floats<kWidth> term = At<kWidth>(added + column);
      for (std::int64_t r = call.begin[p]; r < call.begin[p + 1]; ++r) {
        const std::int64_t at = r * call.channels + column;
        Floats<kWidth> sum = At<kWidth>(x + at) + term;
        At<kWidth>(x + at) = sum;
        KeepPositive<kWidth>(sum);
        At<kWidth>(relu_out + at) = sum;
      }
    });
  }
}

template <int kWidth>
float Total(const Floats<kWidth>& sums) {
  float parts[kWidth];
  At<kWidth>(parts) = sums;
  for (int width = kWidth / 2; width > 0; width /= 2)
    for (int i = 0; i < width; ++i) parts[i] += parts[i + width];
  return parts[0];
}

void Policy(const PolicyInput& in, const MoveRows* moves, const std::int32_t* move_begin,
            std::int64_t positions, float* logits) {
  const int hidden = in.hidden;
  for (std::int64_t p = 0; p < positions; ++p) {
    for (std::int32_t m = move_begin[p]; m < move_begin[p + 1]; ++m) {
      const auto [source, destination] = moves[m];
      logits[m] = 0;
      if (source == env::kPassSource) continue;
      const bool on_board = source >= 0;
      const float* a = on_board ? in.rows + std::int64_t{source - in.first_row} * 2 * hidden
                                : in.hand + static_cast<std::int64_t>(-1 - source) * hidden;
      const float* b = in.rows + std::int64_t{destination - in.first_row} * 2 * hidden + hidden;
      const float* c = in.position + p * 2 * hidden + (on_board ? 0 : hidden);
      Floats<16> sums{};
      ForColumns(hidden, [&]<int kWidth>(int h) {
        Floats<kWidth> x = At<kWidth>(a + h) + At<kWidth>(b + h) + At<kWidth>(c + h);
        KeepPositive<kWidth>(x);
        const Floats<kWidth> part = At<kWidth>(in.weight + h) * x;
        if constexpr (kWidth == 16) {
          sums += part;
        } else {
          logits[m] = Total<kWidth>(part);
        }
      });
      logits[m] += Total<16>(sums);
    }
  }
}

constexpr RowKernels kRowLoops = {&Embed, &Pool, &Add, &Policy};

}  // namespace
}  // namespace apiary::nn
