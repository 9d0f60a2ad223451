#include "nn/hex_ops.h"

#include "nn/hex_kernels.h"

namespace apiary::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::tensor_list;

const NeighborSlots* Slots(const torch::Tensor& neighbors) {
  static_assert(sizeof(NeighborSlots) == 6 * sizeof(std::int32_t));
  return reinterpret_cast<const NeighborSlots*>(neighbors.const_data_ptr<std::int32_t>());
}
const MoveRows* Moves(const torch::Tensor& moves) {
  return reinterpret_cast<const MoveRows*>(moves.const_data_ptr<std::int32_t>());
}
const std::int32_t* Begin(const torch::Tensor& begin) {
  return begin.const_data_ptr<std::int32_t>();
}
const float* In(const torch::Tensor& tensor) { return tensor.const_data_ptr<float>(); }
const float* InOrNull(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.const_data_ptr<float>() : nullptr;
}
float* Out(torch::Tensor& tensor) { return tensor.mutable_data_ptr<float>(); }
int Channels(const torch::Tensor& tensor) { return static_cast<int>(tensor.size(1)); }

bool UseKernels(const torch::Tensor& x, bool reference) {
  return !reference && x.is_cpu() && x.scalar_type() == torch::kFloat;
}
// Function::apply costs microseconds; without gradients the kernel is called directly.
bool NeedsGraph() { return torch::GradMode::is_enabled() && !torch::InferenceMode::is_enabled(); }

// ---- EmbedSum ----
torch::Tensor EmbedSumForward(const torch::Tensor& table, const torch::Tensor& features,
                              const torch::Tensor& offsets) {
  torch::Tensor out = torch::empty({features.size(0), table.size(1)}, table.options());
  EmbedSum(features.const_data_ptr<std::uint8_t>(), Begin(offsets), features.size(0),
           Channels(features), In(table), Channels(table), Out(out));
  return out;
}
struct EmbedSumFunction : Function<EmbedSumFunction> {
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& table,
                               const torch::Tensor& features, const torch::Tensor& offsets) {
    ctx->save_for_backward({features, offsets});
    ctx->saved_data["entries"] = table.size(0);
    return EmbedSumForward(table, features, offsets);
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    const auto saved = ctx->get_saved_variables();
    const torch::Tensor grad = grads[0].contiguous();
    torch::Tensor out =
        torch::zeros({ctx->saved_data["entries"].toInt(), grad.size(1)}, grad.options());
    EmbedSumBackward(saved[0].const_data_ptr<std::uint8_t>(), Begin(saved[1]), saved[0].size(0),
                     Channels(saved[0]), In(grad), Channels(grad), Out(out));
    return {out, torch::Tensor(), torch::Tensor()};
  }
};

// ---- HexConv ----
torch::Tensor Gather(const torch::Tensor& x, const torch::Tensor& neighbors) {
  torch::Tensor out = torch::empty({x.size(0), kTaps * x.size(1)}, x.options());
  GatherTaps(In(x), Slots(neighbors), x.size(0), Channels(x), Out(out));
  return out;
}
// `activated` is relu(x).
torch::Tensor HexConvForward(const torch::Tensor& activated, const torch::Tensor& weight,
                             const torch::Tensor& bias, const torch::Tensor& residual,
                             const torch::Tensor& neighbors) {
  if (!BestProductKernel().fast) {
    torch::Tensor out = torch::mm(Gather(activated, neighbors), weight);
    if (bias.defined()) out += bias;
    return residual.defined() ? out.add_(residual) : out;
  }
  torch::Tensor out = torch::empty_like(activated);
  const int channels = Channels(activated);
  const auto rows = static_cast<std::size_t>(activated.size(0));
  NeighborPairs pairs;
  pairs.Assign({Slots(neighbors), rows});
  PackedWeights(In(weight), kTaps, channels, channels)
      .Multiply(In(activated), &pairs, activated.size(0), InOrNull(bias), InOrNull(residual),
                Out(out));
  return out;
}
struct HexConvFunction : Function<HexConvFunction> {
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& x,
                               const torch::Tensor& weight, const torch::Tensor& bias,
                               const std::optional<torch::Tensor>& residual,
                               const torch::Tensor& neighbors) {
    const torch::Tensor activated = torch::relu(x);
    ctx->save_for_backward({activated, weight, neighbors});
    ctx->saved_data["has_residual"] = residual.has_value();
    return HexConvForward(activated, weight, bias, residual.value_or(torch::Tensor()), neighbors);
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    const auto saved = ctx->get_saved_variables();
    const torch::Tensor &activated = saved[0], &weight = saved[1], &neighbors = saved[2];
    const torch::Tensor grad = grads[0].contiguous();
    const std::int64_t channels = grad.size(1);
    const torch::Tensor grad_weight = torch::mm(Gather(activated, neighbors).t(), grad);
    // Being a neighbour is mutual: row i reaches x[j] through tap d exactly if j reaches i through
    // the opposite tap. So the gradient is the same convolution with opposite taps exchanged and
    // each matrix transposed.
    static const torch::Tensor opposite = torch::tensor({0, 4, 5, 6, 1, 2, 3}, torch::kLong);
    const torch::Tensor turned = weight.view({kTaps, channels, channels})
                                     .index_select(0, opposite)
                                     .transpose(1, 2)
                                     .contiguous()
                                     .view({kTaps * channels, channels});
    const torch::Tensor grad_activated =
        HexConvForward(grad, turned, torch::Tensor(), torch::Tensor(), neighbors);
    return {torch::threshold_backward(grad_activated, activated, 0), grad_weight, grad.sum(0),
            ctx->saved_data["has_residual"].toBool() ? grads[0] : torch::Tensor(), torch::Tensor()};
  }
};

