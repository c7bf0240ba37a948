#include "test/axis_oracle.hpp"

#include <backplane/api/descriptors/local_response_normalization.hpp>

namespace backplane {
namespace cpuref_test {
namespace local_response_normalization {

long double Normalize(const LocalResponseNormalizationDescriptor& descriptor,
                      const NumberTensor<long double>& input, const Indices& at) {
  const std::vector<long double> channels = CollectAlong(input, at, descriptor.axis);
  const auto size = static_cast<std::int64_t>(descriptor.size);
  long double sum = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    const std::int64_t channel = at[descriptor.axis] - (size - 1) / 2 + i;
    if (channel < 0 || channel >= static_cast<std::int64_t>(channels.size())) continue;
    const long double element = channels[static_cast<std::size_t>(channel)];
    sum += element * element;
  }
  const long double divisor = std::pow(
      static_cast<long double>(descriptor.bias) +
          static_cast<long double>(descriptor.alpha) * sum / static_cast<long double>(size),
      static_cast<long double>(descriptor.beta));
  return input.At(at) / divisor;
}

std::vector<LayerCase> MakeCases(Random& random) {
  LocalResponseNormalizationDescriptor descriptor;
  descriptor.axis = random.Word(0, 2);
  descriptor.size = random.Word(1, 7);
  descriptor.alpha = MakeEpsilon(random);
  descriptor.beta = static_cast<float>(random.Integer(1, 8)) / 4.0F;
  descriptor.bias = static_cast<float>(random.Integer(2, 8)) / 4.0F;
  const TensorShape shape = random.Shape(3, 1, 6);
  return {MakeCase(LayerType::kLocalResponseNormalization, descriptor, {shape}, shape)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  if constexpr (kIsReal<Number>)
    return Normalize(layer.Get<LocalResponseNormalizationDescriptor>(), inputs[0], at);
  return Number{};
}

}  // namespace local_response_normalization

CPUREF_ELEMENT_ORACLE(LocalResponseNormalization, local_response_normalization,
                      PlainTypes::kFloats);

}  // namespace cpuref_test
}  // namespace backplane
