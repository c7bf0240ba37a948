#include "conformance/layer_case.hpp"

#include <backplane/api/descriptors/transposed_convolution.hpp>

namespace backplane {
namespace conformance {
namespace transposed_convolution {

/// Where an element of the input adds to, through an element of the kernel; false outside of the
/// output. Both are [channel or image, channel or filter, spatial...].
bool FindTarget(const TransposedConvolutionDescriptor& descriptor, const Indices& input,
                const Indices& kernel, const TensorShape& output, Indices& target) {
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    target[i + 2] = input[i + 2] * descriptor.strides[i] + kernel[i + 2] * descriptor.dilations[i] -
                    descriptor.pads_begin[i];
    if (target[i + 2] < 0 || target[i + 2] >= output[i + 2]) return false;
  }
  return true;
}

std::size_t GetElementNumber(const TensorShape& shape, const Indices& indices) {
  std::int64_t element = 0;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    element = element * shape[axis] + indices[axis];
  }
  return static_cast<std::size_t>(element);
}

std::vector<LayerCase> MakeCases(Random& random) {
  TransposedConvolutionDescriptor descriptor;
  descriptor.spatial_rank = random.Word(1, kMaxSpatialRank);
  descriptor.groups = random.Word(1, 2);
  TensorShape input = {random.Integer(1, 2), random.Integer(1, 3) * descriptor.groups};
  TensorShape weights = {input[1], random.Integer(1, 6)};
  TensorShape output = {input[0], weights[1] * descriptor.groups};
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    descriptor.strides[i] = random.Word(1, 3);
    descriptor.dilations[i] = random.Word(1, 3);
    descriptor.output_padding[i] = random.Word(0, 2);
    input.Append(random.Integer(2, 4));
    weights.Append(random.Integer(1, 3));
    const std::int64_t whole = (input[i + 2] - 1) * descriptor.strides[i] +
                               (weights[i + 2] - 1) * descriptor.dilations[i] + 1;
    descriptor.pads_begin[i] = random.Word(0, 1);
    descriptor.pads_end[i] = random.Word(0, 1);
    output.Append(whole - descriptor.pads_begin[i] - descriptor.pads_end[i] +
                  descriptor.output_padding[i]);
  }
  std::vector<TensorShape> inputs = {input, weights};
  if (random.Integer(0, 1) == 1) inputs.push_back({output[1]});
  return {MakeCase(LayerType::kTransposedConvolution, descriptor, inputs, output)};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const auto descriptor = layer.Get<TransposedConvolutionDescriptor>();
  const TensorShape& shape = layer.outputs[output];
  const TensorShape& weights = inputs[1].shape;
  TensorShape one_channel = weights;
  one_channel[0] = 1;
  std::vector<Number> sums = EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    return inputs.size() == 3 ? inputs[2].At({at[1]}) : Number{};
  });
  const std::int64_t group_channels = weights[0] / descriptor.groups;
  for (std::int64_t i = 0; i < inputs[0].shape.GetNumElements(); ++i) {
    const Indices at = GetIndices(inputs[0].shape, i);
    for (std::int64_t k = 0; k < one_channel.GetNumElements(); ++k) {
      Indices kernel = GetIndices(one_channel, k);
      kernel[0] = at[1];
      Indices target = at;
      if (!FindTarget(descriptor, at, kernel, shape, target)) continue;
      target[1] = at[1] / group_channels * weights[1] + kernel[1];
      sums[GetElementNumber(shape, target)] += inputs[0].At(at) * inputs[1].At(kernel);
    }
  }
  return sums;
}

TransposedConvolutionDescriptor MakeWindow(std::uint32_t spatial_rank, std::uint32_t groups = 1,
                                           std::uint32_t stride = 1, std::uint32_t begin = 0,
                                           std::uint32_t end = 0) {
  TransposedConvolutionDescriptor descriptor;
  descriptor.spatial_rank = spatial_rank;
  descriptor.groups = groups;
  std::fill_n(descriptor.strides, kMaxSpatialRank, stride);
  std::fill_n(descriptor.pads_begin, kMaxSpatialRank, begin);
  std::fill_n(descriptor.pads_end, kMaxSpatialRank, end);
  return descriptor;
}

LayerCase Describe(const TransposedConvolutionDescriptor& descriptor,
                   const std::vector<TensorShape>& inputs, const TensorShape& output) {
  return MakeCase(LayerType::kTransposedConvolution, descriptor, inputs, output);
}

