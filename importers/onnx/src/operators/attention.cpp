#include "operators/attention_heads.hpp"
#include "operators/attention_mask.hpp"
#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

#include <string>

namespace backplane::onnx {
namespace {

// Inputs of Attention.
constexpr std::size_t kQueries = 0;
constexpr std::size_t kKeys = 1;
constexpr std::size_t kValues = 2;
constexpr std::size_t kMask = 3;
constexpr std::size_t kPastKeys = 4;
constexpr std::size_t kPastValues = 5;
constexpr std::size_t kNumKeys = 6;

// Its fourth output is what the scores are at one of these.
enum class ScoresStage : std::int64_t { kProduct = 0, kCapped = 1, kMasked = 2, kSoftmax = 3 };
constexpr std::size_t kScoresOutput = 3;

/// [batch, heads, length, size] of each; of keys and values with those of before.
struct AttentionOperands {
  OutputSlot queries;
  OutputSlot keys;
  OutputSlot values;
  std::int64_t num_past = 0;
};

void CheckRanks(Node& node) {
  const std::uint32_t rank = node.GetInputShape(kQueries).rank;
  const bool is_alike =
      node.GetInputShape(kKeys).rank == rank && node.GetInputShape(kValues).rank == rank;
  if (is_alike && (rank == 3 || rank == 4)) return;
  node.RefuseAsInvalid("its queries, keys and values are " + ToText(node.GetInputShape(kQueries)) +
                       ", " + ToText(node.GetInputShape(kKeys)) + " and " +
                       ToText(node.GetInputShape(kValues)) +
                       "; all of rank 3 or all of rank 4 is expected");
}

OutputSlot GetHeads(Node& node, std::size_t index, std::int64_t num_heads,
                    const std::string& suffix) {
  const OutputSlot input = node.GetInput(index);
  if (node.GetInputShape(index).rank == 4) return input;
  return AddHeads(node, input, num_heads, suffix);
}

OutputSlot AddPast(Node& node, std::size_t index, OutputSlot heads, const std::string& suffix) {
  if (!node.HasInput(index)) return heads;
  const TensorShape& past = node.GetInputShape(index);
  TensorShape expected = node.GetInfo(heads).shape;
  if (past.rank == 4) expected[2] = past[2];
  if (past != expected) {
    node.RefuseAsInvalid("its input " + std::to_string(index) + ", of before, is " + ToText(past) +
                         "; what comes behind is " + ToText(node.GetInfo(heads).shape));
  }
  return AddConcat(node, {node.GetInput(index), heads}, 2, suffix);
}

void CheckPast(Node& node) {
  if (node.HasInput(kPastKeys) != node.HasInput(kPastValues)) {
    node.RefuseAsInvalid("it has only one of past_key and past_value; both or none are expected");
  }
  if (node.HasInput(kNumKeys) && node.HasInput(kPastKeys)) {
    node.RefuseAsInvalid("it has both nonpad_kv_seqlen and past_key; one of them is expected");
  }
}

AttentionOperands ReadOperands(Node& node) {
  CheckRanks(node);
  CheckPast(node);
  // Inputs of rank 4 say it themselves.
  const std::int64_t query_heads = node.GetAttributes().FindInt("q_num_heads").value_or(0);
  const std::int64_t key_heads = node.GetAttributes().FindInt("kv_num_heads").value_or(0);
  AttentionOperands operands;
  operands.queries = GetHeads(node, kQueries, query_heads, "/queries");
  const OutputSlot keys = GetHeads(node, kKeys, key_heads, "/keys");
  const OutputSlot values = GetHeads(node, kValues, key_heads, "/values");
  operands.keys = AddPast(node, kPastKeys, keys, "/present_keys");
  operands.values = AddPast(node, kPastValues, values, "/present_values");
  const TensorShape& all = node.GetInfo(operands.keys).shape;
  const TensorShape& of_values = node.GetInfo(operands.values).shape;
  if (all[0] != of_values[0] || all[1] != of_values[1] || all[2] != of_values[2]) {
    node.RefuseAsInvalid("its keys are " + ToText(all) + " and its values " + ToText(of_values) +
                         "; the same number of each is expected");
  }
  operands.num_past = all[2] - node.GetInfo(keys).shape[2];
  return operands;
}

std::optional<std::int64_t> ReadBound(Node& node, const char* name) {
  const std::int64_t stated = node.GetAttributes().FindInt(name).value_or(-1);
  if (stated < -1) {
    node.RefuseAsInvalid(std::string(name) + " is " + std::to_string(stated) +
                         "; -1 or a number of keys is expected");
  }
  // No sequence is longer, and sums with it do not overflow.
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  if (stated < 0 || stated >= kMost) return {};
  return stated;
}

AttentionWindow ReadWindow(Node& node, const AttentionOperands& operands) {
  AttentionWindow window;
  window.left = ReadBound(node, "left_window_size");
  window.right = ReadBound(node, "right_window_size");
  if (node.GetAttributes().GetFlag("is_causal")) window.right = 0;
  window.offset = operands.num_past;
  if (!node.HasInput(kNumKeys)) return window;
  const TensorShape& counts = node.GetInputShape(kNumKeys);
  const TensorShape expected = {node.GetInfo(operands.queries).shape[0]};
  if (counts != expected || node.GetInputInfo(kNumKeys).data_type != DataType::kInt64) {
    node.RefuseAsInvalid("its nonpad_kv_seqlen is " + ToText(counts) + " " +
                         GetDataTypeName(node.GetInputInfo(kNumKeys).data_type) + "; " +
                         ToText(expected) + " int64 is expected");
  }
  window.num_keys = node.GetInput(kNumKeys);
  return window;
}

OutputSlot AddSoftCap(Node& node, OutputSlot scores) {
  const float cap = node.GetAttributes().FindFloat("softcap").value_or(0.0F);
  if (!(cap > 0.0F)) return scores;
  return AddActivation(node, ActivationFunction::kTanH, scores, "/softcap", cap, 1.0F / cap);
}

// In the type that softmax_precision states, which is that of the scores without it.
OutputSlot AddSoftmax(Node& node, OutputSlot scores) {
  const DataType type = node.GetInfo(scores).data_type;
  const OutputSlot exact = AddCast(node, scores, ReadSoftmaxPrecision(node, type), "/softmax/cast");
  return AddCast(node, AddProbabilities(node, exact, "/softmax"), type, "/probabilities");
}

ScoresStage ReadStage(Node& node) {
  const std::int64_t stated = node.GetAttributes().FindInt("qk_matmul_output_mode").value_or(0);
  if (stated < 0 || stated > 3) {
    node.RefuseAsInvalid("qk_matmul_output_mode is " + std::to_string(stated) +
                         "; 0 to 3 is expected");
  }
  return static_cast<ScoresStage>(stated);
}

/// What attention goes through, of which the node may give one stage.
class ScoresOutput {
 public:
  explicit ScoresOutput(Node& node) : node_(node), stage_(ReadStage(node)) {}

