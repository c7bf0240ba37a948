#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/passes.hpp"

#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// A product of tensors that are both smaller than it is, which is there for this reader alone.
const Node* FindSpread(const GraphEditor& editor, TensorId tensor) {
  const Node* product = FindBinary(editor, tensor, BinaryOperation::kMul);
  if (product == nullptr || editor.CountReads(tensor) != 1) return nullptr;
  const std::int64_t count = editor.GetTensor(tensor).info.shape.GetNumElements();
  for (const TensorId factor : product->inputs) {
    if (editor.GetTensor(factor).info.shape.GetNumElements() >= count) return nullptr;
  }
  return product;
}

/// x * (a * b) becomes (x * a) * b.
void Spread(GraphEditor& editor, NodeIndex index) {
  Node last = editor[index];
  const ElementOp* op = FindOnlyOp(last);
  if (op == nullptr || op->kind != ElementOp::Kind::kBinary ||
      op->binary != BinaryOperation::kMul) {
    return;
  }
  const Node* product = FindSpread(editor, last.inputs[1]);
  const TensorInfo info = editor.GetTensor(last.outputs[0]).info;
  if (product == nullptr || editor.GetTensor(last.inputs[0]).info != info) return;
  Node first = last;
  const Node factors = *product;
  const TensorId between = editor.AddTensor(info);
  first.inputs = {last.inputs[0], factors.inputs[0]};
  first.outputs = {between};
  last.inputs = {between, factors.inputs[1]};
  editor.Remove(editor.GetMaker(factors.outputs[0]));
  editor.AddNode(std::move(first));
  editor.SetNode(index, std::move(last));
}

}  // namespace

/// What small factors are multiplied with is multiplied with one after the other, in one chain,
/// instead of with their product, which would be large.
void SpreadProducts(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) Spread(editor, index);
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
