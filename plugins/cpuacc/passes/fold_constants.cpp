#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/passes.hpp"
#include "passes/run_node.hpp"

#include <backplane/api/exceptions.hpp>

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

bool HasWeights(LayerType type) {
  switch (type) {
    case LayerType::kBatchMatMul:
    case LayerType::kConvolution:
    case LayerType::kFullyConnected:
    case LayerType::kTransposedConvolution:
      return true;
    default:
      return false;
  }
}

/// Constants that are dequantised for products alone, as they lie or turned. Products of integers
/// have been made where they can be; the others read reals, which take no more memory than those of
/// a network that was never quantised.
bool IsDequantisedWeights(const GraphEditor& editor, const Node& node) {
  if (!IsBareLayer(node, LayerType::kDequantize)) return false;
  const std::vector<NodeIndex>* readers = &editor.GetReaders(node.outputs[0]);
  while (readers->size() == 1 && (IsBareLayer(editor[readers->front()], LayerType::kReshape) ||
                                  IsBareLayer(editor[readers->front()], LayerType::kTranspose))) {
    readers = &editor.GetReaders(editor[readers->front()].outputs[0]);
  }
  return !readers->empty() && std::all_of(readers->begin(), readers->end(), [&](NodeIndex reader) {
    return HasWeights(editor[reader].type);
  });
}

/// All that it reads is known, and what it makes is not the whole graph's result, which has to be
/// written at every run, and nothing that differs from run to run.
bool CanFold(const GraphEditor& editor, const Node& node) {
  if (node.is_removed || node.kind != NodeKind::kLayer || !node.chain.empty()) return false;
  const Graph& graph = editor.GetGraph();
  const bool is_known = std::all_of(node.inputs.begin(), node.inputs.end(), [&](TensorId input) {
    return graph.tensors[input].IsConstant();
  });
  const bool stays = std::any_of(node.outputs.begin(), node.outputs.end(), [&](TensorId output) {
    return editor.IsOutput(output) || graph.tensors[output].is_left_computed;
  });
  return is_known && !stays &&
         (CountBytes(graph, node.outputs) <= CountBytes(graph, node.inputs) + kMostGrowthBytes ||
          IsDequantisedWeights(editor, node));
}

}  // namespace

/// Layers that read constants alone are run now. One that has a constant which it cannot have
/// stays, and fails the runs.
void FoldConstants(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    if (!CanFold(editor, editor[index])) continue;
    try {
      FoldNode(editor, index);
    } catch (const InvalidArgumentException&) {
      continue;
    }
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
