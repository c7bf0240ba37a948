#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/can_run.hpp"
#include "passes/make_layers.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/reduce.hpp>

#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

float GetFactor(const GraphEditor& editor, const Node& reduce, ReduceOperation operation) {
  if (operation == ReduceOperation::kSum) return 1.0F;
  const auto inputs = editor.GetTensor(reduce.inputs[0]).info.shape.GetNumElements();
  const auto outputs = editor.GetTensor(reduce.outputs[0]).info.shape.GetNumElements();
  return static_cast<float>(static_cast<double>(outputs) / static_cast<double>(inputs));
}

void TakeSquare(GraphEditor& editor, NodeIndex index) {
  Node reduce = editor[index];
  auto descriptor = reduce.GetDescriptor<ReduceDescriptor>();
  const ReduceOperation operation = descriptor.operation;
  const TensorId squares = reduce.inputs[0];
  const TensorId root = FindSquared(editor, squares);
  const bool is_sum = operation == ReduceOperation::kSum || operation == ReduceOperation::kMean;
  const TensorInfo info = editor.GetTensor(reduce.outputs[0]).info;
  if (!is_sum || root == kNoTensor || editor.CountReads(squares) != 1 ||
      info.shape.GetNumElements() == 0 ||
      editor.GetTensor(root).info != editor.GetTensor(squares).info) {
    return;
  }
  const float factor = GetFactor(editor, reduce, operation);
  descriptor.operation = ReduceOperation::kSumSquare;
  reduce.SetDescriptor(descriptor);
  reduce.inputs = {root};
  if (!CanRun(editor.GetGraph(), reduce)) return;
  if (operation == ReduceOperation::kMean) {
    const TensorId mean = reduce.outputs[0];
    const TensorId sum = editor.AddTensor(info);
    reduce.outputs = {sum};
    const ElementOp divide = MakeActivation(ActivationFunction::kLinear, factor, 0.0F);
    Node division = MakeElementsNode(divide, reduce.name, {sum}, mean);
    editor.SetNode(index, std::move(reduce));
    editor.AddNode(std::move(division));
  } else {
    editor.SetNode(index, std::move(reduce));
  }
}

}  // namespace

/// Sums and means of squares are taken without the squares being there as a tensor.
void ReduceSquares(Graph& graph) {
  GraphEditor editor(graph);
  const NodeIndex count = editor.GetCount();
  for (NodeIndex index = 0; index < count; ++index) {
    if (IsBareLayer(editor[index], LayerType::kReduce)) TakeSquare(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
