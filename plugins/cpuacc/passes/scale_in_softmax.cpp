#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/can_run.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/softmax.hpp>

#include <cmath>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// What the tensor is a multiple of, if it is one; else itself.
TensorId SkipFactor(const GraphEditor& editor, TensorId tensor, float* factor) {
  const auto linear = FindLinear(editor, tensor);
  if (!linear || linear->beta != 0.0F) return tensor;
  *factor *= linear->alpha;
  return linear->variable;
}

void TakeFactors(GraphEditor& editor, NodeIndex index) {
  Node softmax = editor[index];
  auto descriptor = softmax.GetDescriptor<SoftmaxDescriptor>();
  const TensorId product = SkipFactor(editor, softmax.inputs[0], &descriptor.beta);
  softmax.inputs[0] = product;
  const Node* found = FindLayer(editor, product, LayerType::kBatchMatMul);
  const bool is_product = found != nullptr && editor.CountReads(product) == 1;
  Node plain = is_product ? *found : Node();
  for (TensorId& input : plain.inputs) input = SkipFactor(editor, input, &descriptor.beta);
  softmax.SetDescriptor(descriptor);
  if (!std::isnormal(descriptor.beta) || descriptor.beta < 0.0F ||
      !CanRun(editor.GetGraph(), softmax)) {
    return;
  }
  if (is_product) editor.SetNode(editor.GetMaker(product), std::move(plain));
  editor.SetNode(index, std::move(softmax));
}

}  // namespace

/// The factor of attention, which stands before or behind the product of queries and keys, is left
/// to the Softmax.
void ScaleInSoftmax(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    if (IsBareLayer(editor[index], LayerType::kSoftmax)) TakeFactors(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
