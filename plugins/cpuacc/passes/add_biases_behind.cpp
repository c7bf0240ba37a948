#include "graph/matching.hpp"
#include "passes/passes.hpp"

namespace backplane {
namespace cpuacc {
namespace {

/// The same constant in the shape in which it broadcasts to the channels, [C, 1...].
TensorId ShapeForChannels(Graph& graph, TensorId bias, std::uint32_t rank) {
  GraphTensor shaped = graph.tensors[bias];
  for (std::uint32_t axis = 2; axis < rank; ++axis) shaped.info.shape.Append(1);
  graph.tensors.push_back(shaped);
  return static_cast<TensorId>(graph.tensors.size() - 1);
}

}  // namespace

/// oneDNN adds the bias of a transposed convolution to one element after the other; in the chain
/// behind it, whole vectors are added.
void AddBiasesBehind(Graph& graph) {
  for (Node& node : graph.nodes) {
    if (!IsBareLayer(node, LayerType::kTransposedConvolution) || !HasBias(node)) continue;
    const GraphTensor& bias = graph.Input(node, 2);
    if (!bias.IsConstant() || !IsFloat32(bias.info) || !IsFloat32(graph.Output(node).info))
      continue;
    node.inputs[2] = ShapeForChannels(graph, node.inputs[2], graph.Output(node).info.shape.rank);
    node.chain = {MakeBinary(BinaryOperation::kAdd, 2, false)};
  }
}

}  // namespace cpuacc
}  // namespace backplane
