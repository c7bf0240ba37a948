#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/can_run.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/pad.hpp>
#include <backplane/api/descriptors/pooling.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// No sum of two leaves the range of a descriptor.
constexpr std::int64_t kMostPadding = 1 << 24;

/// Adds zeros, along spatial axes alone.
bool AddsZerosInSpace(const GraphEditor& editor, const Node& node) {
  const auto pad = node.GetDescriptor<PadDescriptor>();
  const TensorShape& shape = editor.GetTensor(node.inputs[0]).info.shape;
  if (pad.mode != PaddingMode::kConstant || !IsFloat32(editor.GetTensor(node.inputs[0]).info)) {
    return false;
  }
  float value = 0.0F;
  if (node.inputs.size() > 1 && !GetUniformFloat(editor.GetTensor(node.inputs[1]), &value)) {
    return false;
  }
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    const std::int64_t most = axis < 2 ? 0 : kMostPadding;
    if (std::min(pad.pads_begin[axis], pad.pads_end[axis]) < 0 ||
        std::max(pad.pads_begin[axis], pad.pads_end[axis]) > most) {
      return false;
    }
  }
  return value == 0.0F;
}

template <typename Descriptor>
void AddPads(const PadDescriptor& pad, Descriptor& window) {
  for (std::uint32_t axis = 0; axis < window.spatial_rank; ++axis) {
    window.pads_begin[axis] += static_cast<std::uint32_t>(pad.pads_begin[axis + 2]);
    window.pads_end[axis] += static_cast<std::uint32_t>(pad.pads_end[axis + 2]);
  }
}

bool HasPads(const PoolingDescriptor& pooling) {
  for (std::uint32_t axis = 0; axis < pooling.spatial_rank; ++axis) {
    if (pooling.pads_begin[axis] != 0 || pooling.pads_end[axis] != 0) return true;
  }
  return false;
}

/// The zeros count in the average. Windows that reach beyond the padding count less.
bool CanPad(const PoolingDescriptor& pooling) {
  return pooling.method == PoolingMethod::kAverage && pooling.rounding == OutputRounding::kFloor &&
         (!HasPads(pooling) || pooling.padding_in_average == PaddingInAverage::kInclude);
}

/// False when the node does not pad as the layer does.
bool TakePads(const PadDescriptor& pad, Node& node) {
  if (node.type == LayerType::kConvolution) {
    auto convolution = node.GetDescriptor<ConvolutionDescriptor>();
    AddPads(pad, convolution);
    node.SetDescriptor(convolution);
    return true;
  }
  auto pooling = node.GetDescriptor<PoolingDescriptor>();
  if (!CanPad(pooling)) return false;
  AddPads(pad, pooling);
  pooling.padding_in_average = PaddingInAverage::kInclude;
  node.SetDescriptor(pooling);
  return true;
}

void AbsorbPad(GraphEditor& editor, NodeIndex index) {
  const Node* pad = FindLayer(editor, editor[index].inputs[0], LayerType::kPad);
  if (pad == nullptr || !AddsZerosInSpace(editor, *pad)) return;
  Node padded = editor[index];
  padded.inputs[0] = pad->inputs[0];
  if (TakePads(pad->GetDescriptor<PadDescriptor>(), padded) && CanRun(editor.GetGraph(), padded)) {
    editor.SetNode(index, std::move(padded));
  }
}

}  // namespace

/// Convolutions and averages add the zeros themselves that stand before them.
void AbsorbPads(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    const Node& node = editor[index];
    if (IsBareLayer(node, LayerType::kConvolution) || IsBareLayer(node, LayerType::kPooling)) {
      AbsorbPad(editor, index);
    }
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
