#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "kernels/kernel_table.hpp"
#include "passes/passes.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// Whether a chain can run at the end of what makes its first input: nobody else reads that, and it
/// is whole.
bool CanFuse(const GraphEditor& editor, TensorId tensor, const TensorInfo& result) {
  const NodeIndex maker = editor.GetMaker(tensor);
  if (maker == kNoNode || editor.CountReads(tensor) != 1) return false;
  const Node& node = editor[maker];
  return node.outputs.size() == 1 && editor.GetTensor(tensor).info == result &&
         (node.kind == NodeKind::kElements || FusesChains(node.type));
}

/// Products gain more than chains, which only save one way through memory; of two of a kind, the
/// one that is made last waits least.
bool IsBetter(const GraphEditor& editor, TensorId a, TensorId b) {
  const NodeIndex maker_a = editor.GetMaker(a);
  const NodeIndex maker_b = editor.GetMaker(b);
  const bool is_layer_a = editor[maker_a].kind == NodeKind::kLayer;
  const bool is_layer_b = editor[maker_b].kind == NodeKind::kLayer;
  return is_layer_a != is_layer_b ? is_layer_a : maker_a > maker_b;
}

/// Exchanges the two operands of a single binary operation when the chain can run behind the
/// second one, and not, or less well, behind the first.
void ChooseFirstInput(GraphEditor& editor, NodeIndex index) {
  const Node& node = editor[index];
  const ElementOp* op = FindOnlyOp(node);
  if (op == nullptr || op->kind != ElementOp::Kind::kBinary) return;
  const TensorInfo& result = editor.GetTensor(node.outputs[0]).info;
  if (!CanFuse(editor, node.inputs[1], result)) return;
  if (CanFuse(editor, node.inputs[0], result) &&
      !IsBetter(editor, node.inputs[1], node.inputs[0])) {
    return;
  }
  Node exchanged = node;
  std::swap(exchanged.inputs[0], exchanged.inputs[1]);
  if (!Commutes(op->binary)) {
    exchanged.chain[0].operand_is_first = !exchanged.chain[0].operand_is_first;
  }
  editor.SetNode(index, std::move(exchanged));
}

/// The maker's node, with the chain behind it.
Node Fuse(const Node& maker, const Node& reader) {
  Node fused = maker;
  for (ElementOp op : reader.chain) {
    if (HasOperand(op)) {
      fused.inputs.push_back(reader.inputs[op.operand]);
      op.operand = static_cast<std::uint32_t>(fused.inputs.size() - 1);
    }
    fused.chain.push_back(op);
  }
  fused.outputs = reader.outputs;
  fused.name += "+" + reader.name;
  return fused;
}

}  // namespace

/// Chains run at the end of what makes their first input, while its results are in the cache.
void FuseElementChains(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    if (editor[index].is_removed || editor[index].kind != NodeKind::kElements) continue;
    ChooseFirstInput(editor, index);
    const Node reader = editor[index];
    const TensorInfo& result = graph.Output(reader).info;
    if (!CanFuse(editor, reader.inputs[0], result)) continue;
    const NodeIndex maker = editor.GetMaker(reader.inputs[0]);
    Node fused = Fuse(editor[maker], reader);
    editor.Remove(maker);
    editor.SetNode(index, std::move(fused));
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