std::vector<EdgeCase> MakeEdges() {
  TransposedConvolutionDescriptor longer = MakeWindow(1, 1, 2, 1);
  longer.output_padding[0] = 2;
  return {
      {Describe(MakeWindow(1, 1, 2), {{1, 1, 2}, {1, 1, 3}}, {1, 1, 5}),
       {{1, 10}, {1, 2, 3}},
       {{1, 2, 13, 20, 30}}},
      {Describe(longer, {{1, 1, 2}, {1, 1, 3}, {1}}, {1, 1, 6}),
       {{1, 10}, {1, 2, 3}, {5}},
       {{7, 18, 25, 35, 5, 5}}},
      // A stride wider than the kernel leaves gaps.
      {Describe(MakeWindow(1, 1, 3), {{1, 1, 2}, {1, 1, 1}}, {1, 1, 4}),
       {{1, 2}, {4}},
       {{4, 0, 0, 8}}},
      // More than are multiplied at once.
      {WithWhole(
          Describe(MakeWindow(2, 1, 2, 1, 1), {{1, 66, 2, 270}, {66, 2, 3, 4}}, {1, 2, 3, 540}))},
      // Everything but the middle is cropped, and that too.
      {Describe(MakeWindow(1, 1, 1, 2, 2), {{1, 1, 3}, {1, 1, 3}}, {1, 1, 1}),
       {{1, 2, 3}, {1, 1, 1}},
       {{6}}},
      {Describe(MakeWindow(1, 1, 1, 2, 3), {{1, 1, 3}, {1, 1, 3}}, {1, 1, 0}),
       {{1, 2, 3}, {1, 1, 1}},
       {{}}},
      {Describe(MakeWindow(1), {{1, 0, 2}, {0, 2, 1}, {2}}, {1, 2, 2}),
       {{}, {}, {3, 4}},
       {{3, 3, 4, 4}}},
      {Describe(MakeWindow(1), {{0, 1, 2}, {1, 1, 2}}, {0, 1, 3}), {{}, {1, 2}}, {{}}},
      {Describe(MakeWindow(1, 2), {{1, 4, 5}, {4, 3, 1}, {6}}, {1, 6, 5})},
  };
}

std::vector<RefusedCase> MakeRefused() {
  constexpr std::int64_t kHuge = std::int64_t{1} << 40U;
  const auto zero_stride = MakeWindow(1, 1, 0);
  const char* const from_1 = " of spatial axis 0 is 0, but must be 1 to 2147483647";
  return {
      {Describe(MakeWindow(1, 2), {{1, 4, 5}, {4, 3, 1}, {3}}, {1, 6, 5}), "wrong-shape",
       "extent 3", "expected 6, the number of filters",
       "input 2 (bias) has shape [3], but must have [6]"},
      {Describe(MakeWindow(1, 2), {{1, 3, 5}, {3, 3, 1}}, {1, 6, 5}), "wrong-shape", "3 channels",
       "a multiple of 2", "groups is 2, but must be 1 or more and divide 3 input channels"},
      {Describe(MakeWindow(1, 2), {{1, 4, 5}, {2, 3, 1}}, {1, 6, 5}), "wrong-shape",
       "extent 2 at axis 0", "expected 4, the channels of the input",
       "input 1 (weights) has 2 channels, but must have 4 as input 0"},
      {Describe(MakeWindow(1), {{1, 1, 0}, {1, 1, 3}}, {1, 1, 2}), "wrong-shape", "extent 0",
       "an extent of 1 or more", "the windows of spatial axis 0 leave no output"},
      {Describe(MakeWindow(1, 1, 1, 3, 2), {{1, 1, 2}, {1, 1, 3}}, {1, 1, 0}), "wrong-shape",
       "padding 3 + 2", "padding of at most 4", "the windows of spatial axis 0 leave no output"},
      {Describe(zero_stride, {{1, 1, 4}, {1, 1, 1}}, {1, 1, 4}), "invalid-descriptor", "found 0",
       "1 or more", std::string("the stride") + from_1},
      {Describe(MakeWindow(1), {{1, 1, 4}, {1, 1, 0}}, {1, 1, 4}), "invalid-descriptor", "found 0",
       "1 or more", std::string("the kernel") + from_1},
      {Describe(MakeWindow(1, 0), {{1, 1, 4}, {1, 1, 1}}, {1, 1, 4}), "invalid-descriptor",
       "found 0", "1 or more", "groups is 0, but must be 1 or more and divide 1 input channels"},
      {Describe(MakeWindow(1, 1, 0xffffffffU), {{1, 1, kHuge}, {1, 1, 1}}, {1, 1, 1}),
       "tensor-too-large", "stride 4294967295", "63 bits",
       "the input extent of spatial axis 0 is 1099511627776, but must be 0 to 2147483647; the "
       "stride of spatial axis 0 is 4294967295, but must be 1 to 2147483647"},
  };
}

}  // namespace transposed_convolution

BACKPLANE_ORACLE(TransposedConvolution, transposed_convolution, PlainTypes::kNumbers,
                 QuantisedTypes::kCalculated, IntegerResults::kWrap);

}  // namespace conformance
}  // namespace backplane