  bool IsRead(ScoresStage at) const { return stage_ == at && node_.IsOutputRead(kScoresOutput); }

  OutputSlot Pass(ScoresStage at, OutputSlot scores) {
    if (IsRead(at)) node_.SetOutput(kScoresOutput, scores);
    return scores;
  }

 private:
  Node& node_;
  ScoresStage stage_;
};

/// Probabilities, and who of the queries has some.
struct AttentionWeights {
  OutputSlot probabilities;
  AttentionMask mask;
};

AttentionWeights AddWeights(Node& node, const AttentionOperands& operands) {
  const AttentionWindow window = ReadWindow(node, operands);
  const TensorInfo queries = node.GetInfo(operands.queries);
  const double scale = ReadAttentionScale(node, operands.queries);
  ScoresOutput output(node);
  const OutputSlot keys = AddRepeatedHeads(node, operands.keys, queries.shape[1], "/repeated_keys");
  const OutputSlot product =
      output.Pass(ScoresStage::kProduct, AddScores(node, operands.queries, keys, scale));
  const OutputSlot capped = output.Pass(ScoresStage::kCapped, AddSoftCap(node, product));
  const TensorShape scores = node.GetInfo(capped).shape;
  const AttentionMask mask = AddAttentionMask(node, kMask, window, scores, queries.data_type);
  const OutputSlot masked = output.Pass(ScoresStage::kMasked, ApplyMask(node, mask, capped));
  const OutputSlot probabilities = AddSoftmax(node, masked);
  if (output.IsRead(ScoresStage::kSoftmax)) {
    node.SetOutput(kScoresOutput, ClearUnseeing(node, mask, probabilities, "/output3"));
  }
  return {probabilities, mask};
}

}  // namespace

// What queries that see no key give is cleared behind the product, so that scores, Softmax and
// product lie next to each other.
void ConvertAttention(Node& node) {
  const AttentionOperands operands = ReadOperands(node);
  const TensorInfo queries = node.GetInfo(operands.queries);
  const AttentionWeights weights = AddWeights(node, operands);
  const bool is_flat = node.GetInputShape(kQueries).rank == 3;
  const bool is_last = !is_flat && !weights.mask.sees_any;
  const DataType type = node.GetInfo(operands.values).data_type;
  const OutputSlot product = AddWeightedValues(
      node, AddCast(node, weights.probabilities, type, "/probabilities/cast"),
      AddRepeatedHeads(node, operands.values, queries.shape[1], "/repeated_values"),
      is_last ? "" : "/product");
  const OutputSlot result =
      ClearUnseeing(node, weights.mask, AddCast(node, product, queries.data_type, "/cast"),
                    is_flat ? "/seen_values" : "");
  node.SetOutput(is_flat ? AddJoinedHeads(node, result, "") : result);
  node.SetOutput(1, operands.keys);
  node.SetOutput(2, operands.values);
}

}  // namespace backplane::onnx
