#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/passes.hpp"

#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// The cast of sums that nobody else reads; kNoNode when there is none.
NodeIndex FindCastOf(const GraphEditor& editor, TensorId sums) {
  if (editor.CountReads(sums) != 1 || editor.IsOutput(sums)) return kNoNode;
  const NodeIndex reader = editor.GetReaders(sums)[0];
  const bool is_cast = IsBareLayer(editor[reader], LayerType::kCast) &&
                       IsFloat32(editor.GetTensor(editor[reader].outputs[0]).info);
  return is_cast ? reader : kNoNode;
}

}  // namespace

/// Sums of products of plain bytes that are cast to float32 are made so, with the chain that stands
/// behind the cast: no layer of the Backend API does that, only the kernels.
void AbsorbCasts(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    Node node = editor[index];
    if (node.is_removed || !MultipliesPlainBytes(node)) continue;
    const NodeIndex cast = FindCastOf(editor, node.outputs[0]);
    if (cast == kNoNode) continue;
    node.outputs = editor[cast].outputs;
    node.name += "+" + editor[cast].name;
    editor.Remove(cast);
    editor.SetNode(index, std::move(node));
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
