#include "nn/onnx_export.h"

#include <cstring>
#include <limits>

#include "nn/matrix_product.h"
#include "nn/net_layout.h"
#include "nn/onnx_evaluator.h"
#include "nn/onnx_graph.h"

namespace apiary::nn {
namespace {

using Names = std::vector<std::string>;

// The end of a Slice that has none.
constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kRows = 0;     // first axis
constexpr std::int64_t kColumns = 1;  // second axis
constexpr std::int64_t kNo = 0;

// Writes the formulas of nn/hive_net.h. Negative row numbers count from the end of what they are
// looked up in, in ONNX as in Python: what stands for "no row", "in hand" and "pass" is appended
// there, so that the numbers of the encoding serve as they are.
class NetGraph {
 public:
  NetGraph(const TensorFile& file, const NetSpec& spec, onnx::GraphProto& proto)
      : file_(file), spec_(spec), channels_(spec.channels), graph_(proto) {}

  void Write() {
    DeclareInputs();
    Index();
    std::string x = Embed();
    for (int b = 0; b < spec_.blocks; ++b) x = Block(b, x);
    const std::string trunk = graph_.Add("Relu", {x}, {}, "trunk");
    const std::string pooled = Pool(trunk);
    Policy(trunk, pooled);
    Value(trunk, pooled);
    DeclareOutputs();
  }

 private:
  void DeclareInputs() {
    const std::string rows = "rows", positions = "positions", moves = "moves";
    graph_.Input("row_features", kOnnxInt64, {rows, std::int64_t{env::kNumRowFeatures}},
                 "small numbers that describe each row");
    graph_.Input("neighbors", kOnnxInt64, {rows, std::int64_t{kDirections}},
                 "row numbers E NE NW W SW SE, -1 where there is none");
    graph_.Input("position_features", kOnnxInt64,
                 {positions, std::int64_t{env::kNumPositionFeatures}},
                 "small numbers that describe each position");
    graph_.Input("queen_rows", kOnnxInt64, {positions, std::int64_t{2}},
                 "row numbers of the own and the enemy queen, -1 in hand");
    graph_.Input("moves", kOnnxInt64, {moves, std::int64_t{2}},
                 "source (row, -1 - type from the hand, -9 pass) and destination row");
    graph_.Input("row_begin", kOnnxInt64, {"positions_and_end"},
                 "first row of each position, then the number of rows");
    graph_.Input("move_begin", kOnnxInt64, {"positions_and_end"},
                 "first move of each position, then the number of moves");
  }

  void DeclareOutputs() {
    graph_.Output("logits", kOnnxFloat, {"moves"},
                  "softmax over a position's moves gives the policy; a pass has 0");
    graph_.Output("wdl", kOnnxFloat, {"positions", std::int64_t{3}},
                  "probabilities of win, draw and loss for the side to move");
    graph_.Output("moves_left", kOnnxFloat, {"positions"}, "expected plies to the end");
  }

  std::string Weight(const std::string& name) {
    return graph_.Weight(name, file_.tensors.at(name));
  }
  // A weight that is stored otherwise than in the weights file.
  std::string Weight(const std::string& name, const std::vector<std::int64_t>& shape,
                     const std::vector<float>& values) {
    Tensor tensor{TensorType::kF32, shape,
                  std::vector<std::uint8_t>(values.size() * sizeof(float))};
    std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    return graph_.Weight(name, tensor);
  }
  std::string Slice(const std::string& x, std::int64_t begin, std::int64_t end,
                    std::int64_t axis = 0) {
    return graph_.Add("Slice", {x, graph_.Ints({begin}), graph_.Ints({end}), graph_.Ints({axis})});
  }
  std::string Reshape(const std::string& x, const std::vector<std::int64_t>& shape) {
    return graph_.Add("Reshape", {x, graph_.Ints(shape)});
  }
  std::string Unsqueeze(const std::string& x, std::int64_t axis) {
    return graph_.Add("Unsqueeze", {x, graph_.Ints({axis})});
  }
  // 0 .. count - 1 for a scalar.
  std::string CountUp(const std::string& count) {
    return graph_.Add("Range",
                      {graph_.Scalar(std::int64_t{0}), count, graph_.Scalar(std::int64_t{1})});
  }

