#include "graph/readers.hpp"
#include "kernels/kernel_table.hpp"
#include "passes/passes.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

/// Whether the chain of the reader can run at the end of the maker.
bool CanFuse(const Graph& graph, const Node& maker, const Node& reader, const Readers& readers) {
  return reader.kind == NodeKind::kElements && !maker.is_removed &&
         readers.CountReads(reader.inputs[0]) == 1 && maker.outputs[0] == reader.inputs[0] &&
         graph.Output(maker).info == graph.Output(reader).info &&
         (maker.kind == NodeKind::kElements || FusesChains(maker.type));
}

/// The maker moves to where the reader stands, so that operands are there.
void Fuse(Node& maker, Node& reader) {
  Node fused = maker;
  for (ElementOp op : reader.chain) {
    if (HasOperand(op)) {
      fused.inputs.push_back(reader.inputs[op.operand]);
      op.operand = static_cast<std::uint32_t>(fused.inputs.size() - 1);
    }
    fused.chain.push_back(op);
  }
  fused.outputs[0] = reader.outputs[0];
  fused.name += "+" + reader.name;
  maker.is_removed = true;
  reader = std::move(fused);
}

/// Other outputs of the maker are not read before the reader runs.
bool HasOneOutput(const Node& node) {
  return node.outputs.size() == 1;
}

}  // namespace

/// Chains run at the end of what makes their first input, while its results are in the cache.
void FuseElementChains(Graph& graph) {
  Readers readers(graph);
  std::vector<NodeIndex> makers(graph.tensors.size(), kNoNode);
  for (NodeIndex index = 0; index < graph.nodes.size(); ++index) {
    Node& node = graph.nodes[index];
    if (node.is_removed) continue;
    if (node.kind == NodeKind::kElements) {
      const NodeIndex maker = makers[node.inputs[0]];
      if (maker != kNoNode && HasOneOutput(graph.nodes[maker]) &&
          CanFuse(graph, graph.nodes[maker], node, readers)) {
        Fuse(graph.nodes[maker], node);
      }
    }
    for (const TensorId output : node.outputs) makers[output] = index;
  }
}

}  // namespace cpuacc
}  // namespace backplane
