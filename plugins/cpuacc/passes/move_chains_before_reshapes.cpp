#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "kernels/kernel_table.hpp"
#include "passes/make_layers.hpp"
#include "passes/passes.hpp"

#include <optional>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// A shape that broadcasts to `before` as `operand` does to `after`, when the two differ in extents
/// of 1 alone.
std::optional<TensorShape> FindOperandShape(const TensorShape& operand, const TensorShape& before,
                                            const TensorShape& after) {
  if (operand.rank > after.rank) return {};
  TensorShape moved;
  std::uint32_t axis = 0;
  for (std::uint32_t target = 0; target < before.rank; ++target) {
    if (before[target] == 1) {
      moved.Append(1);
      continue;
    }
    while (after[axis] == 1) ++axis;
    const std::uint32_t missing = after.rank - operand.rank;
    moved.Append(axis < missing ? 1 : operand[axis - missing]);
    ++axis;
  }
  return moved;
}

/// The operand as it is needed before the Reshape; kNoTensor when it cannot be had without moving
/// elements.
TensorId MoveOperand(GraphEditor& editor, TensorId operand, const TensorInfo& before,
                     const TensorInfo& after, const std::string& name) {
  const TensorInfo info = editor.GetTensor(operand).info;
  if (info.shape.GetNumElements() == 1 && info.shape.rank == 0) return operand;
  std::optional<TensorShape> shape;
  if (info.shape == after.shape) {
    shape = before.shape;
  } else if (HasSameExtents(before.shape, after.shape)) {
    shape = FindOperandShape(info.shape, before.shape, after.shape);
  }
  if (!shape) return kNoTensor;
  TensorInfo moved_info = info;
  moved_info.shape = *shape;
  const TensorId moved = editor.AddTensor(moved_info);
  if (editor.GetTensor(operand).IsConstant()) {
    Graph& graph = editor.GetGraph();
    graph.tensors[moved].content = graph.tensors[operand].content;
  } else {
    editor.AddNode(MakeReshapeNode(editor.GetGraph(), name, operand, moved));
  }
  return moved;
}

/// A Reshape that nobody else reads, of something that can take a chain.
const Node* FindReshape(const GraphEditor& editor, const Node& chain) {
  const TensorId tensor = chain.inputs[0];
  const Node* reshape = FindLayer(editor, tensor, LayerType::kReshape);
  if (reshape == nullptr || editor.CountReads(tensor) != 1 ||
      editor.GetTensor(tensor).info != editor.GetTensor(chain.outputs[0]).info) {
    return nullptr;
  }
  const TensorId source = reshape->inputs[0];
  const NodeIndex maker = editor.GetMaker(source);
  if (maker == kNoNode || editor.CountReads(source) != 1) return nullptr;
  const Node& node = editor[maker];
  const bool takes_chains = node.kind == NodeKind::kElements || FusesChains(node.type) ||
                            IsBareLayer(node, LayerType::kReshape);
  return takes_chains && node.outputs.size() == 1 ? reshape : nullptr;
}

void MoveBefore(GraphEditor& editor, NodeIndex index, const Node& reshape) {
  Node chain = editor[index];
  const TensorInfo before = editor.GetTensor(reshape.inputs[0]).info;
  const TensorInfo after = editor.GetTensor(chain.inputs[0]).info;
  for (std::size_t input = 1; input < chain.inputs.size(); ++input) {
    chain.inputs[input] = MoveOperand(editor, chain.inputs[input], before, after, chain.name);
    if (chain.inputs[input] == kNoTensor) return;
  }
  const TensorId result = chain.outputs[0];
  const TensorId moved = editor.AddTensor(before);
  const NodeIndex old_reshape = editor.GetMaker(chain.inputs[0]);
  chain.inputs[0] = reshape.inputs[0];
  chain.outputs = {moved};
  const std::string name = reshape.name;
  editor.Remove(old_reshape);
  editor.SetNode(index, std::move(chain));
  editor.AddNode(MakeReshapeNode(editor.GetGraph(), name, moved, result));
}

}  // namespace

/// A chain behind a Reshape runs before it when what makes the elements can then take it.
void MoveChainsBeforeReshapes(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    if (editor[index].is_removed || editor[index].kind != NodeKind::kElements) continue;
    if (const Node* reshape = FindReshape(editor, editor[index])) {
      MoveBefore(editor, index, Node(*reshape));
    }
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