  // The position of every entry: ones are set where a position other than the first begins, and
  // summed up. Positions without moves begin where the next does, perhaps at the end.
  std::string PositionOfEach(const std::string& begin) {
    const std::string starts = Slice(begin, 1, -1);
    const std::string count = Slice(begin, -1, kToTheEnd);  // [1]
    const std::string zeros =
        graph_.Add("Expand", {graph_.Ints({0}), graph_.Add("Add", {count, graph_.Ints({1})})});
    const std::string ones =
        graph_.Add("Expand", {graph_.Ints({1}), graph_.Add("Shape", {starts})});
    const std::string marks = graph_.Add("ScatterElements", {zeros, starts, ones},
                                         {{"axis", kRows}, {"reduction", std::string("add")}});
    const std::string sums = graph_.Add("CumSum", {marks, graph_.Scalar(kRows)});
    return Slice(sums, 0, -1);
  }

  // What depends on the shape of the block alone.
  void Index() {
    row_positions_ = PositionOfEach("row_begin");
    move_positions_ = PositionOfEach("move_begin");
    const std::string rows =
        graph_.Add("Squeeze", {Slice("row_begin", -1, kToTheEnd), graph_.Ints({0})});
    taps_ = graph_.Add("Concat", {Unsqueeze(CountUp(rows), 1), "neighbors"}, {{"axis", kColumns}},
                       "taps");
    // The rows of each position as a table, as wide as the largest position has rows; -1 fills it.
    const std::string begin = Slice("row_begin", 0, -1), end = Slice("row_begin", 1, kToTheEnd);
    const std::string counts = graph_.Add("Sub", {end, begin});
    const std::string most = graph_.Add("ReduceMax", {counts}, {{"keepdims", kNo}});
    const std::string table = graph_.Add("Add", {Unsqueeze(begin, 1), Unsqueeze(CountUp(most), 0)});
    const std::string inside = graph_.Add("Less", {table, Unsqueeze(end, 1)});
    pool_rows_ =
        graph_.Add("Where", {inside, table, graph_.Scalar(std::int64_t{-1})}, {}, "pool_rows");
    row_counts_ = Unsqueeze(graph_.Add("Cast", {counts}, {{"to", std::int64_t{kOnnxFloat}}}), 1);
    no_row_ = Weight("no_row", {1, channels_},
                     std::vector<float>(static_cast<std::size_t>(channels_), 0.0F));
  }

  std::string EmbedSum(const std::string& features, const std::vector<std::int32_t>& offsets,
                       const std::string& table) {
    const std::string index = graph_.Add(
        "Add", {features, graph_.Ints(std::vector<std::int64_t>(offsets.begin(), offsets.end()))});
    return graph_.Add("ReduceSum", {graph_.Add("Gather", {Weight(table), index}), graph_.Ints({1})},
                      {{"keepdims", kNo}});
  }
  std::string Embed() {
    const std::string rows = EmbedSum("row_features", RowFeatureOffsets(), "rows_table");
    const std::string position = graph_.Add(
        "Relu", {EmbedSum("position_features", PositionFeatureOffsets(), "position_table")});
    return AddToRows(
        rows, graph_.Add("Gemm", {position, Weight("position_weight"), Weight("position_bias")}));
  }
  std::string AddToRows(const std::string& x, const std::string& of_position) {
    return graph_.Add("Add", {x, graph_.Add("Gather", {of_position, row_positions_})});
  }

