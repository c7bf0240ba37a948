#include "graph/graph.hpp"

#include "memory/aligned_memory.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {

std::uint32_t CountLayerInputs(const Node& node) {
  auto count = static_cast<std::uint32_t>(node.inputs.size());
  for (const ElementOp& op : node.chain) {
    if (HasOperand(op)) count = std::min(count, op.operand);
  }
  return count;
}

bool MultipliesPlainBytes(const Node& node) {
  return node.kind == NodeKind::kLayer &&
         (node.type == LayerType::kIntegerMatMul || node.type == LayerType::kIntegerConvolution);
}

bool HasBias(const Node& node) {
  return !MultipliesPlainBytes(node) && CountLayerInputs(node) > 2;
}

TensorId AddConstant(Graph& graph, const TensorShape& shape, const std::vector<float>& values) {
  return AddConstant(graph, shape, [&](float* to) { std::copy(values.begin(), values.end(), to); });
}

TensorId AddConstant(Graph& graph, const TensorShape& shape,
                     const std::function<void(float*)>& fill) {
  GraphTensor tensor;
  tensor.info = TensorInfo(shape, DataType::kFloat32);
  std::shared_ptr<void> content = AllocateAligned(tensor.info.GetSizeBytes());
  fill(static_cast<float*>(content.get()));
  tensor.content = std::move(content);
  graph.tensors.push_back(std::move(tensor));
  return static_cast<TensorId>(graph.tensors.size() - 1);
}

void DropUnreadConstants(Graph& graph) {
  std::vector<bool> is_read(graph.tensors.size());
  for (const Node& node : graph.nodes) {
    if (node.is_removed) continue;
    for (const TensorId input : node.inputs) is_read[input] = true;
  }
  for (const TensorId output : graph.outputs) is_read[output] = true;
  for (TensorId tensor = 0; tensor < graph.tensors.size(); ++tensor) {
    if (!is_read[tensor]) graph.tensors[tensor].content.reset();
  }
}

const float* GetFloats(const GraphTensor& tensor) {
  return static_cast<const float*>(tensor.content.get());
}

bool GetUniformFloat(const GraphTensor& tensor, float* value) {
  const std::int64_t count = tensor.info.shape.GetNumElements();
  if (!tensor.IsConstant() || tensor.info.data_type != DataType::kFloat32 || count == 0 ||
      tensor.info.quantization.IsQuantized()) {
    return false;
  }
  const float* values = GetFloats(tensor);
  if (!std::all_of(values, values + count, [&](float v) { return v == values[0]; })) return false;
  *value = values[0];
  return true;
}

}  // namespace cpuacc
}  // namespace backplane
