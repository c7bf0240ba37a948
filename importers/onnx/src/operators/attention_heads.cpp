#include "operators/attention_heads.hpp"

#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "tensors/data_types.hpp"
#include "tensors/shape.hpp"

#include <cmath>

namespace backplane::onnx {

OutputSlot AddHeads(Node& node, OutputSlot input, std::int64_t num_heads,
                    const std::string& suffix) {
  const TensorShape shape = node.GetInfo(input).shape;
  if (num_heads <= 0) {
    node.RefuseAsInvalid("it has " + std::to_string(num_heads) + " heads in " + ToText(shape) +
                         "; a number into which the last axis can be taken apart is expected");
  }
  if (shape[2] % num_heads != 0) {
    node.RefuseAsInvalid("a row has " + std::to_string(shape[2]) + " elements; a multiple of " +
                         std::to_string(num_heads) + ", the number of heads, is expected");
  }
  const OutputSlot apart = node.AddReshape(
      input, {shape[0], shape[1], num_heads, shape[2] / num_heads}, suffix + "/apart");
  return AddTranspose(node, apart, {0, 2, 1, 3}, suffix);
}

OutputSlot AddJoinedHeads(Node& node, OutputSlot heads, const std::string& suffix) {
  const OutputSlot moved = AddTranspose(node, heads, {0, 2, 1, 3}, suffix + "/moved");
  const TensorShape shape = node.GetInfo(moved).shape;
  return node.AddReshape(moved, {shape[0], shape[1], shape[2] * shape[3]}, suffix);
}

OutputSlot AddRepeatedHeads(Node& node, OutputSlot heads, std::int64_t num_queries,
                            const std::string& suffix) {
  const TensorShape shape = node.GetInfo(heads).shape;
  if (shape[1] == num_queries) return heads;
  if (shape[1] <= 0 || num_queries % shape[1] != 0) {
    node.RefuseAsInvalid("it has " + std::to_string(num_queries) + " heads of queries and " +
                         std::to_string(shape[1]) +
                         " of keys or values; a multiple of these is expected");
  }
  const std::int64_t times = num_queries / shape[1];
  const OutputSlot groups =
      node.AddReshape(heads, {shape[0], shape[1], 1, shape[2], shape[3]}, suffix + "/groups");
  const OutputSlot repeated =
      AddExpand(node, groups, {shape[0], shape[1], times, shape[2], shape[3]}, suffix + "/expand");
  return node.AddReshape(repeated, {shape[0], num_queries, shape[2], shape[3]}, suffix);
}

OutputSlot AddScores(Node& node, OutputSlot queries, OutputSlot keys, double scale) {
  const TensorShape& first = node.GetInfo(queries).shape;
  const TensorShape& second = node.GetInfo(keys).shape;
  if (first[3] != second[3] || first[0] != second[0]) {
    node.RefuseAsInvalid("its queries are " + ToText(first) + " and its keys " + ToText(second) +
                         "; the same batch and size of a head is expected");
  }
  const OutputSlot scaled = AddNumber(node, BinaryOperation::kMul, queries, scale, "/scaled");
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_b = 1;
  return node.AddLayer<LayerType::kBatchMatMul>(descriptor, {scaled, keys}, "/scores");
}

double ReadAttentionScale(Node& node, OutputSlot queries) {
  const auto stated = node.GetAttributes().FindFloat("scale");
  if (stated) return static_cast<double>(*stated);
  return 1.0 / std::sqrt(static_cast<double>(node.GetInfo(queries).shape[3]));
}

DataType ReadSoftmaxPrecision(Node& node, DataType when_absent) {
  const auto stated = node.GetAttributes().FindInt("softmax_precision");
  const DataType precision = stated ? FromOnnxType(*stated) : when_absent;
  if (!stated || IsFloat(precision)) return precision;
  node.GetAttributes().Refuse("softmax_precision", std::to_string(*stated),
                              "types of floating point are supported");
}

OutputSlot AddProbabilities(Node& node, OutputSlot scores, const std::string& suffix) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = node.GetInfo(scores).shape.rank - 1;
  return node.AddLayer<LayerType::kSoftmax>(descriptor, {scores}, suffix);
}

OutputSlot AddWeightedValues(Node& node, OutputSlot probabilities, OutputSlot values,
                             const std::string& suffix) {
  return node.AddLayer<LayerType::kBatchMatMul>({}, {probabilities, values}, suffix);
}

}  // namespace backplane::onnx
