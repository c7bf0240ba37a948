#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/slice.hpp>
#include <backplane/api/descriptors/transpose.hpp>

#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

Node MergeReshapes(const Node& first, Node second) {
  second.inputs[0] = first.inputs[0];
  return second;
}

Node MergeTransposes(const Node& first, Node second) {
  const auto inner = first.GetDescriptor<TransposeDescriptor>();
  const auto outer = second.GetDescriptor<TransposeDescriptor>();
  TransposeDescriptor merged;
  for (std::uint32_t axis = 0; axis < kMaxRank; ++axis) {
    const std::uint32_t from = outer.permutation[axis];
    merged.permutation[axis] = from < kMaxRank ? inner.permutation[from] : from;
  }
  second.SetDescriptor(merged);
  second.inputs[0] = first.inputs[0];
  return second;
}

Node MergeSlices(const Node& first, Node second) {
  const auto inner = first.GetDescriptor<SliceDescriptor>();
  auto merged = second.GetDescriptor<SliceDescriptor>();
  for (std::uint32_t axis = 0; axis < kMaxRank; ++axis) {
    merged.starts[axis] = inner.starts[axis] + merged.starts[axis] * inner.steps[axis];
    merged.steps[axis] *= inner.steps[axis];
  }
  second.SetDescriptor(merged);
  second.inputs[0] = first.inputs[0];
  return second;
}

/// The node that makes input 0, of the same type and without a chain.
const Node* FindSameBefore(const GraphEditor& editor, const Node& node) {
  return FindLayer(editor, node.inputs[0], node.type);
}

void MergeWithInput(GraphEditor& editor, NodeIndex index) {
  while (const Node* first = FindSameBefore(editor, editor[index])) {
    switch (editor[index].type) {
      case LayerType::kReshape:
        editor.SetNode(index, MergeReshapes(*first, editor[index]));
        break;
      case LayerType::kTranspose:
        editor.SetNode(index, MergeTransposes(*first, editor[index]));
        break;
      case LayerType::kSlice:
        editor.SetNode(index, MergeSlices(*first, editor[index]));
        break;
      default:
        return;
    }
  }
}

/// A Concat along the same axis that nobody else reads.
const Node* FindPartOfJoin(const GraphEditor& editor, const Node& join, TensorId tensor) {
  const Node* part = FindLayer(editor, tensor, LayerType::kConcat);
  if (part == nullptr || editor.CountReads(tensor) != 1 ||
      !(editor.GetTensor(tensor).info.quantization ==
        editor.GetGraph().Output(join).info.quantization)) {
    return nullptr;
  }
  const auto axis = join.GetDescriptor<ConcatDescriptor>().axis;
  return part->GetDescriptor<ConcatDescriptor>().axis == axis ? part : nullptr;
}

void MergeJoins(GraphEditor& editor, NodeIndex index) {
  Node join = editor[index];
  join.inputs.clear();
  for (const TensorId input : editor[index].inputs) {
    const Node* part = FindPartOfJoin(editor, editor[index], input);
    if (part == nullptr) {
      join.inputs.push_back(input);
    } else {
      join.inputs.insert(join.inputs.end(), part->inputs.begin(), part->inputs.end());
    }
  }
  if (join.inputs.size() > editor[index].inputs.size()) editor.SetNode(index, std::move(join));
}

}  // namespace

/// Of several moves of the same kind, one after the other, one is left.
void MergeMoves(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    const Node& node = editor[index];
    if (IsBareLayer(node, LayerType::kConcat)) {
      MergeJoins(editor, index);
    } else if (IsBareLayer(node, LayerType::kReshape) || IsBareLayer(node, LayerType::kTranspose) ||
               IsBareLayer(node, LayerType::kSlice)) {
      MergeWithInput(editor, index);
    }
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
