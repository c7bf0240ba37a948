#pragma once

/// One element of a convolution, written the obvious way, and random convolutions.

#include "conformance/layer_case.hpp"
#include "conformance/window_oracle.hpp"

#include <backplane/api/descriptors/convolution.hpp>

namespace backplane {
namespace conformance {

template <typename Number>
Number Convolve(const ConvolutionDescriptor& descriptor, const Operands<Number>& inputs,
                const Indices& position) {
  const TensorShape& weights = inputs[1].shape;
  TensorShape one_filter = weights;
  one_filter[0] = 1;
  const std::int64_t group = position[1] / (weights[0] / descriptor.groups);
  Number sum = inputs.size() == 3 ? inputs[2].At({position[1]}) : Number{};
  for (std::int64_t k = 0; k < one_filter.GetNumElements(); ++k) {
    Indices kernel = GetIndices(one_filter, k);
    Indices under = position;
    if (!MoveUnder(descriptor, inputs[0].shape, kernel, under)) continue;
    under[1] = group * weights[1] + kernel[1];
    kernel[0] = position[1];
    sum += inputs[1].At(kernel) * inputs[0].At(under);
  }
  return sum;
}

/// Without a bias.
inline LayerCase MakeRandomConvolution(LayerType type, Random& random) {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = random.Word(1, kMaxSpatialRank);
  descriptor.groups = random.Word(1, 2);
  const std::int64_t group_channels = random.Integer(1, 4);
  TensorShape input = {random.Integer(1, 2), group_channels * descriptor.groups};
  TensorShape weights = {random.Integer(1, 3) * descriptor.groups, group_channels};
  TensorShape output = {input[0], weights[0]};
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    weights.Append(random.Integer(1, 3));
    input.Append(random.Integer(5, 7));
    output.Append(MakeRandomWindow(random, i, input[i + 2], weights[i + 2], descriptor));
  }
  return MakeCase(type, descriptor, {input, weights}, output);
}

}  // namespace conformance
}  // namespace backplane
