#include "test/axis_oracle.hpp"

#include <backplane/api/descriptors/instance_normalization.hpp>

namespace backplane {
namespace cpuref_test {
namespace instance_normalization {

long double Normalize(const InstanceNormalizationDescriptor& descriptor,
                      const Operands<long double>& inputs, const Indices& at) {
  std::vector<bool> is_free(at.size(), true);
  is_free[0] = is_free[1] = false;
  const std::vector<long double> group = CollectGroup(inputs[0], at, is_free);
  const long double deviation =
      std::sqrt(GetVariance(group) + static_cast<long double>(descriptor.epsilon));
  return inputs[1].At({at[1]}) * (inputs[0].At(at) - GetMean(group)) / deviation +
         inputs[2].At({at[1]});
}

std::vector<LayerCase> MakeCases(Random& random) {
  InstanceNormalizationDescriptor descriptor;
  descriptor.epsilon = MakeEpsilon(random);
  const TensorShape shape = random.Shape(random.Word(2, 4), 1, 4);
  return {MakeCase(LayerType::kInstanceNormalization, descriptor, {shape, {shape[1]}, {shape[1]}},
                   shape)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  if constexpr (kIsReal<Number>)
    return Normalize(layer.Get<InstanceNormalizationDescriptor>(), inputs, at);
  return Number{};
}

}  // namespace instance_normalization

CPUREF_ELEMENT_ORACLE(InstanceNormalization, instance_normalization, PlainTypes::kFloats);

}  // namespace cpuref_test
}  // namespace backplane
