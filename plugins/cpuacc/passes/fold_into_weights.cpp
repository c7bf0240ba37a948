#include "graph/graph_editor.hpp"
#include "graph/matching.hpp"
#include "passes/channel_affine.hpp"
#include "passes/passes.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>
#include <backplane/api/descriptors/transposed_convolution.hpp>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

/// How the channels of the output stand in the weights, which are [outer, channels, inner]. With
/// groups, the outer axis is cut into as many pieces, each with channels of its own.
struct WeightAxes {
  std::int64_t groups = 1;
  std::int64_t outer = 1;     // of one group
  std::int64_t channels = 1;  // of one group
  std::int64_t inner = 1;
};

std::int64_t CountFrom(const TensorShape& shape, std::uint32_t axis) {
  std::int64_t count = 1;
  for (; axis < shape.rank; ++axis) count *= shape[axis];
  return count;
}

WeightAxes GetMatrixAxes(const TensorShape& weights, bool is_transposed) {
  if (is_transposed) return {1, 1, weights[0], weights[1]};
  return {1, weights[0], weights[1], 1};
}

/// Of a layer that sums products with constant weights; empty for others.
std::optional<WeightAxes> FindWeightAxes(const Graph& graph, const Node& node) {
  if (node.kind != NodeKind::kLayer || node.inputs.size() < 2) return {};
  const TensorShape& weights = graph.Input(node, 1).info.shape;
  switch (node.type) {
    case LayerType::kConvolution:
      return WeightAxes{1, 1, weights[0], CountFrom(weights, 1)};
    case LayerType::kTransposedConvolution: {
      const std::int64_t groups = node.GetDescriptor<TransposedConvolutionDescriptor>().groups;
      return WeightAxes{groups, weights[0] / groups, weights[1], CountFrom(weights, 2)};
    }
    case LayerType::kFullyConnected:
      return GetMatrixAxes(weights,
                           node.GetDescriptor<FullyConnectedDescriptor>().transpose_weights != 0);
    case LayerType::kBatchMatMul:
      if (weights.rank != 2) return {};
      return GetMatrixAxes(weights, node.GetDescriptor<BatchMatMulDescriptor>().transpose_b != 0);
    default:
      return {};
  }
}

std::uint32_t GetChannelAxis(const Graph& graph, const Node& node) {
  const bool is_matrix =
      node.type == LayerType::kFullyConnected || node.type == LayerType::kBatchMatMul;
  return is_matrix ? graph.Output(node).info.shape.rank - 1 : 1;
}

/// A product of constant float32 weights without a chain, whose channels are as many as the output
/// has.
std::optional<WeightAxes> FindProduct(const Graph& graph, const Node& node) {
  if (node.is_removed || !node.chain.empty()) return {};
  const auto axes = FindWeightAxes(graph, node);
  if (!axes || axes->channels == 0) return {};
  for (std::size_t input = 0; input < node.inputs.size(); ++input) {
    const GraphTensor& tensor = graph.Input(node, input);
    if (!IsFloat32(tensor.info) || (input > 0 && !tensor.IsConstant())) return {};
  }
  const TensorInfo& output = graph.Output(node).info;
  if (!IsFloat32(output) || output.shape.rank == 0 ||
      output.shape[GetChannelAxis(graph, node)] != axes->groups * axes->channels) {
    return {};
  }
  return axes;
}

void ScaleWeights(const float* weights, const WeightAxes& axes, const std::vector<float>& scale,
                  float* scaled) {
  for (std::int64_t group = 0; group < axes.groups; ++group) {
    for (std::int64_t row = 0; row < axes.outer * axes.channels; ++row) {
      const std::int64_t channel = group * axes.channels + row % axes.channels;
      const float factor = scale[static_cast<std::size_t>(channel)];
      for (std::int64_t i = 0; i < axes.inner; ++i) scaled[i] = weights[i] * factor;
      weights += axes.inner;
      scaled += axes.inner;
    }
  }
}

std::vector<float> ChangeBias(const float* bias, const ChannelAffine& affine) {
  std::vector<float> changed = affine.shift;
  if (bias == nullptr) return changed;
  for (std::size_t channel = 0; channel < changed.size(); ++channel) {
    changed[channel] += bias[channel] * affine.scale[channel];
  }
  return changed;
}

/// The product with other weights and bias, making the tensor that the reader made.
Node Fold(Graph& graph, const Node& product, const WeightAxes& axes, const ChannelAffine& affine,
          const Node& reader) {
  Node folded = product;
  folded.name += "+" + reader.name;
  folded.outputs = reader.outputs;
  if (!IsUniform(affine.scale, 1.0F)) {
    const GraphTensor weights = graph.Input(product, 1);
    folded.inputs[1] = AddConstant(graph, weights.info.shape, [&](float* scaled) {
      ScaleWeights(GetFloats(weights), axes, affine.scale, scaled);
    });
  }
  if (product.type == LayerType::kBatchMatMul) return folded;
  const bool has_bias = product.inputs.size() > 2;
  if (!has_bias && IsUniform(affine.shift, 0.0F)) return folded;
  const float* bias = has_bias ? GetFloats(graph.Input(product, 2)) : nullptr;
  const auto channels = static_cast<std::int64_t>(affine.scale.size());
  folded.inputs.resize(2);
  folded.inputs.push_back(AddConstant(graph, {channels}, ChangeBias(bias, affine)));
  return folded;
}

/// Takes the only reader of the product into it. False when there is none that can be taken.
bool FoldReader(GraphEditor& editor, NodeIndex index) {
  Graph& graph = editor.GetGraph();
  const Node product = editor[index];
  const auto axes = FindProduct(graph, product);
  if (!axes || editor.CountReads(product.outputs[0]) != 1 || editor.IsOutput(product.outputs[0])) {
    return false;
  }
  const NodeIndex reader = editor.GetReaders(product.outputs[0])[0];
  const auto affine =
      FindChannelAffine(graph, editor[reader], product.outputs[0], GetChannelAxis(graph, product));
  if (!affine || (product.type == LayerType::kBatchMatMul && !IsUniform(affine->shift, 0.0F))) {
    return false;
  }
  Node folded = Fold(graph, product, *axes, *affine, editor[reader]);
  editor.Remove(reader);
  editor.SetNode(index, std::move(folded));
  return true;
}

}  // namespace

/// What is done to each channel behind a product is done to its weights and its bias, once.
void FoldIntoWeights(Graph& graph) {
  GraphEditor editor(graph);
  for (NodeIndex index = 0; index < editor.GetCount(); ++index) {
    while (FoldReader(editor, index)) {
    }
  }
  editor.Finish();
}

}  // namespace cpuacc
}  // namespace backplane
