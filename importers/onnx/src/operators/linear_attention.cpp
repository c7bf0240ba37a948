#include "nodes/i_graph_import.hpp"
#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/required_shape.hpp"
#include "tensors/data_types.hpp"
#include "tensors/shape.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

// Inputs of LinearAttention.
constexpr std::size_t kLinearQueries = 0;
constexpr std::size_t kLinearKeys = 1;
constexpr std::size_t kLinearValues = 2;
constexpr std::size_t kLinearState = 3;
constexpr std::size_t kDecay = 4;
constexpr std::size_t kBeta = 5;

// Each becomes layers of its own.
constexpr std::int64_t kMostSteps = 2048;

/// What the state goes through at each step.
struct UpdateRule {
  bool decays = false;    // the state is multiplied by exp(decay) first
  bool corrects = false;  // what the state has for the key is taken from the value
};

/// Queries are [batch, steps, groups, heads of a group, depth], the others [batch, steps, groups,
/// ...] with a depth or a width.
struct LinearSizes {
  std::int64_t batch = 0;
  std::int64_t steps = 0;
  std::int64_t groups = 0;  // heads of keys and values
  std::int64_t heads = 0;   // of queries, in a group
  std::int64_t depth = 0;
  std::int64_t width = 0;
};

UpdateRule ReadUpdateRule(Node& node) {
  const std::string name = node.GetAttributes().FindString("update_rule").value_or("gated_delta");
  UpdateRule rule;
  rule.decays = name == "gated" || name == "gated_delta";
  rule.corrects = name == "delta" || name == "gated_delta";
  if (!rule.decays && !rule.corrects && name != "linear") {
    node.GetAttributes().Refuse("update_rule", name,
                                "linear, gated, delta and gated_delta are supported");
  }
  if (node.HasInput(kDecay) != rule.decays || node.HasInput(kBeta) != rule.corrects) {
    node.RefuseAsInvalid("its update_rule is " + name + ", with which it " +
                         (rule.decays ? "needs" : "cannot have") + " a decay and " +
                         (rule.corrects ? "needs" : "cannot have") + " a beta");
  }
  return rule;
}

std::int64_t ReadHeadCount(Node& node, const char* name) {
  const std::int64_t count = node.GetAttributes().FindInt(name).value_or(0);
  if (count > 0) return count;
  node.RefuseAsInvalid(std::string(name) + " is " + std::to_string(count) +
                       "; a number above 0 is expected");
}

LinearSizes ReadLinearSizes(Node& node) {
  const std::int64_t query_heads = ReadHeadCount(node, "q_num_heads");
  LinearSizes sizes;
  sizes.groups = ReadHeadCount(node, "kv_num_heads");
  const TensorShape& queries = node.GetInputShape(kLinearQueries);
  const TensorShape& values = node.GetInputShape(kLinearValues);
  if (queries.rank != 3 || values.rank != 3 || query_heads % sizes.groups != 0 ||
      queries[2] % query_heads != 0 || values[2] % sizes.groups != 0) {
    node.RefuseAsInvalid("its queries are " + ToText(queries) + " of " +
                         std::to_string(query_heads) + " heads and its values " + ToText(values) +
                         " of " + std::to_string(sizes.groups) +
                         "; [batch, length, heads * size] is expected, and a multiple of heads");
  }
  sizes.batch = queries[0];
  sizes.steps = queries[1];
  sizes.heads = query_heads / sizes.groups;
  sizes.depth = queries[2] / query_heads;
  sizes.width = values[2] / sizes.groups;
  RequireShape(node, kLinearKeys, {sizes.batch, sizes.steps, sizes.groups * sizes.depth});
  RequireShape(node, kLinearValues, {sizes.batch, sizes.steps, sizes.groups * sizes.width});
  return sizes;
}

// The layers of all steps count as what is put in the place of the node, and so do their names.
void CountSteps(Node& node, std::int64_t steps) {
  if (steps <= 0 || steps > kMostSteps) {
    node.RefuseAsUnsupported("its length is " + std::to_string(steps) + "; 1 to " +
                             std::to_string(kMostSteps) + " steps are supported");
  }
  constexpr std::size_t kLayersOfStep = 20;
  constexpr std::size_t kText = 256;
  node.GetScope().import.CountInlined(
      node, static_cast<std::size_t>(steps) * kLayersOfStep * (1 + node.GetName().size() / kText));
}

/// Makes layers of one step after the other.
class Recurrence {
 public:
  Recurrence(Node& node, const UpdateRule& rule, const LinearSizes& sizes)
      : node_(node),
        rule_(rule),
        sizes_(sizes),
        type_(node.GetInputInfo(kLinearQueries).data_type == DataType::kFloat64
                  ? DataType::kFloat64
                  : DataType::kFloat32) {
    queries_ = AddNumber(node, BinaryOperation::kMul, Get(kLinearQueries, "/queries/exact"),
                         ReadScale(), "/queries");
    keys_ = Get(kLinearKeys, "/keys");
    values_ = Get(kLinearValues, "/values");
    if (rule.decays) factors_ = AddFactors();
    if (rule.corrects) betas_ = AddBetas();
    state_ = AddFirstState();
  }

  /// [batch, 1, heads * width].
  OutputSlot AddStep(std::int64_t step) {
    const std::string at = "/step" + std::to_string(step);
    const OutputSlot key =
        TakeStep(keys_, step, {sizes_.batch, sizes_.groups, sizes_.depth, 1}, at + "/key");
    OutputSlot value =
        TakeStep(values_, step, {sizes_.batch, sizes_.groups, 1, sizes_.width}, at + "/value");
    if (rule_.decays) state_ = AddDecayed(step, at);
    if (rule_.corrects) value = AddCorrected(key, value, step, at);
    const OutputSlot written = AddBinary(node_, BinaryOperation::kMul, key, value, at + "/written");
    state_ = AddBinary(node_, BinaryOperation::kAdd, state_, written, at + "/state");
    return AddRead(step, at);
  }

