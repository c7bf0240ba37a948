#include "functions/inline_graph.hpp"
#include "operators/attention_heads.hpp"
#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

#include <string>

namespace backplane::onnx {
namespace {

void CheckFlexOperands(Node& node) {
  const TensorShape& keys = node.GetInputShape(1);
  const TensorShape& values = node.GetInputShape(2);
  if (node.GetInputShape(0).rank == 4 && keys.rank == 4 && values.rank == 4 &&
      keys[0] == values[0] && keys[1] == values[1] && keys[2] == values[2]) {
    return;
  }
  node.RefuseAsInvalid("its queries, keys and values are " + ToText(node.GetInputShape(0)) + ", " +
                       ToText(keys) + " and " + ToText(values) +
                       "; [batch, heads, length, size] is expected, with the same number of keys "
                       "and values");
}

// What the graph that an attribute is makes of a tensor, which keeps its shape and type.
OutputSlot AddModified(Node& node, const char* name, OutputSlot input) {
  const ::onnx::GraphProto* graph = node.GetAttributes().FindGraph(name);
  if (graph == nullptr) return input;
  const OutputSlot result = InlineStep(node, *graph, input, std::string("/") + name);
  const TensorInfo& before = node.GetInfo(input);
  const TensorInfo& after = node.GetInfo(result);
  if (after.shape == before.shape && after.data_type == before.data_type) return result;
  node.RefuseAsInvalid(std::string("its ") + name + " makes " + ToText(after.shape) + " " +
                       GetDataTypeName(after.data_type) + " of " + ToText(before.shape) + " " +
                       GetDataTypeName(before.data_type) + "; the same is expected");
}

}  // namespace

// Attention whose scores and probabilities go through graphs of the node.
void ConvertPreviewFlexAttention(Node& node) {
  CheckFlexOperands(node);
  const OutputSlot queries = node.GetInput(0);
  const DataType type = node.GetInfo(queries).data_type;
  const std::int64_t num_heads = node.GetInputShape(0)[1];
  // Scores and probabilities are at least float32, when none is stated.
  const DataType precision = ReadSoftmaxPrecision(
      node, type == DataType::kFloat64 ? DataType::kFloat64 : DataType::kFloat32);
  const double scale = ReadAttentionScale(node, queries);
  const OutputSlot keys = AddRepeatedHeads(node, node.GetInput(1), num_heads, "/repeated_keys");
  const OutputSlot values = AddRepeatedHeads(node, node.GetInput(2), num_heads, "/repeated_values");
  const OutputSlot scores =
      AddCast(node, AddScores(node, queries, keys, scale), precision, "/scores/cast");
  const OutputSlot probabilities =
      AddProbabilities(node, AddModified(node, "score_mod", scores), "/softmax");
  const OutputSlot product = AddWeightedValues(node, AddModified(node, "prob_mod", probabilities),
                                               AddCast(node, values, precision, "/values/cast"),
                                               precision == type ? "" : "/product");
  node.SetOutput(AddCast(node, product, type, ""));
}

}  // namespace backplane::onnx
