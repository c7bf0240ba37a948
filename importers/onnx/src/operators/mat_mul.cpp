#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

#include <string>

namespace backplane::onnx {
namespace {

// [a, b..., c] as [b..., a, c]: the first axis becomes that of the rows.
OutputSlot GetFactor(Node& node, std::size_t index, const char* attribute) {
  const OutputSlot input = node.GetInput(index);
  if (!node.GetAttributes().GetFlag(attribute)) return input;
  const std::uint32_t rank = node.GetInputShape(index).rank;
  if (rank < 3) {
    node.RefuseAsInvalid(std::string(attribute) + " is 1, but the factor is " +
                         ToText(node.GetInputShape(index)) + "; at least 3 axes are expected");
  }
  TransposeDescriptor descriptor;
  for (std::uint32_t axis = 0; axis + 2 < rank; ++axis) descriptor.permutation[axis] = axis + 1;
  descriptor.permutation[rank - 2] = 0;
  return node.AddLayer<LayerType::kTranspose>(descriptor, {input},
                                              "/factor" + std::to_string(index));
}

}  // namespace

void ConvertMatMul(Node& node) {
  const bool is_weighted =
      node.GetInputShape(0).rank == 2 && node.GetInputShape(1).rank == 2 && node.IsConstant(1);
  const std::vector<OutputSlot> inputs = {node.GetInput(0), node.GetInput(1)};
  node.SetOutput(is_weighted ? node.AddLayer<LayerType::kFullyConnected>({}, inputs)
                             : node.AddLayer<LayerType::kBatchMatMul>({}, inputs));
}

// alpha * A * B, with the last two axes exchanged where it says so; not those of vectors.
void ConvertMicrosoftFusedMatMul(Node& node) {
  const OutputSlot a = GetFactor(node, 0, "transBatchA");
  const OutputSlot b = GetFactor(node, 1, "transBatchB");
  const bool is_a_transposed = node.GetAttributes().GetFlag("transA");
  const bool is_b_transposed = node.GetAttributes().GetFlag("transB");
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_a = is_a_transposed && node.GetInputShape(0).rank > 1 ? 1 : 0;
  descriptor.transpose_b = is_b_transposed && node.GetInputShape(1).rank > 1 ? 1 : 0;
  const OutputSlot product = node.AddLayer<LayerType::kBatchMatMul>(descriptor, {a, b});
  const float alpha = node.GetAttributes().FindFloat("alpha").value_or(1.0F);
  if (alpha == 1.0F) return node.SetOutput(product);
  node.SetOutput(
      AddNumber(node, BinaryOperation::kMul, product, static_cast<double>(alpha), "/alpha"));
}

}  // namespace backplane::onnx
