#include "passes/passes.hpp"

#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/transposed_convolution.hpp>

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

/// The convolution that gives the same; false when there is none.
bool FindConvolution(const TransposedConvolutionDescriptor& transposed, const TensorShape& weights,
                     ConvolutionDescriptor* convolution) {
  convolution->spatial_rank = transposed.spatial_rank;
  convolution->groups = transposed.groups;
  for (std::uint32_t axis = 0; axis < transposed.spatial_rank; ++axis) {
    const std::int64_t reach = (weights[axis + 2] - 1) * transposed.dilations[axis];
    const std::int64_t before = reach - transposed.pads_begin[axis];
    const std::int64_t behind = reach - transposed.pads_end[axis] + transposed.output_padding[axis];
    if (transposed.strides[axis] != 1 || before < 0 || behind < 0) return false;
    convolution->dilations[axis] = transposed.dilations[axis];
    convolution->pads_begin[axis] = static_cast<std::uint32_t>(before);
    convolution->pads_end[axis] = static_cast<std::uint32_t>(behind);
  }
  return true;
}

/// From [channels, filters of a group, kernel...] to [filters, channels of a group, kernel...],
/// each kernel from its end to its beginning.
TensorId TurnWeights(Graph& graph, const GraphTensor& weights, std::int64_t groups) {
  const TensorShape& shape = weights.info.shape;
  const std::int64_t channels = shape[0] / groups;
  const std::int64_t filters = shape[1];
  std::int64_t volume = 1;
  for (std::uint32_t axis = 2; axis < shape.rank; ++axis) volume *= shape[axis];
  const float* from = GetFloats(weights);
  std::vector<float> turned(static_cast<std::size_t>(shape.GetNumElements()));
  for (std::int64_t group = 0; group < groups; ++group) {
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      for (std::int64_t filter = 0; filter < filters; ++filter) {
        const std::int64_t first = ((group * filters + filter) * channels + channel) * volume;
        for (std::int64_t k = volume; k-- > 0;) {
          turned[static_cast<std::size_t>(first + k)] = *from++;
        }
      }
    }
  }
  TensorShape turned_shape = shape;
  turned_shape[0] = groups * filters;
  turned_shape[1] = channels;
  return AddConstant(graph, turned_shape, turned);
}

void Turn(Graph& graph, Node& node) {
  const auto transposed = node.GetDescriptor<TransposedConvolutionDescriptor>();
  const GraphTensor weights = graph.Input(node, 1);
  ConvolutionDescriptor convolution;
  if (!weights.IsConstant() || weights.info.data_type != DataType::kFloat32 ||
      weights.info.quantization.IsQuantized() ||
      !FindConvolution(transposed, weights.info.shape, &convolution)) {
    return;
  }
  node.type = LayerType::kConvolution;
  node.SetDescriptor(convolution);
  node.inputs[1] = TurnWeights(graph, weights, transposed.groups);
}

}  // namespace

/// Transposed convolutions without a stride become convolutions with their kernels turned around,
/// which are faster and take more behind them.
void TurnTransposedConvolutions(Graph& graph) {
  for (Node& node : graph.nodes) {
    if (!node.is_removed && node.kind == NodeKind::kLayer &&
        node.type == LayerType::kTransposedConvolution) {
      Turn(graph, node);
    }
  }
}

}  // namespace cpuacc
}  // namespace backplane