// ---- SegmentPool ----
struct SegmentPoolFunction : Function<SegmentPoolFunction> {
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& x,
                               const torch::Tensor& begin) {
    const std::int64_t n = begin.size(0) - 1;
    torch::Tensor out = torch::empty({n, 2 * x.size(1)}, x.options());
    torch::Tensor argmax = torch::empty({n, x.size(1)}, x.options().dtype(torch::kInt));
    SegmentPool(In(x), Begin(begin), n, Channels(x), Out(out),
                argmax.mutable_data_ptr<std::int32_t>());
    ctx->save_for_backward({begin, argmax});
    ctx->saved_data["rows"] = x.size(0);
    return out;
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    const auto saved = ctx->get_saved_variables();
    const torch::Tensor grad = grads[0].contiguous();
    torch::Tensor out =
        torch::empty({ctx->saved_data["rows"].toInt(), saved[1].size(1)}, grad.options());
    SegmentPoolBackward(In(grad), Begin(saved[0]), Begin(saved[1]), grad.size(0),
                        Channels(saved[1]), Out(out));
    return {out, torch::Tensor()};
  }
};

// ---- SegmentAdd ----
torch::Tensor SegmentAddForward(const torch::Tensor& x, const torch::Tensor& v,
                                const torch::Tensor& begin) {
  torch::Tensor out = torch::empty_like(x);
  SegmentAdd(In(x), In(v), Begin(begin), v.size(0), Channels(x), Out(out));
  return out;
}
struct SegmentAddFunction : Function<SegmentAddFunction> {
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& x, const torch::Tensor& v,
                               const torch::Tensor& begin) {
    ctx->save_for_backward({begin});
    return SegmentAddForward(x, v, begin);
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    const torch::Tensor begin = ctx->get_saved_variables()[0];
    const torch::Tensor grad = grads[0].contiguous();
    torch::Tensor out = torch::empty({begin.size(0) - 1, grad.size(1)}, grad.options());
    SegmentSum(In(grad), Begin(begin), out.size(0), Channels(grad), Out(out));
    return {grads[0], out, torch::Tensor()};
  }
};

// ---- PolicyLogits ----
PolicyInput Input(const torch::Tensor& rows, const torch::Tensor& position,
                  const torch::Tensor& hand, const torch::Tensor& weight) {
  return {In(rows), In(position), In(hand), In(weight), Channels(hand)};
}
torch::Tensor PolicyForward(const torch::Tensor& rows, const torch::Tensor& position,
                            const torch::Tensor& hand, const torch::Tensor& weight,
                            const torch::Tensor& moves, const torch::Tensor& begin) {
  torch::Tensor out = torch::empty({moves.size(0)}, rows.options());
  PolicyLogits(Input(rows, position, hand, weight), Moves(moves), Begin(begin), position.size(0),
               Out(out));
  return out;
}
struct PolicyFunction : Function<PolicyFunction> {
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& rows,
                               const torch::Tensor& position, const torch::Tensor& hand,
                               const torch::Tensor& weight, const torch::Tensor& moves,
                               const torch::Tensor& begin) {
    ctx->save_for_backward({rows, position, hand, weight, moves, begin});
    return PolicyForward(rows, position, hand, weight, moves, begin);
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    const auto saved = ctx->get_saved_variables();
    const torch::Tensor grad = grads[0].contiguous();
    tensor_list out;
    for (int i = 0; i < 4; ++i)
      out.push_back(torch::zeros_like(saved[static_cast<std::size_t>(i)]));
    PolicyLogitsBackward(Input(saved[0], saved[1], saved[2], saved[3]), Moves(saved[4]),
                         Begin(saved[5]), saved[1].size(0), In(grad),
                         {Out(out[0]), Out(out[1]), Out(out[2]), Out(out[3])});
    out.resize(6);
    return out;
  }
};

