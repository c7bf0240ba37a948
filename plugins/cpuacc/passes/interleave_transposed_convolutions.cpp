#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "layout/channel_blocks.hpp"
#include "passes/can_run.hpp"
#include "passes/make_layers.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/depth_to_space.hpp>
#include <backplane/api/descriptors/transposed_convolution.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

/// A transposed convolution along one axis, as a convolution for each phase: the elements of the
/// output whose indices have the same rest by the stride. All phases have one window.
struct PhaseAxis {
  /// Where element 0 of this phase has its first tap, in the input and in the kernel.
  std::int64_t FindPlace(std::int64_t phase) const { return (phase + pad) / stride; }
  /// The index in the kernel of this place in the window; at least `kernel`, or negative, for none.
  std::int64_t FindTap(std::int64_t phase, std::int64_t place) const {
    const std::int64_t steps_back = FindPlace(phase) - first - place;
    return steps_back < 0 ? -1 : (phase + pad) % stride + steps_back * stride;
  }

  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t pad = 0;
  std::int64_t first = 0;   // of the window, from an element of the input on; not positive
  std::int64_t window = 1;  // how many places
};

using PhaseAxes = std::array<PhaseAxis, kMaxSpatialRank>;

PhaseAxis MakeAxis(const TransposedConvolutionDescriptor& transposed, std::uint32_t axis,
                   std::int64_t kernel) {
  PhaseAxis made;
  made.kernel = kernel;
  made.stride = transposed.strides[axis];
  made.pad = transposed.pads_begin[axis];
  std::int64_t last = 0;
  for (std::int64_t phase = 0; phase < made.stride; ++phase) {
    const std::int64_t rest = (phase + made.pad) % made.stride;
    const std::int64_t num_taps = (kernel - rest + made.stride - 1) / made.stride;
    made.first = std::min(made.first, made.FindPlace(phase) - (num_taps - 1));
    last = std::max(last, made.FindPlace(phase));
  }
  made.window = last - made.first + 1;
  return made;
}

struct Phases {
  std::int64_t CountOf(std::int64_t PhaseAxis::*extent) const {
    std::int64_t count = 1;
    for (const PhaseAxis& axis : axes) count *= axis.*extent;
    return count;
  }

  PhaseAxes axes;
  ConvolutionDescriptor convolution;
  DepthToSpaceDescriptor interleave;
};

/// More places in all windows than so many for each tap are not worth it.
constexpr std::int64_t kPlacesForTap = 4;

/// Empty where phases are not all of one size, or their strides differ.
std::optional<Phases> FindPhases(const TransposedConvolutionDescriptor& transposed,
                                 const TensorShape& input, const TensorShape& weights,
                                 const TensorShape& output) {
  Phases phases;
  phases.convolution.spatial_rank = transposed.spatial_rank;
  phases.interleave.block_size = transposed.strides[0];
  phases.interleave.order = DepthOrder::kChannelFirst;
  for (std::uint32_t axis = 0; axis < transposed.spatial_rank; ++axis) {
    const std::int64_t stride = transposed.strides[axis];
    if (stride < 2 || stride != transposed.strides[0] || transposed.dilations[axis] != 1 ||
        output[axis + 2] % stride != 0) {
      return {};
    }
    const PhaseAxis made = MakeAxis(transposed, axis, weights[axis + 2]);
    const std::int64_t behind =
        output[axis + 2] / stride - input[axis + 2] + made.window - 1 + made.first;
    if (behind < 0) return {};
    phases.convolution.pads_begin[axis] = static_cast<std::uint32_t>(-made.first);
    phases.convolution.pads_end[axis] = static_cast<std::uint32_t>(behind);
    phases.axes[axis] = made;
  }
  const std::int64_t places =
      phases.CountOf(&PhaseAxis::window) * phases.CountOf(&PhaseAxis::stride);
  if (places > kPlacesForTap * phases.CountOf(&PhaseAxis::kernel)) return {};
  return phases;
}

/// Calls with each index of three axes, the last one fastest.
template <typename Visit>
void ForEachIndex(const PhaseAxes& axes, std::int64_t PhaseAxis::*extent, const Visit& visit) {
  for (std::int64_t a = 0; a < axes[0].*extent; ++a) {
    for (std::int64_t b = 0; b < axes[1].*extent; ++b) {
      for (std::int64_t c = 0; c < axes[2].*extent; ++c)
        visit(std::array<std::int64_t, 3>{a, b, c});
    }
  }
}

/// The offset in a kernel of this place in the window of this phase; -1 where there is no tap.
std::int64_t FindTap(const PhaseAxes& axes, const std::array<std::int64_t, 3>& phase,
                     const std::array<std::int64_t, 3>& place) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const std::int64_t tap = axes[axis].FindTap(phase[axis], place[axis]);
    if (tap < 0 || tap >= axes[axis].kernel) return -1;
    offset = offset * axes[axis].kernel + tap;
  }
  return offset;
}

/// From [channels, filters, kernel...] to [filters, phases..., channels, window...].
TensorId SpreadWeights(Graph& graph, const GraphTensor& weights, const Phases& phases) {
  const TensorShape from = weights.info.shape;
  const std::int64_t volume = phases.CountOf(&PhaseAxis::kernel);
  TensorShape to = {from[1] * phases.CountOf(&PhaseAxis::stride), from[0]};
  for (std::uint32_t axis = 2; axis < from.rank; ++axis) to.Append(phases.axes[axis - 2].window);
  const float* values = GetFloats(weights);
  return AddConstant(graph, to, [&](float* spread) {
    for (std::int64_t filter = 0; filter < from[1]; ++filter) {
      ForEachIndex(phases.axes, &PhaseAxis::stride, [&](const auto& phase) {
        for (std::int64_t channel = 0; channel < from[0]; ++channel) {
          const float* kernel = values + (channel * from[1] + filter) * volume;
          ForEachIndex(phases.axes, &PhaseAxis::window, [&](const auto& place) {
            const std::int64_t tap = FindTap(phases.axes, phase, place);
            *spread++ = tap < 0 ? 0.0F : kernel[tap];
          });
        }
      });
    }
  });
}

