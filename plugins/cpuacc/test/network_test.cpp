#include "test/network_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/reshape.hpp>

namespace backplane {
namespace cpuacc_test {
namespace {

ConvolutionDescriptor MakeSameConvolution() {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 2;
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    descriptor.pads_begin[axis] = descriptor.pads_end[axis] = 1;
  }
  return descriptor;
}

TensorId AddConvolutionNetwork(NetworkCase& network, TensorId input, std::int64_t num_channels) {
  TensorShape shape = network.GetShape(input);
  const TensorId weights = network.AddConstant({num_channels, shape[1], 3, 3});
  const TensorId bias = network.AddConstant({num_channels});
  shape[1] = num_channels;
  return network.Add(LayerType::kConvolution, MakeSameConvolution(), {input, weights, bias}, shape);
}

TEST(Network, PassesBlockedTensorsFromConvolutionToConvolution) {
  NetworkCase network;
  const TensorId input = network.AddInput({2, 16, 9, 7});
  const TensorId first = AddConvolutionNetwork(network, input, 20);
  network.AddOutput(AddConvolutionNetwork(network, first, 33));
  ExpectAsCpuRef(network);
}

TEST(Network, HasATensorThatIsReadTwiceAndLeavesAsWell) {
  NetworkCase network;
  const TensorId input = network.AddInput({1, 3, 8, 8});
  const TensorId shared = AddConvolutionNetwork(network, input, 16);
  network.AddOutput(AddConvolutionNetwork(network, shared, 8));
  network.AddOutput(shared);
  network.AddOutput(AddConvolutionNetwork(network, shared, 5));
  ExpectAsCpuRef(network);
}

TEST(Network, ReshapesWithoutMoving) {
  NetworkCase network;
  const TensorId input = network.AddInput({1, 16, 4, 4});
  const TensorId convolved = AddConvolutionNetwork(network, input, 16);
  const TensorId flat =
      network.Add(LayerType::kReshape, ReshapeDescriptor(), {convolved}, {1, 16, 2, 8});
  network.AddOutput(AddConvolutionNetwork(network, flat, 4));
  ExpectAsCpuRef(network);
}

TEST(Network, GivesAnInputBackAsAnOutput) {
  NetworkCase network;
  const TensorId input = network.AddInput({2, 3});
  network.AddOutput(network.Add(LayerType::kReshape, ReshapeDescriptor(), {input}, {3, 2}));
  ExpectAsCpuRef(network, Precision::kExact);
}

TEST(Network, GivesTheSameTensorTwice) {
  NetworkCase network;
  const TensorId input = network.AddInput({1, 4, 5, 5});
  const TensorId convolved = AddConvolutionNetwork(network, input, 4);
  network.AddOutput(convolved);
  network.AddOutput(convolved);
  ExpectAsCpuRef(network);
}

TEST(Network, HasNothingToComputeInAnEmptyTensor) {
  NetworkCase network;
  const TensorId input = network.AddInput({0, 3});
  network.AddOutput(network.Add(LayerType::kReshape, ReshapeDescriptor(), {input}, {3, 0}));
  ExpectAsCpuRef(network, Precision::kExact);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
