#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/channel_affine.hpp"
#include "passes/make_layers.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/batch_normalization.hpp>

#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// The shape in which values for each channel broadcast.
TensorShape GetChannelShape(const TensorShape& shape, std::uint32_t axis) {
  TensorShape channels;
  for (std::uint32_t other = axis; other < shape.rank; ++other) {
    channels.Append(other == axis ? shape[axis] : 1);
  }
  return channels;
}

void Spell(GraphEditor& editor, NodeIndex index) {
  Graph& graph = editor.GetGraph();
  const Node node = editor[index];
  const auto axis = node.GetDescriptor<BatchNormalizationDescriptor>().axis;
  const auto affine = FindChannelAffine(graph, node, node.inputs[0], axis);
  if (!affine) return;
  const TensorShape shape = GetChannelShape(graph.Output(node).info.shape, axis);
  Node chain;
  chain.kind = NodeKind::kElements;
  chain.name = node.name;
  chain.chain = {MakeBinary(BinaryOperation::kMul, 1, false),
                 MakeBinary(BinaryOperation::kAdd, 2, false)};
  chain.inputs = {node.inputs[0], AddConstant(graph, shape, affine->scale),
                  AddConstant(graph, shape, affine->shift)};
  chain.outputs = node.outputs;
  editor.SetNode(index, std::move(chain));
}

}  // namespace

/// Batch normalisation that no weights took is a multiplication and an addition, which can run with
/// other operations.
void SpellBatchNormalization(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    if (IsBareLayer(editor[index], LayerType::kBatchNormalization)) Spell(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