  // Of relu(x): every row beside its six neighbours, times the weights.
  std::string HexConv(const std::string& x, const std::string& prefix, const std::string& number) {
    const std::string padded =
        graph_.Add("Concat", {graph_.Add("Relu", {x}), no_row_}, {{"axis", kRows}});
    const std::string gathered =
        Reshape(graph_.Add("Gather", {padded, taps_}), {-1, kTaps * channels_});
    return graph_.Add(
        "Gemm", {gathered, Weight(prefix + "weight" + number), Weight(prefix + "bias" + number)});
  }
  std::string Block(int b, const std::string& x) {
    const std::string prefix = fmt::format("block{}_", b);
    const std::string y =
        graph_.Add("Add", {x, HexConv(HexConv(x, prefix, "1"), prefix, "2")}, {}, prefix + "out");
    if (!HasPooling(b)) return y;
    const std::string pooled = Pool(graph_.Add("Relu", {y}));
    return AddToRows(y, graph_.Add("Gemm", {pooled, Weight(prefix + "pool_weight"),
                                            Weight(prefix + "pool_bias")}));
  }

  // [n, 2 C]: mean and maximum over a position's rows of x >= 0. The zeros of the appended row
  // change neither sum nor maximum.
  std::string Pool(const std::string& x) {
    const std::string padded = graph_.Add("Concat", {x, no_row_}, {{"axis", kRows}});
    const std::string rows = graph_.Add("Gather", {padded, pool_rows_});  // [n, widest, C]
    const std::string sum = graph_.Add("ReduceSum", {rows, graph_.Ints({1})}, {{"keepdims", kNo}});
    const std::string most = graph_.Add(
        "ReduceMax", {rows}, {{"axes", std::vector<std::int64_t>{1}}, {"keepdims", kNo}});
    return graph_.Add("Concat", {graph_.Add("Div", {sum, row_counts_}), most},
                      {{"axis", kColumns}});
  }
  void Policy(const std::string& trunk, const std::string& pooled) {
    const std::int64_t h = channels_;
    const std::string rows = graph_.Add(
        "Gemm", {trunk, Weight("policy_rows"), Weight("policy_rows_bias")}, {}, "policy_of_rows");
    const std::string tail =
        Weight("policy_not_on_board", {env::kNumPieceTypes + 1, h}, HandTail());
    const std::string sources =
        graph_.Add("Concat", {Slice(rows, 0, h, 1), tail}, {{"axis", kRows}});
    const std::string source =
        graph_.Add("Gather", {"moves", graph_.Scalar(std::int64_t{0})}, {{"axis", kColumns}});
    const std::string destination =
        graph_.Add("Gather", {"moves", graph_.Scalar(std::int64_t{1})}, {{"axis", kColumns}});
    const std::string pair =
        graph_.Add("Add", {graph_.Add("Gather", {sources, source}),
                           graph_.Add("Gather", {Slice(rows, h, 2 * h, 1), destination})});
    const std::string sum = graph_.Add("Add", {pair, OfPosition(pooled, source)});
    const std::string logits = graph_.Add(
        "Squeeze",
        {graph_.Add("MatMul", {graph_.Add("Relu", {sum}),
                               Weight("policy_out", {h, 1}, FloatsOf(file_, "policy_out"))}),
         graph_.Ints({1})});
    const std::string is_pass =
        graph_.Add("Equal", {source, graph_.Scalar(std::int64_t{env::kPassSource})});
    graph_.Add("Where", {is_pass, graph_.Scalar(0.0F), logits}, {}, "logits");
  }
  // Two rows of h values a position: for moves on the board, then for those from the hand.
  std::string OfPosition(const std::string& pooled, const std::string& source) {
    const std::string both =
        Reshape(graph_.Add("MatMul", {pooled, Weight("policy_position")}), {-1, channels_});
    const std::string from_hand =
        graph_.Add("Cast", {graph_.Add("Less", {source, graph_.Scalar(std::int64_t{0})})},
                   {{"to", std::int64_t{kOnnxInt64}}});
    const std::string twice = graph_.Add("Mul", {move_positions_, graph_.Scalar(std::int64_t{2})});
    return graph_.Add("Gather", {both, graph_.Add("Add", {twice, from_hand})});
  }
  // Behind the rows, counted from the end: -1 - type for a piece from the hand, -9 for a pass.
  std::vector<float> HandTail() const {
    const std::vector<float> hand = FloatsOf(file_, "policy_hand");
    const auto h = static_cast<std::size_t>(channels_);
    std::vector<float> tail(h, 0.0F);
    for (std::size_t type = env::kNumPieceTypes; type-- > 0;)
      tail.insert(tail.end(), hand.begin() + static_cast<std::ptrdiff_t>(type * h),
                  hand.begin() + static_cast<std::ptrdiff_t>((type + 1) * h));
    return tail;
  }