TensorId SpreadBias(Graph& graph, const GraphTensor& bias, std::int64_t num_phases) {
  const std::int64_t filters = bias.info.shape.GetNumElements();
  const float* values = GetFloats(bias);
  return AddConstant(graph, {filters * num_phases}, [&](float* spread) {
    for (std::int64_t filter = 0; filter < filters; ++filter) {
      spread = std::fill_n(spread, num_phases, values[filter]);
    }
  });
}

/// oneDNN computes whole blocks of filters, however few there are.
bool HasFewFilters(const Graph& graph, const Node& node) {
  return 2 * graph.Output(node).info.shape[1] <= GetNativeChannelBlock();
}

bool HasConstantFloats(const Graph& graph, const Node& node) {
  for (std::size_t input = 0; input < node.inputs.size(); ++input) {
    const GraphTensor& tensor = graph.Input(node, input);
    if (!IsFloat32(tensor.info) || (input > 0 && !tensor.IsConstant())) return false;
  }
  return IsFloat32(graph.Output(node).info);
}

/// The chain behind a tensor that treats all of its elements alike, so that it may run before they
/// are moved; kNoNode when there is none.
NodeIndex FindUniformChain(const GraphEditor& editor, TensorId tensor) {
  if (editor.CountReads(tensor) != 1 || editor.IsOutput(tensor)) return kNoNode;
  const NodeIndex reader = editor.GetReaders(tensor)[0];
  const Node& chain = editor[reader];
  if (chain.kind != NodeKind::kElements || chain.inputs[0] != tensor) return kNoNode;
  for (std::size_t input = 1; input < chain.inputs.size(); ++input) {
    float value = 0.0F;
    const GraphTensor& operand = editor.GetTensor(chain.inputs[input]);
    if (!operand.IsConstant() || !IsFloat32(operand.info) ||
        operand.info.shape.GetNumElements() != 1 || !GetUniformFloat(operand, &value)) {
      return kNoNode;
    }
  }
  const TensorInfo& result = editor.GetTensor(chain.outputs[0]).info;
  return result == editor.GetTensor(tensor).info ? reader : kNoNode;
}

TensorInfo DescribeApart(const TensorInfo& output, const Phases& phases) {
  TensorInfo apart = output;
  apart.shape[1] *= phases.CountOf(&PhaseAxis::stride);
  for (std::uint32_t axis = 2; axis < apart.shape.rank; ++axis) {
    apart.shape[axis] /= phases.axes[axis - 2].stride;
  }
  return apart;
}

/// The convolution that makes all phases.
Node MakeConvolution(Graph& graph, const Node& transposed, const Phases& phases, TensorId output) {
  Node node = transposed;
  node.type = LayerType::kConvolution;
  node.SetDescriptor(phases.convolution);
  const GraphTensor weights = graph.Input(transposed, 1);
  node.inputs[1] = SpreadWeights(graph, weights, phases);
  if (HasBias(transposed)) {
    const GraphTensor bias = graph.Input(transposed, 2);
    node.inputs[2] = SpreadBias(graph, bias, phases.CountOf(&PhaseAxis::stride));
  }
  node.outputs = {output};
  return node;
}

void Interleave(GraphEditor& editor, NodeIndex index) {
  Graph& graph = editor.GetGraph();
  const Node node = editor[index];
  const auto descriptor = node.GetDescriptor<TransposedConvolutionDescriptor>();
  const TensorInfo output = graph.Output(node).info;
  const bool is_empty =
      graph.Input(node, 0).info.shape.GetNumElements() == 0 || output.shape.GetNumElements() == 0;
  if (descriptor.groups != 1 || is_empty || !HasConstantFloats(graph, node) ||
      !HasFewFilters(graph, node)) {
    return;
  }
  const auto phases = FindPhases(descriptor, graph.Input(node, 0).info.shape,
                                 graph.Input(node, 1).info.shape, output.shape);
  if (!phases) return;
  const TensorInfo info = DescribeApart(output, *phases);
  TensorId apart = editor.AddTensor(info);
  TensorId result = node.outputs[0];
  Node convolution = MakeConvolution(graph, node, *phases, apart);
  if (!CanRun(graph, convolution)) return;
  const NodeIndex reader = FindUniformChain(editor, result);
  editor.SetNode(index, std::move(convolution));
  if (reader != kNoNode) {
    Node chain = editor[reader];
    chain.inputs[0] = std::exchange(apart, editor.AddTensor(info));
    result = std::exchange(chain.outputs[0], apart);
    editor.SetNode(reader, std::move(chain));
  }
  editor.AddNode(
      MakeLayerNode(LayerType::kDepthToSpace, phases->interleave, node.name, {apart}, result));
}

}  // namespace

/// A transposed convolution with strides that has few filters becomes a convolution whose filters
/// are those of all phases, and its result is interleaved. Where phases read different neighbours,
/// the window has places without a tap.
void InterleaveTransposedConvolutions(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = editor.GetCount(); index-- > 0;) {
    if (IsBareLayer(editor[index], LayerType::kTransposedConvolution)) Interleave(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
