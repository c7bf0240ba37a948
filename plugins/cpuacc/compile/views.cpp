#include "compile/views.hpp"

#include "cpu_layers/dense_steps.hpp"
#include "graph/matching.hpp"
#include "layout/channel_blocks.hpp"
#include "layout/layout_axes.hpp"
#include "layout/reshaped_steps.hpp"

#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/slice.hpp>
#include <backplane/api/descriptors/split.hpp>
#include <backplane/api/descriptors/transpose.hpp>

#include <algorithm>
#include <functional>

namespace backplane {
namespace cpuacc {
namespace {

std::int64_t CountElements(const TensorShape& shape, std::uint32_t from, std::uint32_t to) {
  std::int64_t count = 1;
  for (std::uint32_t axis = from; axis < to; ++axis) count *= shape[axis];
  return count;
}

/// The elements from `starts` on with the extents of `part` lie together when every axis but the
/// outermost one that is cut is whole, and everything before it is one index.
std::optional<std::int64_t> FindOffsetOfPart(const TensorShape& whole, const TensorShape& part,
                                             const std::int64_t* starts) {
  std::uint32_t axis = 0;
  std::int64_t offset = 0;
  for (; axis < whole.rank && part[axis] == 1; ++axis) {
    offset += starts[axis] * CountElements(whole, axis + 1, whole.rank);
  }
  if (axis == whole.rank) return offset;
  offset += starts[axis] * CountElements(whole, axis + 1, whole.rank);
  for (++axis; axis < whole.rank; ++axis) {
    if (part[axis] != whole[axis]) return {};
  }
  return offset;
}

std::optional<std::int64_t> FindSlice(const TensorShape& whole, const TensorShape& part,
                                      const SliceDescriptor& slice) {
  for (std::uint32_t axis = 0; axis < whole.rank; ++axis) {
    if (slice.steps[axis] != 1 && part[axis] != 1) return {};
  }
  return FindOffsetOfPart(whole, part, slice.starts);
}

std::optional<std::int64_t> FindPart(const TensorShape& whole, const TensorShape& part,
                                     const SplitDescriptor& split, std::uint32_t output) {
  std::int64_t starts[kMaxRank] = {};
  for (std::uint32_t before = 0; before < output; ++before) {
    starts[split.axis] += split.extents[before];
  }
  return FindOffsetOfPart(whole, part, starts);
}

std::optional<std::int64_t> FindElementOffset(const TensorShape& whole, const Node& node,
                                              const TensorShape& part, std::uint32_t output) {
  switch (node.type) {
    case LayerType::kReshape:
    case LayerType::kReinterpret:
      return 0;
    case LayerType::kSlice:
      return FindSlice(whole, part, node.GetDescriptor<SliceDescriptor>());
    case LayerType::kSplit:
      return FindPart(whole, part, node.GetDescriptor<SplitDescriptor>(), output);
    case LayerType::kTranspose:
      if (KeepsOrder(whole, node.GetDescriptor<TransposeDescriptor>())) return 0;
      return {};
    default:
      return {};
  }
}

/// Whether the steps are those of a dense tensor, as far as they are taken.
bool AreDense(const TensorShape& shape, const dnnl::memory::dims& steps) {
  const cpu_layers::DenseSteps dense(shape);
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (shape[axis] > 1 && steps[axis] != dense[axis]) return false;
  }
  return true;
}

/// Whether a layer with windows reads the tensor: these take channels that lie last as they are.
bool IsReadByWindows(const Graph& graph, TensorId tensor) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
    return !node.is_removed && node.kind == NodeKind::kLayer && !node.inputs.empty() &&
           node.inputs[0] == tensor &&
           (node.type == LayerType::kConvolution || node.type == LayerType::kPooling);
  });
}

/// Whether only Transpose reads the tensor, which takes any steps.
bool IsReadByTransposes(const Graph& graph, TensorId tensor) {
  return std::none_of(graph.outputs.begin(), graph.outputs.end(),
                      [&](TensorId output) { return output == tensor; }) &&
         std::all_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
           return node.is_removed || node.type == LayerType::kTranspose ||
                  std::find(node.inputs.begin(), node.inputs.end(), tensor) == node.inputs.end();
         });
}

