#include "test/axis_oracle.hpp"

#include <backplane/api/descriptors/group_normalization.hpp>

namespace backplane {
namespace cpuref_test {
namespace group_normalization {

/// The group of an element, written with the groups as an axis of their own.
std::vector<long double> GetGroup(const NumberTensor<long double>& input, std::int64_t num_groups,
                                  const Indices& at) {
  const std::int64_t group_channels = input.shape[1] / num_groups;
  std::vector<long double> group;
  for (std::int64_t element = 0; element < input.shape.GetNumElements(); ++element) {
    const Indices indices = GetIndices(input.shape, element);
    if (indices[0] == at[0] && indices[1] / group_channels == at[1] / group_channels) {
      group.push_back(input.At(indices));
    }
  }
  return group;
}

long double Normalize(const GroupNormalizationDescriptor& descriptor,
                      const Operands<long double>& inputs, const Indices& at) {
  const std::vector<long double> group = GetGroup(inputs[0], descriptor.num_groups, at);
  const long double deviation =
      std::sqrt(GetVariance(group) + static_cast<long double>(descriptor.epsilon));
  return inputs[1].At({at[1]}) * (inputs[0].At(at) - GetMean(group)) / deviation +
         inputs[2].At({at[1]});
}

std::vector<LayerCase> MakeCases(Random& random) {
  GroupNormalizationDescriptor descriptor;
  descriptor.num_groups = random.Word(1, 3);
  descriptor.epsilon = MakeEpsilon(random);
  TensorShape shape = random.Shape(random.Word(2, 4), 1, 4);
  shape[1] *= descriptor.num_groups;
  return {
      MakeCase(LayerType::kGroupNormalization, descriptor, {shape, {shape[1]}, {shape[1]}}, shape)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  if constexpr (kIsReal<Number>)
    return Normalize(layer.Get<GroupNormalizationDescriptor>(), inputs, at);
  return Number{};
}

}  // namespace group_normalization

CPUREF_ELEMENT_ORACLE(GroupNormalization, group_normalization, PlainTypes::kFloats);

}  // namespace cpuref_test
}  // namespace backplane
