#include "test/axis_oracle.hpp"

#include <backplane/api/descriptors/mean_variance_normalization.hpp>

namespace backplane {
namespace cpuref_test {
namespace mean_variance_normalization {

long double Normalize(const MeanVarianceNormalizationDescriptor& descriptor,
                      const NumberTensor<long double>& input, const Indices& at) {
  std::vector<bool> is_free(at.size(), false);
  for (std::uint32_t i = 0; i < descriptor.num_axes; ++i) is_free[descriptor.axes[i]] = true;
  const std::vector<long double> group = CollectGroup(input, at, is_free);
  const long double deviation = std::sqrt(GetVariance(group));
  return (input.At(at) - GetMean(group)) /
         (deviation + static_cast<long double>(descriptor.epsilon));
}

std::vector<LayerCase> MakeCases(Random& random) {
  MeanVarianceNormalizationDescriptor descriptor;
  descriptor.epsilon = MakeEpsilon(random);
  const TensorShape shape = random.Shape(4, 1, 4);
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (random.Integer(0, 1) == 1) descriptor.axes[descriptor.num_axes++] = axis;
  }
  return {MakeCase(LayerType::kMeanVarianceNormalization, descriptor, {shape}, shape)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  if constexpr (kIsReal<Number>)
    return Normalize(layer.Get<MeanVarianceNormalizationDescriptor>(), inputs[0], at);
  return Number{};
}

}  // namespace mean_variance_normalization

CPUREF_ELEMENT_ORACLE(MeanVarianceNormalization, mean_variance_normalization, PlainTypes::kFloats);

}  // namespace cpuref_test
}  // namespace backplane
