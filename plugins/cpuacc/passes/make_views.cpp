#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/can_run.hpp"
#include "passes/make_layers.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/gather.hpp>
#include <backplane/api/descriptors/reduce.hpp>
#include <backplane/api/descriptors/slice.hpp>
#include <backplane/api/descriptors/transpose.hpp>

#include <optional>

namespace backplane {
namespace cpuacc {
namespace {

/// Elements are reduced by themselves, to themselves.
bool ReducesNothing(const Graph& graph, const Node& node) {
  const auto reduce = node.GetDescriptor<ReduceDescriptor>();
  const bool keeps = reduce.operation == ReduceOperation::kSum ||
                     reduce.operation == ReduceOperation::kMean ||
                     reduce.operation == ReduceOperation::kMaximum ||
                     reduce.operation == ReduceOperation::kMinimum ||
                     reduce.operation == ReduceOperation::kProduct;
  return keeps && graph.Input(node, 0).info.shape.GetNumElements() ==
                      graph.Output(node).info.shape.GetNumElements();
}

/// Whether the output has the elements of input 0 in the same order.
bool IsReshape(const Graph& graph, const Node& node) {
  const TensorShape& shape = graph.Input(node, 0).info.shape;
  switch (node.type) {
    case LayerType::kTranspose:
      return KeepsOrder(shape, node.GetDescriptor<TransposeDescriptor>());
    case LayerType::kReduce:
      return ReducesNothing(graph, node);
    case LayerType::kExpand:
      return shape.GetNumElements() == graph.Output(node).info.shape.GetNumElements();
    default:
      return false;
  }
}

bool IsPlainType(const TensorInfo& info) {
  return !info.quantization.IsPerAxis();
}

std::optional<std::int64_t> FindOnlyIndex(const GraphTensor& indices) {
  if (!indices.IsConstant() || indices.info.shape.GetNumElements() != 1) return {};
  if (indices.info.data_type == DataType::kInt64) {
    return *static_cast<const std::int64_t*>(indices.content.get());
  }
  if (indices.info.data_type != DataType::kInt32) return {};
  return *static_cast<const std::int32_t*>(indices.content.get());
}

/// A Slice that takes what a Gather with one index takes; empty when it is none.
std::optional<SliceDescriptor> FindSlice(const Graph& graph, const Node& node) {
  const TensorShape& shape = graph.Input(node, 0).info.shape;
  const auto axis = node.GetDescriptor<GatherDescriptor>().axis;
  auto index = FindOnlyIndex(graph.Input(node, 1));
  if (!index) return {};
  if (*index < 0) *index += shape[axis];
  if (*index < 0 || *index >= shape[axis]) return {};
  SliceDescriptor slice;
  for (std::uint32_t other = 0; other < shape.rank; ++other) slice.extents[other] = shape[other];
  slice.starts[axis] = *index;
  slice.extents[axis] = 1;
  return slice;
}

void SliceInsteadOfGather(GraphEditor& editor, NodeIndex index) {
  const Graph& graph = editor.GetGraph();
  const Node gather = editor[index];
  const auto slice = FindSlice(graph, gather);
  if (!slice) return;
  TensorInfo info = graph.Input(gather, 0).info;
  info.shape[gather.GetDescriptor<GatherDescriptor>().axis] = 1;
  const TensorId part = editor.AddTensor(info);
  Node node = MakeLayerNode(LayerType::kSlice, *slice, gather.name, {gather.inputs[0]}, part);
  Node reshape = MakeReshapeNode(graph, gather.name, part, gather.outputs[0]);
  if (!CanRun(graph, node) || !CanRun(graph, reshape)) return;
  editor.AddNode(std::move(node));
  editor.SetNode(index, std::move(reshape));
}

}  // namespace

/// What only looks at elements in another way is said by Reshape and Slice, which move nothing or
/// little.
void MakeViews(Graph& graph) {
  GraphEditor editor(graph);
  const NodeIndex count = editor.GetCount();
  for (NodeIndex index = 0; index < count; ++index) {
    const Node& node = editor[index];
    if (node.is_removed || node.kind != NodeKind::kLayer || !node.chain.empty() ||
        node.inputs.empty() || !IsPlainType(graph.Input(node, 0).info)) {
      continue;
    }
    if (node.type == LayerType::kGather) {
      SliceInsteadOfGather(editor, index);
    } else if (IsReshape(graph, node)) {
      Node reshape = MakeReshapeNode(graph, node.name, node.inputs[0], node.outputs[0]);
      if (CanRun(graph, reshape)) editor.SetNode(index, std::move(reshape));
    }
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