/// Channels that are taken apart or put together, where they lie last.
std::optional<Layout> FindReshapedLayout(const Graph& graph, const Node& node,
                                         const LayoutAxes& from) {
  const TensorInfo& output = graph.Output(node).info;
  const auto steps = FindReshapedSteps(graph.Input(node, 0).info.shape, from.steps, output.shape);
  if (!steps) return {};
  if (AreDense(output.shape, *steps)) return Layout();
  const bool is_wanted =
      IsReadByTransposes(graph, node.outputs[0]) || IsReadByWindows(graph, node.outputs[0]);
  if (!is_wanted || !HasDnnlType(output.data_type)) return {};
  return Layout(dnnl::memory::desc(ToDims(output.shape), ToDnnlType(output.data_type), *steps),
                output);
}

std::optional<Layout> FindTransposedLayout(const Graph& graph, const Node& node,
                                           const LayoutAxes& from) {
  const auto transpose = node.GetDescriptor<TransposeDescriptor>();
  const TensorInfo& output = graph.Output(node).info;
  const std::uint32_t rank = output.shape.rank;
  dnnl::memory::dims steps;
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    steps.push_back(from.steps[transpose.permutation[axis]]);
  }
  if (AreDense(output.shape, steps)) return Layout();
  if (rank < 3 || rank > 5 || !HasDnnlType(output.data_type) || steps[1] != 1 ||
      !std::is_sorted(steps.begin() + 2, steps.end(), std::greater<>()) || steps[0] < steps[2] ||
      !IsReadByWindows(graph, node.outputs[0])) {
    return {};
  }
  return Layout(dnnl::memory::desc(ToDims(output.shape), ToDnnlType(output.data_type), steps),
                output);
}

}  // namespace

std::optional<std::uint64_t> FindOffsetInInput(const Graph& graph, const Node& node,
                                               std::uint32_t output) {
  if (node.kind != NodeKind::kLayer || !node.chain.empty()) return {};
  const TensorInfo& whole = graph.Input(node, 0).info;
  const TensorInfo& part = graph.Output(node, output).info;
  const auto offset = FindElementOffset(whole.shape, node, part.shape, output);
  if (!offset) return {};
  return static_cast<std::uint64_t>(*offset) * GetDataTypeSizeBytes(whole.data_type);
}

std::optional<Layout> FindRelabelledLayout(const Graph& graph, const Node& node,
                                           const Layout& layout) {
  if (node.kind != NodeKind::kLayer || !node.chain.empty()) return {};
  if (node.type == LayerType::kReinterpret) return layout;
  const bool is_transpose = node.type == LayerType::kTranspose;
  if (!is_transpose && (node.type != LayerType::kReshape || layout.IsPlain())) return {};
  const TensorInfo& input = graph.Input(node, 0).info;
  const auto from = FindLayoutAxes(input, layout);
  if (!from || from->block != 1 || input.shape.GetNumElements() == 0) return {};
  return is_transpose ? FindTransposedLayout(graph, node, *from)
                      : FindReshapedLayout(graph, node, *from);
}

std::vector<std::uint64_t> FindOffsetsInJoin(const Graph& graph, const Node& node,
                                             const Layout& layout) {
  const TensorInfo& whole = graph.Output(node).info;
  const std::uint32_t axis = node.GetDescriptor<ConcatDescriptor>().axis;
  if (!node.chain.empty() || CountElements(whole.shape, 0, axis) != 1) return {};
  const std::int64_t block = GetChannelBlock(graph.Input(node, 0).info, layout);
  if (!layout.IsPlain() && (block == 0 || axis != 1)) return {};
  const std::uint64_t slice_bytes =
      static_cast<std::uint64_t>(CountElements(whole.shape, axis + 1, whole.shape.rank)) *
      GetDataTypeSizeBytes(whole.data_type);
  std::vector<std::uint64_t> offsets;
  std::int64_t begin = 0;
  for (std::size_t index = 0; index < node.inputs.size(); ++index) {
    if (block != 0 && begin % block != 0) return {};
    offsets.push_back(static_cast<std::uint64_t>(begin) * slice_bytes);
    begin += graph.Input(node, index).info.shape[axis];
  }
  return offsets;
}

}  // namespace cpuacc
}  // namespace backplane
