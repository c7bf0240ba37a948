#include "test/layer_case.hpp"

#include <backplane/api/descriptors/transposed_convolution.hpp>

namespace backplane {
namespace cpuref_test {
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
  std::vector<Number> sums = EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    return inputs.size() == 3 ? inputs[2].At({at[1]}) : Number{};
  });
  const std::int64_t group_channels = weights[0] / descriptor.groups;
  for (std::int64_t i = 0; i < inputs[0].shape.GetNumElements(); ++i) {
    const Indices at = GetIndices(inputs[0].shape, i);
    for (std::int64_t k = 0; k < weights.GetNumElements(); ++k) {
      const Indices kernel = GetIndices(weights, k);
      Indices target = at;
      if (kernel[0] != at[1] || !FindTarget(descriptor, at, kernel, shape, target)) continue;
      target[1] = at[1] / group_channels * weights[1] + kernel[1];
      sums[GetElementNumber(shape, target)] += inputs[0].At(at) * inputs[1].At(kernel);
    }
  }
  return sums;
}

}  // namespace transposed_convolution

CPUREF_ORACLE(TransposedConvolution, transposed_convolution, PlainTypes::kNumbers,
              QuantisedTypes::kCalculated, IntegerResults::kWrap);

}  // namespace cpuref_test
}  // namespace backplane