  void Value(const std::string& trunk, const std::string& pooled) {
    const std::string cells =
        graph_.Add("Concat", {trunk, Weight("value_queen_in_hand")}, {{"axis", kRows}});
    // A queen in hand: the last row but one for the own, the last for the enemy's.
    const std::string in_hand = graph_.Add("Less", {"queen_rows", graph_.Scalar(std::int64_t{0})});
    const std::string index = graph_.Add("Where", {in_hand, graph_.Ints({-2, -1}), "queen_rows"});
    const std::string queens = Reshape(graph_.Add("Gather", {cells, index}), {-1, 2 * channels_});
    const std::string in = graph_.Add("Concat", {pooled, queens}, {{"axis", kColumns}});
    const std::string hidden = graph_.Add(
        "Relu", {graph_.Add("Gemm", {in, Weight("value_weight"), Weight("value_bias")})});
    const std::string wdl = graph_.Add(
        "Gemm", {hidden, Weight("value_wdl_weight"), Weight("value_wdl_bias")}, {}, "wdl_logits");
    graph_.Add("Softmax", {wdl}, {{"axis", kColumns}}, "wdl");
    const std::string length =
        graph_.Add("Gemm", {hidden, Weight("value_length_weight"), Weight("value_length_bias")});
    const std::string left =
        graph_.Add("Mul", {graph_.Add("Softplus", {length}), graph_.Scalar(kMovesLeftScale)});
    graph_.Add("Squeeze", {left, graph_.Ints({1})}, {}, "moves_left");
  }

  const TensorFile& file_;
  const NetSpec& spec_;
  std::int64_t channels_;
  OnnxGraph graph_;
  std::string row_positions_, move_positions_;  // [R], [M]
  std::string taps_;                            // [R, 7]
  std::string pool_rows_;                       // [n, rows of the largest position]
  std::string row_counts_;                      // [n, 1], float
  std::string no_row_;                          // [1, C], zeros
};

}  // namespace

onnx::ModelProto MakeOnnxModel(const TensorFile& file, const NetSpec& spec) {
  onnx::ModelProto model;
  model.set_ir_version(kOnnxIrVersion);
  auto& opset = *model.add_opset_import();
  opset.set_domain("");
  opset.set_version(kOnnxOpset);
  model.set_producer_name("apiary");
  if (const auto version = file.metadata.find("program_version"); version != file.metadata.end())
    model.set_producer_version(version->second);
  model.set_model_version(spec.generation);
  model.set_doc_string("A policy and value net for the board game Hive.");
  for (const auto& [key, value] : ExportMetadata(file, kOnnxFormatName)) {
    auto& entry = *model.add_metadata_props();
    entry.set_key(key);
    entry.set_value(value);
  }
  model.mutable_graph()->set_name(kArchitecture);
  NetGraph(file, spec, *model.mutable_graph()).Write();
  return model;
}

ExportFormat OnnxFormat() {
  const auto serialize = [](const TensorFile& file,
                            const NetSpec& spec) -> base::Result<std::string> {
    // Protocol buffers end at 2 GiB.
    constexpr std::size_t kMost = (std::size_t{2} << 30) - (std::size_t{16} << 20);
    std::size_t bytes = 0;
    for (const auto& [name, tensor] : file.tensors) bytes += tensor.bytes.size();
    if (bytes > kMost)
      return base::Fail(
          "the net has {} MiB of weights, more than an .onnx file of one piece holds "
          "(2 GiB): export .pt or .safetensors",
          bytes >> 20);
    return MakeOnnxModel(file, spec).SerializeAsString();
  };
  return {kOnnxFormatName, serialize, MakeOnnxEvaluator};
}

}  // namespace apiary::nn
