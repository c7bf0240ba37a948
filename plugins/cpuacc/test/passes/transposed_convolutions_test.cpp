#include "layout/channel_blocks.hpp"
#include "test/passes/pass_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/transposed_convolution.hpp>

namespace backplane {
namespace cpuacc_test {
namespace {

using Nodes = std::vector<std::string>;

struct Window {
  std::int64_t kernel;
  std::uint32_t stride;
  std::uint32_t pad;
  std::uint32_t output_padding;
};

/// With as many spatial axes as there are windows; of an input of 5, 6... places.
TensorId AddTransposed(NetworkCase& network, const std::vector<Window>& windows,
                       std::int64_t filters, bool has_bias) {
  TransposedConvolutionDescriptor descriptor;
  descriptor.spatial_rank = static_cast<std::uint32_t>(windows.size());
  TensorShape input = {2, 7};
  TensorShape weights = {7, filters};
  TensorShape output = {2, filters};
  for (std::uint32_t axis = 0; axis < windows.size(); ++axis) {
    const auto& [kernel, stride, pad, output_padding] = windows[axis];
    const std::int64_t places = 5 + axis;
    descriptor.strides[axis] = stride;
    descriptor.pads_begin[axis] = descriptor.pads_end[axis] = pad;
    descriptor.output_padding[axis] = output_padding;
    input.Append(places);
    weights.Append(kernel);
    output.Append((places - 1) * stride + kernel - std::int64_t{2} * pad + output_padding);
  }
  std::vector<TensorId> inputs = {network.AddInput(input), network.AddConstant(weights)};
  if (has_bias) inputs.push_back(network.AddConstant({filters}));
  return network.Add(LayerType::kTransposedConvolution, descriptor, inputs, output);
}

bool AreInterleaved() {
  return cpuacc::GetNativeChannelBlock() != 0;
}

TEST(TransposedConvolutions, OfFewFiltersAreInterleavedWhateverTheWindow) {
  const std::vector<Window> windows[] = {
      {{2, 2, 0, 0}, {2, 2, 0, 0}},                // no place of a window is empty
      {{4, 2, 1, 0}, {4, 2, 1, 0}},                // phases have different neighbours
      {{3, 2, 1, 1}, {3, 2, 1, 1}},                // phases have one tap and two
      {{8, 4, 2, 0}, {6, 4, 1, 0}},                // kernels differ
      {{3, 3, 0, 0}},                              // along a line
      {{2, 2, 0, 0}, {4, 2, 1, 0}, {3, 2, 1, 1}},  // of a volume
      {{5, 4, 1, 1}, {4, 4, 2, 4}},                // padding behind reaches beyond
  };
  for (const auto& window : windows) {
    for (const bool has_bias : {false, true}) {
      NetworkCase network;
      network.AddOutput(AddTransposed(network, window, 3, has_bias));
      if (AreInterleaved()) {
        EXPECT_EQ(ListNodes(network), (Nodes{"Convolution", "DepthToSpace"})) << window[0].kernel;
      }
      ExpectAsCpuRef(network);
    }
  }
}

TEST(TransposedConvolutions, RunWhatTreatsElementsAlikeBeforeTheyAreInterleaved) {
  NetworkCase network;
  TensorId x = AddTransposed(network, {{2, 2, 0, 0}, {2, 2, 0, 0}}, 1, true);
  x = AddActivation(network, x, ActivationFunction::kSigmoid);
  network.AddOutput(AddBinary(network, BinaryOperation::kMul, x, network.AddInput({12})));
  if (AreInterleaved()) {
    EXPECT_EQ(ListNodes(network), (Nodes{"Convolution+", "DepthToSpace", "Elements+"}));
  }
  ExpectAsCpuRef(network);
}

TEST(TransposedConvolutions, StayWhereInterleavingIsNotPossibleOrNotWorthIt) {
  const std::vector<Window> windows[] = {
      {{2, 2, 0, 0}, {3, 3, 0, 0}},  // one stride for all axes
      {{3, 2, 0, 0}, {3, 2, 0, 0}},  // the last phase has one element fewer
      {{1, 4, 0, 3}, {1, 4, 0, 3}},  // most places would be empty
  };
  for (const auto& window : windows) {
    NetworkCase network;
    network.AddOutput(AddTransposed(network, window, 3, false));
    EXPECT_EQ(ListNodes(network), Nodes{"TransposedConvolution"}) << window[1].kernel;
    ExpectAsCpuRef(network);
  }
}

TEST(TransposedConvolutions, OfNoChannelsAreTheirBias) {
  NetworkCase network;
  TransposedConvolutionDescriptor descriptor;
  descriptor.strides[0] = descriptor.strides[1] = 2;
  const TensorId input = network.AddInput({1, 0, 3, 4});
  network.AddOutput(network.Add(
      LayerType::kTransposedConvolution, descriptor,
      {input, network.AddConstant({0, 3, 2, 2}), network.AddConstant({3})}, {1, 3, 6, 8}));
  ExpectAsCpuRef(network);
}

TEST(TransposedConvolutions, HaveTheirBiasInTheChainBehind) {
  NetworkCase network;
  const TensorId x = AddTransposed(network, {{4, 2, 1, 0}, {4, 2, 1, 0}}, 24, true);
  network.AddOutput(AddActivation(network, x, ActivationFunction::kRelu));
  EXPECT_EQ(ListNodes(network), Nodes{"TransposedConvolution++"});
  ExpectAsCpuRef(network);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
