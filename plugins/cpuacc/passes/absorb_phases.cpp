#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/can_run.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/slice.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using Pair = std::array<std::int64_t, 2>;

/// An image taken apart into every second pixel, or every third one and so on, whose parts then are
/// channels.
struct PhaseParts {
  TensorId image = kNoTensor;
  Pair steps = {1, 1};
  std::vector<Pair> offsets;  // of each part, in the order of the channels
};

/// Adds the part that this tensor is. False when it is none of the same image.
bool AddPart(const GraphEditor& editor, TensorId tensor, PhaseParts* phases) {
  const Node* node = FindLayer(editor, tensor, LayerType::kSlice);
  const TensorShape& part = editor.GetTensor(tensor).info.shape;
  if (node == nullptr || part.rank != 4) return false;
  const TensorShape& image = editor.GetTensor(node->inputs[0]).info.shape;
  const auto slice = node->GetDescriptor<SliceDescriptor>();
  const Pair steps = {slice.steps[2], slice.steps[3]};
  if (phases->image == kNoTensor) {
    phases->image = node->inputs[0];
    phases->steps = steps;
  }
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    const std::int64_t step = steps[axis];
    if (part[axis] != image[axis] || slice.starts[axis] != 0 || slice.steps[axis] != 1 ||
        step < 1 || slice.starts[axis + 2] >= step || part[axis + 2] * step != image[axis + 2]) {
      return false;
    }
  }
  phases->offsets.push_back({slice.starts[2], slice.starts[3]});
  return phases->image == node->inputs[0] && phases->steps == steps;
}

/// Empty when the tensor is not all parts of an image, each once.
std::optional<PhaseParts> FindPhases(const GraphEditor& editor, TensorId tensor) {
  const Node* join = FindLayer(editor, tensor, LayerType::kConcat);
  if (join == nullptr || join->GetDescriptor<ConcatDescriptor>().axis != 1) return {};
  PhaseParts phases;
  for (const TensorId part : join->inputs) {
    if (!AddPart(editor, part, &phases)) return {};
  }
  const std::set<Pair> distinct(phases.offsets.begin(), phases.offsets.end());
  const bool is_whole =
      distinct.size() == phases.offsets.size() &&
      static_cast<std::int64_t>(distinct.size()) == phases.steps[0] * phases.steps[1];
  return is_whole && distinct.size() > 1 ? std::optional<PhaseParts>(phases) : std::nullopt;
}

/// Weights [M, parts * C, h, w] as they read the image itself: [M, C, h * step, w * step].
TensorId SpreadWeights(Graph& graph, TensorId weights, const PhaseParts& phases) {
  const TensorShape from = graph.tensors[weights].info.shape;
  const auto num_parts = static_cast<std::int64_t>(phases.offsets.size());
  const TensorShape to = {from[0], from[1] / num_parts, from[2] * phases.steps[0],
                          from[3] * phases.steps[1]};
  std::vector<float> values(static_cast<std::size_t>(to.GetNumElements()));
  const float* next = GetFloats(graph.tensors[weights]);
  for (std::int64_t filter = 0; filter < from[0]; ++filter) {
    for (std::int64_t channel = 0; channel < from[1]; ++channel) {
      const Pair& offset = phases.offsets[static_cast<std::size_t>(channel / to[1])];
      const std::int64_t plane = filter * to[1] + channel % to[1];
      for (std::int64_t y = 0; y < from[2]; ++y) {
        const std::int64_t row = plane * to[2] + y * phases.steps[0] + offset[0];
        for (std::int64_t x = 0; x < from[3]; ++x) {
          const std::int64_t column = x * phases.steps[1] + offset[1];
          values[static_cast<std::size_t>(row * to[3] + column)] = *next++;
        }
      }
    }
  }
  return AddConstant(graph, to, values);
}

void AbsorbPhase(GraphEditor& editor, NodeIndex index) {
  Graph& graph = editor.GetGraph();
  Node node = editor[index];
  auto convolution = node.GetDescriptor<ConvolutionDescriptor>();
  const GraphTensor& weights = graph.Input(node, 1);
  if (convolution.spatial_rank != 2 || convolution.groups != 1 || !weights.IsConstant() ||
      !IsFloat32(weights.info) || !IsFloat32(graph.Input(node, 0).info) ||
      convolution.dilations[0] != 1 || convolution.dilations[1] != 1) {
    return;
  }
  const auto phases = FindPhases(editor, node.inputs[0]);
  if (!phases) return;
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    const auto step = static_cast<std::uint32_t>(phases->steps[axis]);
    convolution.strides[axis] *= step;
    convolution.pads_begin[axis] *= step;
    convolution.pads_end[axis] *= step;
  }
  node.SetDescriptor(convolution);
  node.inputs[0] = phases->image;
  node.inputs[1] = SpreadWeights(graph, node.inputs[1], *phases);
  if (CanRun(graph, node)) editor.SetNode(index, std::move(node));
}

}  // namespace

/// A convolution of an image that was taken apart into channels reads the image itself, with longer
/// strides: as many products, and nothing is moved.
void AbsorbPhases(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    if (IsBareLayer(editor[index], LayerType::kConvolution)) AbsorbPhase(editor, index);
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
