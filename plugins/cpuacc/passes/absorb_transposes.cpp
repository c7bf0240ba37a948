#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/can_run.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>

#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

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

void AbsorbTransposeOfWeights(GraphEditor& editor, NodeIndex index) {
  Node product = editor[index];
  const Node* weights = FindExchange(editor, product.inputs[1]);
  if (weights == nullptr) return;
  auto descriptor = product.GetDescriptor<FullyConnectedDescriptor>();
  descriptor.transpose_weights ^= 1U;
  product.inputs[1] = weights->inputs[0];
  product.SetDescriptor(descriptor);
  if (CanRun(editor.GetGraph(), product)) editor.SetNode(index, std::move(product));
}

}  // namespace

/// Products read matrices the other way round instead of having them transposed.
void AbsorbTransposes(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    if (IsBareLayer(editor[index], LayerType::kBatchMatMul)) AbsorbTranspose(editor, index);
    if (IsBareLayer(editor[index], LayerType::kFullyConnected)) {
      AbsorbTransposeOfWeights(editor, index);
    }
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