  OutputSlot GetState() const { return state_; }

 private:
  OutputSlot Get(std::size_t index, const std::string& suffix) {
    return AddCast(node_, node_.GetInput(index), type_, suffix);
  }

  // [batch, length, n] at a step, as a shape with batch * n elements.
  OutputSlot TakeStep(OutputSlot input, std::int64_t step, const TensorShape& shape,
                      const std::string& suffix) {
    const OutputSlot part = AddSlice(node_, input, 1, step, 1, suffix + "/part");
    return node_.AddReshape(part, shape, suffix);
  }

  double ReadScale() {
    const float stated = node_.GetAttributes().FindFloat("scale").value_or(0.0F);
    if (stated != 0.0F) return static_cast<double>(stated);
    return 1.0 / std::sqrt(static_cast<double>(sizes_.depth));
  }

  // exp(decay), of each head or of each element of the keys.
  OutputSlot AddFactors() {
    const TensorShape& shape = node_.GetInputShape(kDecay);
    const bool is_of_heads = shape.rank == 3 && shape[2] == sizes_.groups;
    decay_depth_ = is_of_heads ? 1 : sizes_.depth;
    RequireShape(node_, kDecay, {sizes_.batch, sizes_.steps, sizes_.groups * decay_depth_});
    return AddUnary(node_, UnaryOperation::kExp, Get(kDecay, "/decay"), "/factors");
  }

  // One of all heads, or one of each.
  OutputSlot AddBetas() {
    const TensorShape& shape = node_.GetInputShape(kBeta);
    const bool is_of_all = shape.rank == 3 && shape[2] == 1;
    num_betas_ = is_of_all ? 1 : sizes_.groups;
    RequireShape(node_, kBeta, {sizes_.batch, sizes_.steps, num_betas_});
    return Get(kBeta, "/betas");
  }

  OutputSlot AddFirstState() {
    const TensorShape shape = {sizes_.batch, sizes_.groups, sizes_.depth, sizes_.width};
    if (node_.HasInput(kLinearState)) {
      RequireShape(node_, kLinearState, shape);
      return Get(kLinearState, "/past_state");
    }
    return AddExpand(node_, node_.AddScalar(0.0, type_, "/zero"), shape, "/no_state");
  }

  OutputSlot AddDecayed(std::int64_t step, const std::string& at) {
    const OutputSlot factor =
        TakeStep(*factors_, step, {sizes_.batch, sizes_.groups, decay_depth_, 1}, at + "/factor");
    return AddBinary(node_, BinaryOperation::kMul, state_, factor, at + "/decayed");
  }

  // beta * (value - what the state has for the key).
  OutputSlot AddCorrected(OutputSlot key, OutputSlot value, std::int64_t step,
                          const std::string& at) {
    BatchMatMulDescriptor descriptor;
    descriptor.transpose_a = 1;
    const OutputSlot known =
        node_.AddLayer<LayerType::kBatchMatMul>(descriptor, {key, state_}, at + "/known");
    const OutputSlot rest = AddBinary(node_, BinaryOperation::kSub, value, known, at + "/rest");
    const OutputSlot beta = TakeStep(*betas_, step, {sizes_.batch, num_betas_, 1, 1}, at + "/beta");
    return AddBinary(node_, BinaryOperation::kMul, rest, beta, at + "/corrected");
  }

  OutputSlot AddRead(std::int64_t step, const std::string& at) {
    const OutputSlot query = TakeStep(
        queries_, step, {sizes_.batch, sizes_.groups, sizes_.heads, sizes_.depth}, at + "/query");
    const OutputSlot read =
        node_.AddLayer<LayerType::kBatchMatMul>({}, {query, state_}, at + "/read");
    return node_.AddReshape(read, {sizes_.batch, 1, sizes_.groups * sizes_.heads * sizes_.width},
                            at);
  }

  Node& node_;
  UpdateRule rule_;
  LinearSizes sizes_;
  DataType type_;  // that is calculated in
  OutputSlot queries_;
  OutputSlot keys_;
  OutputSlot values_;
  std::optional<OutputSlot> factors_;
  std::optional<OutputSlot> betas_;
  std::int64_t decay_depth_ = 1;
  std::int64_t num_betas_ = 1;
  OutputSlot state_;  // [batch, groups, depth, width]
};

}  // namespace

// At each step, the product of key and value is added to a state, which the query is multiplied
// with. The second output is the last state.
void ConvertLinearAttention(Node& node) {
  node.GetAttributes().Ignore("chunk_size");  // a hint how to calculate it
  const UpdateRule rule = ReadUpdateRule(node);
  const LinearSizes sizes = ReadLinearSizes(node);
  CountSteps(node, sizes.steps);
  Recurrence recurrence(node, rule, sizes);
  std::vector<OutputSlot> parts;
  for (std::int64_t step = 0; step < sizes.steps; ++step) parts.push_back(recurrence.AddStep(step));
  const DataType type = node.GetInputInfo(kLinearQueries).data_type;
  const bool is_cast = type != node.GetInfo(parts[0]).data_type;
  const OutputSlot all =
      parts.size() == 1 ? parts[0] : AddConcat(node, parts, 1, is_cast ? "/all" : "");
  node.SetOutput(AddCast(node, all, type, ""));
  const DataType type_of_state =
      node.HasInput(kLinearState) ? node.GetInputInfo(kLinearState).data_type : type;
  node.SetOutput(1, AddCast(node, recurrence.GetState(), type_of_state, "/present_state"));
}

}  // namespace backplane::onnx
