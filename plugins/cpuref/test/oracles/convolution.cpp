#include "test/layer_case.hpp"
#include "test/window_oracle.hpp"

#include <backplane/api/descriptors/convolution.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

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

std::vector<LayerCase> MakeCases(Random& random) {
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
  std::vector<TensorShape> inputs = {input, weights};
  if (random.Integer(0, 1) == 1) inputs.push_back({weights[0]});
  return {MakeCase(LayerType::kConvolution, descriptor, inputs, output)};
}

LayerTraits GetTraits(const LayerCase& /*layer*/) {
  LayerTraits traits;
  traits.plain = PlainTypes::kNumbers;
  traits.integers = IntegerResults::kWrap;
  return traits;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  return EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    return Convolve(layer.Get<ConvolutionDescriptor>(), inputs, at);
  });
}

}  // namespace

CPUREF_ORACLE(Convolution);

}  // namespace cpuref_test
}  // namespace backplane
