#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/can_run.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/transpose.hpp>

#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// A Transpose that exchanges the last two axes; null when the tensor is made otherwise.
const Node* FindExchange(const GraphEditor& editor, TensorId tensor) {
  const Node* transpose = FindLayer(editor, tensor, LayerType::kTranspose);
  const std::uint32_t rank = editor.GetTensor(tensor).info.shape.rank;
  if (transpose == nullptr || rank < 2) return nullptr;
  const auto descriptor = transpose->GetDescriptor<TransposeDescriptor>();
  for (std::uint32_t axis = 0; axis + 2 < rank; ++axis) {
    if (descriptor.permutation[axis] != axis) return nullptr;
  }
  return descriptor.permutation[rank - 1] == rank - 2 ? transpose : nullptr;
}

void AbsorbTranspose(GraphEditor& editor, NodeIndex index) {
  Node product = editor[index];
  auto descriptor = product.GetDescriptor<BatchMatMulDescriptor>();
  const Node* first = FindExchange(editor, product.inputs[0]);
  const Node* second = FindExchange(editor, product.inputs[1]);
  if (first == nullptr && second == nullptr) return;
  if (first != nullptr) {
    product.inputs[0] = first->inputs[0];
    descriptor.transpose_a ^= 1U;
  }
  if (second != nullptr) {
    product.inputs[1] = second->inputs[0];
    descriptor.transpose_b ^= 1U;
  }
  product.SetDescriptor(descriptor);
  if (CanRun(editor.GetGraph(), product)) editor.SetNode(index, std::move(product));
}

}  // namespace

/// Products read matrices the other way round instead of having them transposed.
void AbsorbTransposes(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    if (IsBareLayer(editor[index], LayerType::kBatchMatMul)) AbsorbTranspose(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
