#include "graph/strided_view.hpp"

#include "cpu_layers/dense_steps.hpp"
#include "graph/matching.hpp"
#include "layout/reshaped_steps.hpp"

#include <backplane/api/descriptors/slice.hpp>
#include <backplane/api/descriptors/split.hpp>
#include <backplane/api/descriptors/transpose.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// Heads are taken apart and brought forward by two or three layers.
constexpr std::size_t kMostMoves = 8;

using ElementSteps = std::vector<std::int64_t>;

const TensorShape& GetShapeOf(const GraphEditor& editor, TensorId tensor) {
  return editor.GetTensor(tensor).info.shape;
}

ElementSteps ListDenseSteps(const TensorShape& shape) {
  const cpu_layers::DenseSteps dense(shape);
  return ElementSteps(dense.steps, dense.steps + shape.rank);
}

std::optional<ElementSteps> ReshapeSteps(const TensorShape& from, const ElementSteps& steps,
                                         const TensorShape& to) {
  const auto reshaped = FindReshapedSteps(from, steps.data(), to);
  if (!reshaped) return {};
  return ElementSteps(reshaped->begin(), reshaped->end());
}

/// Axes that are new or longer repeat.
ElementSteps ExpandSteps(const TensorShape& from, const ElementSteps& steps,
                         const TensorShape& to) {
  ElementSteps expanded(to.rank, 0);
  for (std::uint32_t axis = 0; axis < from.rank; ++axis) {
    const std::uint32_t target = to.rank - from.rank + axis;
    if (from[axis] == to[target]) expanded[target] = steps[axis];
  }
  return expanded;
}

/// The part of a Split that begins where the others before it end.
std::int64_t FindBeginOfPart(const Node& split, TensorId part) {
  const auto descriptor = split.GetDescriptor<SplitDescriptor>();
  std::int64_t begin = 0;
  for (std::size_t output = 0; split.outputs[output] != part; ++output) {
    begin += descriptor.extents[output];
  }
  return begin;
}

/// The view of input 0 that a node gives of it as `tensor`, as a view of the same source; false
/// when steps cannot say it.
bool ApplyMove(const GraphEditor& editor, const Node& node, TensorId tensor, StridedView& view) {
  const TensorShape& from = GetShapeOf(editor, node.inputs[0]);
  const TensorShape& to = GetShapeOf(editor, tensor);
  switch (node.type) {
    case LayerType::kReshape: {
      const auto steps = ReshapeSteps(from, view.steps, to);
      if (steps) view.steps = *steps;
      return steps.has_value();
    }
    case LayerType::kTranspose: {
      const auto transpose = node.GetDescriptor<TransposeDescriptor>();
      const ElementSteps steps = view.steps;
      for (std::uint32_t axis = 0; axis < to.rank; ++axis) {
        view.steps[axis] = steps[transpose.permutation[axis]];
      }
      return true;
    }
    case LayerType::kSlice: {
      const auto slice = node.GetDescriptor<SliceDescriptor>();
      for (std::uint32_t axis = 0; axis < to.rank; ++axis) {
        view.offset += slice.starts[axis] * view.steps[axis];
        view.steps[axis] *= slice.steps[axis];
      }
      return true;
    }
    case LayerType::kSplit:
      view.offset +=
          FindBeginOfPart(node, tensor) * view.steps[node.GetDescriptor<SplitDescriptor>().axis];
      return true;
    case LayerType::kExpand:
      view.steps = ExpandSteps(from, view.steps, to);
      return true;
    default:
      return false;
  }
}

bool IsMove(const Node& node) {
  return IsBareLayer(node, LayerType::kReshape) || IsBareLayer(node, LayerType::kTranspose) ||
         IsBareLayer(node, LayerType::kSlice) || IsBareLayer(node, LayerType::kSplit) ||
         IsBareLayer(node, LayerType::kExpand);
}

/// The moves behind `tensor` that nobody looks between, in order.
std::vector<NodeIndex> ListMovesBehind(const GraphEditor& editor, TensorId tensor) {
  std::vector<NodeIndex> nodes;
  while (nodes.size() < kMostMoves && editor.CountReads(tensor) == 1 && !editor.IsOutput(tensor)) {
    const NodeIndex reader = editor.GetReaders(tensor)[0];
    const Node& node = editor[reader];
    if (!IsBareLayer(node, LayerType::kReshape) && !IsBareLayer(node, LayerType::kTranspose)) break;
    nodes.push_back(reader);
    tensor = node.outputs[0];
  }
  return nodes;
}

/// The steps of the input of a Reshape or Transpose whose output has these.
std::optional<ElementSteps> UndoMove(const GraphEditor& editor, const Node& node,
                                     const ElementSteps& steps) {
  const TensorShape& before = GetShapeOf(editor, node.inputs[0]);
  if (node.type == LayerType::kReshape) {
    return ReshapeSteps(GetShapeOf(editor, node.outputs[0]), steps, before);
  }
  const auto transpose = node.GetDescriptor<TransposeDescriptor>();
  ElementSteps undone(before.rank);
  for (std::uint32_t axis = 0; axis < before.rank; ++axis) {
    undone[transpose.permutation[axis]] = steps[axis];
  }
  return undone;
}

std::optional<ElementSteps> UndoMoves(const GraphEditor& editor,
                                      const std::vector<NodeIndex>& nodes) {
  std::optional<ElementSteps> steps =
      ListDenseSteps(GetShapeOf(editor, editor[nodes.back()].outputs[0]));
  for (std::size_t index = nodes.size(); index-- > 0 && steps;) {
    steps = UndoMove(editor, editor[nodes[index]], *steps);
  }
  return steps;
}

}  // namespace

StridedView FindStridedView(const GraphEditor& editor, TensorId tensor) {
  // From the tensor to what it may be a view of.
  std::vector<TensorId> tensors = {tensor};
  while (tensors.size() <= kMostMoves) {
    const NodeIndex maker = editor.GetMaker(tensors.back());
    if (maker == kNoNode || !IsMove(editor[maker])) break;
    tensors.push_back(editor[maker].inputs[0]);
  }
  for (std::size_t source = tensors.size(); source-- > 1;) {
    StridedView view{tensors[source], 0, ListDenseSteps(GetShapeOf(editor, tensors[source]))};
    std::size_t at = source;
    while (at > 0 &&
           ApplyMove(editor, editor[editor.GetMaker(tensors[at - 1])], tensors[at - 1], view)) {
      --at;
    }
    if (at == 0) return view;
  }
  return {tensor, 0, ListDenseSteps(GetShapeOf(editor, tensor))};
}

StridedTarget FindStridedTarget(const GraphEditor& editor, TensorId tensor) {
  std::vector<NodeIndex> nodes = ListMovesBehind(editor, tensor);
  for (; !nodes.empty(); nodes.pop_back()) {
    if (editor[nodes.back()].type != LayerType::kTranspose) continue;
    auto steps = UndoMoves(editor, nodes);
    if (steps) return {editor[nodes.back()].outputs[0], std::move(*steps), std::move(nodes)};
  }
  return {tensor, ListDenseSteps(GetShapeOf(editor, tensor)), {}};
}

}  // namespace cpuacc
}  // namespace backplane
