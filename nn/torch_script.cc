#include "nn/torch_script.h"

#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <sstream>

#include "nn/hex_ops.h"
#include "nn/net_layout.h"
#include "nn/torch_evaluator.h"

namespace apiary::nn {
namespace {

constexpr const char* kMetadataFile = "metadata.json";

// The formulas of nn/hive_net.h; BODY stands for the residual blocks.
constexpr const char* kSource = R"script(
def embed_sum(self, table: Tensor, features: Tensor, offsets: Tensor) -> Tensor:
    index = features.long() + offsets
    return table.index_select(0, index.flatten()).view(
        [features.size(0), features.size(1), table.size(1)]).sum(1)

def hex_conv(self, x: Tensor, taps: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    no_row = torch.zeros([1, x.size(1)], dtype=x.dtype, device=x.device)
    gathered = torch.cat([torch.relu(x), no_row]).index_select(0, taps)
    return torch.addmm(bias, gathered.view([x.size(0), 7 * x.size(1)]), weight)

def pool(self, x: Tensor, row_positions: Tensor, row_counts: Tensor) -> Tensor:
    zeros = torch.zeros([row_counts.size(0), x.size(1)], dtype=x.dtype, device=x.device)
    mean = zeros.index_add(0, row_positions, x) / row_counts
    index = row_positions.unsqueeze(1).expand_as(x)
    most = zeros.scatter_reduce(0, index, x, "amax", include_self=False)
    return torch.cat([mean, most], 1)

def positions_of(self, begin: Tensor) -> Tensor:
    counts = begin[1:] - begin[:-1]
    return torch.repeat_interleave(torch.arange(counts.size(0), device=begin.device), counts)

def policy(self, trunk: Tensor, pooled: Tensor, moves: Tensor, move_positions: Tensor) -> Tensor:
    h = self.policy_out.size(0)
    rows = torch.addmm(self.policy_rows_bias, trunk, self.policy_rows)
    position = torch.mm(pooled, self.policy_position)
    source = moves[:, 0]
    hand = (-1 - source).clamp(0, self.policy_hand.size(0) - 1)
    from_board = rows[:, :h].index_select(0, source.clamp(min=0)) \
        + position[:, :h].index_select(0, move_positions)
    from_hand = self.policy_hand.index_select(0, hand) \
        + position[:, h:].index_select(0, move_positions)
    made = torch.where((source >= 0).unsqueeze(1), from_board, from_hand) \
        + rows[:, h:].index_select(0, moves[:, 1])
    logits = torch.mv(torch.relu(made), self.policy_out)
    return torch.where(source == PASS, torch.zeros_like(logits), logits)

def value_hidden(self, trunk: Tensor, pooled: Tensor, queen_rows: Tensor) -> Tensor:
    rows = trunk.size(0)
    in_hand = torch.arange(rows, rows + 2, device=queen_rows.device)
    index = torch.where(queen_rows >= 0, queen_rows, in_hand)
    queens = torch.cat([trunk, self.value_queen_in_hand]).index_select(0, index.flatten())
    value = torch.cat([pooled, queens.view([queen_rows.size(0), 2 * trunk.size(1)])], 1)
    return torch.relu(torch.addmm(self.value_bias, value, self.value_weight))

def forward(self, row_features: Tensor, neighbors: Tensor, position_features: Tensor,
            queen_rows: Tensor, moves: Tensor, row_begin: Tensor,
            move_begin: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    row_begin = row_begin.long()
    row_positions = self.positions_of(row_begin)
    row_counts = (row_begin[1:] - row_begin[:-1]).unsqueeze(1).to(self.policy_out.dtype)
    rows = neighbors.size(0)
    around = neighbors.long()
    around = torch.where(around < 0, torch.full_like(around, rows), around)
    itself = torch.arange(rows, device=around.device).unsqueeze(1)
    taps = torch.cat([itself, around], 1).flatten()

    x = self.embed_sum(self.rows_table, row_features, self.rows_offsets)
    position = torch.relu(
        self.embed_sum(self.position_table, position_features, self.position_offsets))
    position = torch.addmm(self.position_bias, position, self.position_weight)
    x = x + position.index_select(0, row_positions)
BODY
    trunk = torch.relu(x)
    pooled = self.pool(trunk, row_positions, row_counts)
    logits = self.policy(trunk, pooled, moves.long(), self.positions_of(move_begin.long()))
    hidden = self.value_hidden(trunk, pooled, queen_rows.long())
    wdl = torch.softmax(torch.addmm(self.value_wdl_bias, hidden, self.value_wdl_weight), 1)
    length = torch.addmm(self.value_length_bias, hidden, self.value_length_weight)
    return logits, wdl, SCALE * torch.softplus(length).squeeze(1)
)script";

void Replace(std::string& text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  APIARY_CHECK(at != std::string::npos, "no {} in the source", what);
  text.replace(at, what.size(), with);
}

std::string SourceOf(const NetSpec& spec) {
  std::string body;
  for (int b = 0; b < spec.blocks; ++b) {
    body += fmt::format(
        "    y = self.hex_conv(x, taps, self.block{0}_weight1, self.block{0}_bias1)\n"
        "    x = x + self.hex_conv(y, taps, self.block{0}_weight2, self.block{0}_bias2)\n",
        b);
    if (!HasPooling(b)) continue;
    body += fmt::format(
        "    pooled = self.pool(torch.relu(x), row_positions, row_counts)\n"
        "    added = torch.addmm(self.block{0}_pool_bias, pooled, self.block{0}_pool_weight)\n"
        "    x = x + added.index_select(0, row_positions)\n",
        b);
  }
  std::string source = kSource;
  Replace(source, "BODY\n", body);
  Replace(source, "PASS", std::to_string(env::kPassSource));
  Replace(source, "SCALE", fmt::format("{:.1f}", kMovesLeftScale));
  return source;
}

torch::Tensor ToTorch(const Tensor& tensor) {
  torch::Tensor value = torch::empty(tensor.shape, torch::kFloat);
  std::memcpy(value.mutable_data_ptr<float>(), tensor.bytes.data(), tensor.bytes.size());
  return value;
}

torch::jit::Module MakeModule(const TensorFile& file, const NetSpec& spec) {
  torch::jit::Module module("HiveNet");
  for (const ParameterLayout& parameter : NetLayout(spec.channels, spec.blocks))
    module.register_parameter(parameter.name, ToTorch(file.tensors.at(parameter.name)), false);
  const auto offsets = [](const std::vector<std::int32_t>& values) {
    return torch::tensor(std::vector<std::int64_t>(values.begin(), values.end()), torch::kLong);
  };
  module.register_buffer("rows_offsets", offsets(RowFeatureOffsets()));
  module.register_buffer("position_offsets", offsets(PositionFeatureOffsets()));
  module.define(SourceOf(spec));
  module.eval();
  return module;
}

// The first line with words of what LibTorch says; a stack of calls follows it.
std::string FirstLine(const std::exception& error) {
  const std::string text = error.what();
  const std::size_t begin = std::min(text.find_first_not_of(" \n"), text.size());
  return text.substr(begin, text.find('\n', begin) - begin);
}

base::Result<std::string> Serialize(const TensorFile& file, const NetSpec& spec) {
  try {
    const nlohmann::json metadata = ExportMetadata(file, kTorchScriptFormatName);
    std::ostringstream out;
    MakeModule(file, spec).save(out, {{kMetadataFile, metadata.dump(2)}});
    return std::move(out).str();
  } catch (const std::exception& error) {
    return base::Fail("LibTorch could not write the module: {}", FirstLine(error));
  }
}

class TorchScriptEvaluator : public Evaluator {
 public:
  explicit TorchScriptEvaluator(torch::jit::Module module) : module_(std::move(module)) {}

  void Submit(const env::Block& block, Evaluation& evaluation) override {
    try {
      Run(block, evaluation);
    } catch (const std::exception& error) {
      throw Error(fmt::format("LibTorch could not run the module: {}", FirstLine(error)));
    }
    CheckFinite(block, evaluation);
  }
  void Wait(Evaluation&) override {}
  std::string Describe() const override { return "TorchScript on cpu"; }

 private:
  void Run(const env::Block& block, Evaluation& evaluation) {
    const torch::NoGradGuard no_grad;
    // Blocks of as many shapes as there are: nothing that is fitted to one pays.
    const torch::jit::GraphOptimizerEnabledGuard plain(false);
    const BlockTensors in = MakeBlockTensors(block, torch::kCPU);
    const auto out = module_
                         .forward({in.row_features, in.neighbors, in.position_features,
                                   in.queen_rows, in.moves, in.row_begin, in.move_begin})
                         .toTuple();
    Resize(block, evaluation);
    CopyOut(out->elements().at(0), evaluation.logits.data(), evaluation.logits.size());
    static_assert(sizeof(Wdl) == 3 * sizeof(float));
    CopyOut(out->elements().at(1), reinterpret_cast<float*>(evaluation.wdl.data()),
            3 * evaluation.wdl.size());
    CopyOut(out->elements().at(2), evaluation.moves_left.data(), evaluation.moves_left.size());
  }
  static void CopyOut(const c10::IValue& value, float* out, std::size_t size) {
    const torch::Tensor tensor = value.toTensor().to(torch::kFloat).contiguous();
    if (static_cast<std::size_t>(tensor.numel()) != size)
      throw Error(fmt::format("an output has {} values, expected {}", tensor.numel(), size));
    std::copy_n(tensor.const_data_ptr<float>(), size, out);
  }

  torch::jit::Module module_;
};

}  // namespace

ExportFormat TorchScriptFormat() {
  return {kTorchScriptFormatName, Serialize, MakeTorchScriptEvaluator};
}

base::Result<std::unique_ptr<Evaluator>> MakeTorchScriptEvaluator(const std::string& path) {
  try {
    torch::jit::ExtraFilesMap extra = {{kMetadataFile, ""}};
    torch::jit::Module module = torch::jit::load(path, torch::Device(torch::kCPU), extra);
    const auto metadata = nlohmann::json::parse(extra[kMetadataFile], nullptr, false);
    if (!metadata.is_object() || metadata.value("format", "") != kTorchScriptFormatName)
      return base::Fail("{}: \"format\" in its {} is not \"{}\"", path, kMetadataFile,
                        kTorchScriptFormatName);
    module.eval();
    SetUpTorch();
    return std::unique_ptr<Evaluator>(std::make_unique<TorchScriptEvaluator>(std::move(module)));
  } catch (const std::exception& error) {
    return base::Fail("{}: LibTorch cannot load it: {}", path, FirstLine(error));
  }
}

}  // namespace apiary::nn