// ---- SegmentCrossEntropy ----
struct CrossEntropyFunction : Function<CrossEntropyFunction> {
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& logits,
                               const torch::Tensor& target, const torch::Tensor& begin) {
    torch::Tensor out = torch::empty({begin.size(0) - 1}, logits.options());
    torch::Tensor probabilities = torch::empty_like(logits);
    SegmentCrossEntropy(In(logits), In(target), Begin(begin), out.size(0), Out(out),
                        Out(probabilities));
    ctx->save_for_backward({probabilities, target, begin});
    return out;
  }
  // d out[p] / d logit[m] = probability[m] * sum of targets - target[m].
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    const auto saved = ctx->get_saved_variables();
    const torch::Tensor grad = grads[0].contiguous();
    torch::Tensor out = torch::empty_like(saved[0]);
    const float *probability = In(saved[0]), *target = In(saved[1]), *g = In(grad);
    const std::int32_t* begin = Begin(saved[2]);
    float* result = Out(out);
    for (std::int64_t p = 0; p < grad.size(0); ++p) {
      float sum = 0;
      for (std::int32_t m = begin[p]; m < begin[p + 1]; ++m) sum += target[m];
      for (std::int32_t m = begin[p]; m < begin[p + 1]; ++m)
        result[m] = g[p] * (probability[m] * sum - target[m]);
    }
    return {out, torch::Tensor(), torch::Tensor()};
  }
};

// The segment of every entry of begin: [0, 0, 0, 1, 1, ...].
torch::Tensor Positions(const torch::Tensor& begin, std::int64_t count) {
  const torch::Tensor lengths = begin.diff();
  return torch::repeat_interleave(
      torch::arange(lengths.size(0), begin.options().dtype(torch::kLong)), lengths.to(torch::kLong),
      0, count);
}

template <typename Array>
torch::Tensor View(const Array& array, at::IntArrayRef shape, torch::ScalarType type) {
  // from_blob wants a mutable pointer; nothing writes through it.
  return torch::from_blob(const_cast<void*>(static_cast<const void*>(array.data())), shape,
                          torch::TensorOptions().dtype(type));
}

}  // namespace

torch::Tensor BlockTensors::RowPositions() const { return Positions(row_begin, rows()); }
torch::Tensor BlockTensors::MovePositions() const { return Positions(move_begin, move_count()); }

BlockTensors MakeBlockTensors(const env::Block& block, torch::Device device) {
  static_assert(sizeof(env::EncodedMove) == 2 * sizeof(std::int32_t));
  const std::int64_t n = block.positions(), rows = block.rows();
  BlockTensors tensors;
  tensors.row_features = View(block.row_features, {rows, env::kNumRowFeatures}, torch::kByte);
  tensors.neighbors = View(block.neighbors, {rows, 6}, torch::kInt);
  tensors.position_features =
      View(block.position_features, {n, env::kNumPositionFeatures}, torch::kByte);
  tensors.queen_rows = View(block.queen_rows, {n, 2}, torch::kInt);
  tensors.moves = View(block.moves, {block.move_count(), 2}, torch::kInt);
  tensors.row_begin = View(block.row_begin, {n + 1}, torch::kInt);
  tensors.move_begin = View(block.move_begin, {n + 1}, torch::kInt);
  if (!device.is_cpu()) {
    for (torch::Tensor* tensor :
         {&tensors.row_features, &tensors.neighbors, &tensors.position_features,
          &tensors.queen_rows, &tensors.moves, &tensors.row_begin, &tensors.move_begin})
      *tensor = tensor->to(device);
  }
  return tensors;
}

torch::Tensor EmbedSum(const torch::Tensor& table, const torch::Tensor& features,
                       const torch::Tensor& offsets, bool reference) {
  if (!UseKernels(table, reference)) {
    const torch::Tensor index = features.to(torch::kLong) + offsets.to(torch::kLong);
    return table.index_select(0, index.flatten())
        .view({features.size(0), features.size(1), -1})
        .sum(1);
  }
  return NeedsGraph() ? EmbedSumFunction::apply(table, features, offsets)
                      : EmbedSumForward(table, features, offsets);
}

