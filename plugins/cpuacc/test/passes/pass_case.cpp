#include "test/passes/pass_case.hpp"

#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/reshape.hpp>

namespace backplane {
namespace cpuacc_test {
namespace {

std::string GetNodeTypeName(const cpuacc::Node& node) {
  switch (node.kind) {
    case cpuacc::NodeKind::kElements:
      return "Elements";
    case cpuacc::NodeKind::kAttention:
      return "Attention";
    case cpuacc::NodeKind::kByteWeights:
      return "ByteWeights";
    case cpuacc::NodeKind::kByteTable:
      return "ByteTable";
    case cpuacc::NodeKind::kReplacedPart:
      return "ReplacedPart";
    case cpuacc::NodeKind::kLayer:
      break;
  }
  return GetLayerTypeName(node.type);
}

std::string DescribePassCase(const cpuacc::Node& node) {
  return GetNodeTypeName(node) + std::string(node.chain.size(), '+');
}

TensorShape Broadcast(const TensorShape& a, const TensorShape& b) {
  TensorShape shape = a.rank < b.rank ? b : a;
  const TensorShape& other = a.rank < b.rank ? a : b;
  for (std::uint32_t axis = 0; axis < other.rank; ++axis) {
    std::int64_t& extent = shape[shape.rank - other.rank + axis];
    if (extent == 1) extent = other[axis];
  }
  return shape;
}

}  // namespace

std::vector<std::string> ListNodes(const NetworkCase& network) {
  Graph graph = network.GetGraph();
  cpuacc::RunPasses(graph);
  std::vector<std::string> names;
  for (const cpuacc::Node& node : graph.nodes) {
    if (!node.is_removed) names.push_back(DescribePassCase(node));
  }
  return names;
}

cpuacc::Node GetOnlyNode(const NetworkCase& network) {
  Graph graph = network.GetGraph();
  cpuacc::RunPasses(graph);
  EXPECT_EQ(graph.nodes.size(), 1U);
  return graph.nodes.empty() ? cpuacc::Node() : graph.nodes.back();
}

TensorId AddActivation(NetworkCase& network, TensorId input, ActivationFunction function,
                       float alpha, float beta) {
  ActivationDescriptor descriptor;
  descriptor.function = function;
  descriptor.alpha = alpha;
  descriptor.beta = beta;
  return network.Add(LayerType::kActivation, descriptor, {input}, network.GetShape(input));
}

TensorId AddUnary(NetworkCase& network, TensorId input, UnaryOperation operation) {
  ElementwiseUnaryDescriptor descriptor;
  descriptor.operation = operation;
  return network.Add(LayerType::kElementwiseUnary, descriptor, {input}, network.GetShape(input));
}

TensorId AddBinary(NetworkCase& network, BinaryOperation operation, TensorId a, TensorId b) {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  return network.Add(LayerType::kElementwiseBinary, descriptor, {a, b},
                     Broadcast(network.GetShape(a), network.GetShape(b)));
}

TensorId AddBinary(NetworkCase& network, BinaryOperation operation, TensorId a, float b) {
  return AddBinary(network, operation, a, network.AddConstant({}, b));
}

TensorId AddBinary(NetworkCase& network, BinaryOperation operation, float a, TensorId b) {
  return AddBinary(network, operation, network.AddConstant({}, a), b);
}

TensorId AddReshape(NetworkCase& network, TensorId input, const TensorShape& shape) {
  ReshapeDescriptor descriptor;
  descriptor.rank = shape.rank;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) descriptor.dims[axis] = shape[axis];
  return network.Add(LayerType::kReshape, descriptor, {input}, shape);
}

TensorId AddTranspose(NetworkCase& network, TensorId input,
                      const std::vector<std::uint32_t>& permutation) {
  TransposeDescriptor descriptor;
  TensorShape shape;
  for (std::uint32_t axis = 0; axis < permutation.size(); ++axis) {
    descriptor.permutation[axis] = permutation[axis];
    shape.Append(network.GetShape(input)[permutation[axis]]);
  }
  return network.Add(LayerType::kTranspose, descriptor, {input}, shape);
}

TensorId AddReduce(NetworkCase& network, ReduceOperation operation, TensorId input,
                   std::uint32_t first_axis, bool keeps_axes) {
  const TensorShape whole = network.GetShape(input);
  ReduceDescriptor descriptor;
  descriptor.operation = operation;
  descriptor.keep_dims = keeps_axes ? 1 : 0;
  TensorShape shape;
  for (std::uint32_t axis = 0; axis < whole.rank; ++axis) {
    if (axis < first_axis) {
      shape.Append(whole[axis]);
    } else {
      descriptor.axes[descriptor.num_axes++] = axis;
      if (keeps_axes) shape.Append(1);
    }
  }
  return network.Add(LayerType::kReduce, descriptor, {input}, shape);
}

TensorId AddPointwise(NetworkCase& network, TensorId input, std::int64_t num_channels,
                      bool has_bias) {
  TensorShape shape = network.GetShape(input);
  std::vector<TensorId> inputs = {input, network.AddConstant({num_channels, shape[1], 1, 1})};
  if (has_bias) inputs.push_back(network.AddConstant({num_channels}));
  shape[1] = num_channels;
  return network.Add(LayerType::kConvolution, ConvolutionDescriptor(), inputs, shape);
}

}  // namespace cpuacc_test
}  // namespace backplane
