#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

bool ReadFlag(Node& node, const char* name) {
  return node.GetAttributes().FindInt(name).value_or(0) != 0;
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
  for (const char* name : {"transBatchA", "transBatchB"}) {
    if (ReadFlag(node, name)) node.GetAttributes().Refuse(name, "1", "only 0 is supported");
  }
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_a = ReadFlag(node, "transA") && node.GetInputShape(0).rank > 1 ? 1 : 0;
  descriptor.transpose_b = ReadFlag(node, "transB") && node.GetInputShape(1).rank > 1 ? 1 : 0;
  const OutputSlot product =
      node.AddLayer<LayerType::kBatchMatMul>(descriptor, {node.GetInput(0), node.GetInput(1)});
  const float alpha = node.GetAttributes().FindFloat("alpha").value_or(1.0F);
  if (alpha == 1.0F) return node.SetOutput(product);
  ElementwiseBinaryDescriptor multiply;
  multiply.operation = BinaryOperation::kMul;
  const OutputSlot factor =
      node.AddScalar(static_cast<double>(alpha), node.GetInputInfo(0).data_type, "/alpha/value");
  node.SetOutput(
      node.AddLayer<LayerType::kElementwiseBinary>(multiply, {product, factor}, "/alpha"));
}

}  // namespace backplane::onnx