torch::Tensor HexConv(const torch::Tensor& x, const torch::Tensor& weight,
                      const torch::Tensor& bias, const torch::Tensor& residual,
                      const BlockTensors& block) {
  if (!UseKernels(x, block.reference)) {
    const torch::Tensor padded =
        torch::cat({torch::relu(x), torch::zeros({1, x.size(1)}, x.options())});
    const torch::Tensor self = torch::arange(x.size(0), block.neighbors.options()).unsqueeze(1);
    const torch::Tensor around = block.neighbors.masked_fill(block.neighbors < 0, x.size(0));
    const torch::Tensor taps = padded.index_select(0, torch::cat({self, around}, 1).flatten());
    const torch::Tensor out = torch::addmm(bias, taps.view({x.size(0), -1}), weight);
    return residual.defined() ? out + residual : out;
  }
  if (NeedsGraph()) {
    const auto added = residual.defined() ? std::optional(residual) : std::nullopt;
    return HexConvFunction::apply(x, weight, bias, added, block.neighbors);
  }
  return HexConvForward(torch::relu(x), weight, bias, residual, block.neighbors);
}

torch::Tensor SegmentPool(const torch::Tensor& x, const BlockTensors& block) {
  const std::int64_t n = block.positions();
  if (!UseKernels(x, block.reference)) {
    const torch::Tensor index = block.RowPositions();
    const torch::Tensor count = block.row_begin.diff().unsqueeze(1).to(x.scalar_type());
    const torch::Tensor mean =
        torch::zeros({n, x.size(1)}, x.options()).index_add(0, index, x) / count;
    const torch::Tensor max =
        torch::zeros({n, x.size(1)}, x.options())
            .scatter_reduce(0, index.unsqueeze(1).expand_as(x), x, "amax", /*include_self=*/false);
    return torch::cat({mean, max}, 1);
  }
  if (NeedsGraph()) return SegmentPoolFunction::apply(x, block.row_begin);
  torch::Tensor out = torch::empty({n, 2 * x.size(1)}, x.options());
  SegmentPool(In(x), Begin(block.row_begin), n, Channels(x), Out(out), nullptr);
  return out;
}

torch::Tensor SegmentAdd(const torch::Tensor& x, const torch::Tensor& v,
                         const BlockTensors& block) {
  if (!UseKernels(x, block.reference)) return x + v.index_select(0, block.RowPositions());
  return NeedsGraph() ? SegmentAddFunction::apply(x, v, block.row_begin)
                      : SegmentAddForward(x, v, block.row_begin);
}

torch::Tensor PolicyLogits(const torch::Tensor& rows, const torch::Tensor& position,
                           const torch::Tensor& hand, const torch::Tensor& weight,
                           const BlockTensors& block) {
  if (UseKernels(rows, block.reference)) {
    return NeedsGraph()
               ? PolicyFunction::apply(rows, position, hand, weight, block.moves, block.move_begin)
               : PolicyForward(rows, position, hand, weight, block.moves, block.move_begin);
  }
  const std::int64_t hidden = hand.size(1);
  const torch::Tensor source = block.moves.select(1, 0).to(torch::kLong);
  const torch::Tensor destination = block.moves.select(1, 1).to(torch::kLong);
  const torch::Tensor at = block.MovePositions();
  const torch::Tensor from_board = rows.slice(1, 0, hidden).index_select(0, source.clamp_min(0)) +
                                   position.slice(1, 0, hidden).index_select(0, at);
  const torch::Tensor from_hand = hand.index_select(0, (-1 - source).clamp(0, hand.size(0) - 1)) +
                                  position.slice(1, hidden).index_select(0, at);
  const torch::Tensor sum = torch::where((source >= 0).unsqueeze(1), from_board, from_hand) +
                            rows.slice(1, hidden).index_select(0, destination);
  const torch::Tensor logits = torch::relu(sum).matmul(weight);
  return torch::where(source == env::kPassSource, torch::zeros_like(logits), logits);
}

torch::Tensor SegmentCrossEntropy(const torch::Tensor& logits, const torch::Tensor& target,
                                  const BlockTensors& block) {
  if (UseKernels(logits, block.reference))
    return CrossEntropyFunction::apply(logits, target, block.move_begin);
  const std::int64_t n = block.positions();
  const torch::Tensor at = block.MovePositions();
  const torch::Tensor max =
      torch::zeros({n}, logits.options())
          .scatter_reduce(0, at, logits.detach(), "amax", /*include_self=*/false);
  const torch::Tensor shifted = logits - max.index_select(0, at);
  const torch::Tensor log_sum =
      torch::zeros({n}, logits.options()).index_add(0, at, shifted.exp()).log();
  return torch::zeros({n}, logits.options())
      .index_add(0, at, -target * (shifted - log_sum.index_select(0, at)));
}

}  // namespace apiary::nn
