#include "test/axis_oracle.hpp"

#include <backplane/api/descriptors/batch_normalization.hpp>

namespace backplane {
namespace cpuref_test {
namespace batch_normalization {

long double Normalize(const BatchNormalizationDescriptor& descriptor,
                      const Operands<long double>& inputs, const Indices& at) {
  const Indices channel = {at[descriptor.axis]};
  const long double deviation =
      std::sqrt(inputs[4].At(channel) + static_cast<long double>(descriptor.epsilon));
  return inputs[1].At(channel) * (inputs[0].At(at) - inputs[3].At(channel)) / deviation +
         inputs[2].At(channel);
}

/// Some of the variances are negative: these give NaN.
std::vector<LayerCase> MakeCases(Random& random) {
  BatchNormalizationDescriptor descriptor;
  descriptor.axis = random.Word(0, 2);
  descriptor.epsilon = MakeEpsilon(random);
  const TensorShape shape = random.Shape(3, 1, 5);
  const TensorShape channels = {shape[descriptor.axis]};
  return {MakeCase(LayerType::kBatchNormalization, descriptor,
                   {shape, channels, channels, channels, channels}, shape)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  if constexpr (kIsReal<Number>)
    return Normalize(layer.Get<BatchNormalizationDescriptor>(), inputs, at);
  return Number{};
}

}  // namespace batch_normalization

CPUREF_ELEMENT_ORACLE(BatchNormalization, batch_normalization, PlainTypes::kFloats);

}  // namespace cpuref_test
}  // namespace backplane
