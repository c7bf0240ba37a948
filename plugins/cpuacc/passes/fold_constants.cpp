#include "graph/graph_editor.hpp"
#include "passes/passes.hpp"
#include "passes/run_node.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

/// What a constant may take up more than what it is computed from: a tensor that repeats one number
/// is not worth keeping.
constexpr std::uint64_t kMostGrowthBytes = 1 << 16;

std::uint64_t CountBytes(const Graph& graph, const std::vector<TensorId>& tensors) {
  std::uint64_t bytes = 0;
  for (const TensorId tensor : tensors) bytes += graph.tensors[tensor].info.GetSizeBytes();
  return bytes;
}

/// All that it reads is known, and what it makes is not the whole graph's result, which has to be
/// written at every run.
bool CanFold(const GraphEditor& editor, const Node& node) {
  if (node.is_removed || node.kind != NodeKind::kLayer || !node.chain.empty()) return false;
  const Graph& graph = editor.GetGraph();
  const bool is_known = std::all_of(node.inputs.begin(), node.inputs.end(), [&](TensorId input) {
    return graph.tensors[input].IsConstant();
  });
  const bool is_result = std::any_of(node.outputs.begin(), node.outputs.end(),
                                     [&](TensorId output) { return editor.IsOutput(output); });
  return is_known && !is_result &&
         CountBytes(graph, node.outputs) <= CountBytes(graph, node.inputs) + kMostGrowthBytes;
}

}  // namespace

/// Layers that read constants alone are run now.
void FoldConstants(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    if (CanFold(editor, editor[index])) FoldNode(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
