#include "conformance/axis_oracle.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/group_normalization.hpp>

namespace backplane {
namespace conformance {
namespace group_normalization {

/// The group of an element, written with the groups as an axis of their own.
std::vector<long double> GetGroup(const NumberTensor<long double>& input, std::int64_t num_groups,
                                  const Indices& at) {
  const std::int64_t group_channels = input.shape[1] / num_groups;
  return CollectIf(input, [&](const Indices& indices) {
    return indices[0] == at[0] && indices[1] / group_channels == at[1] / group_channels;
  });
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

LayerCase Describe(std::uint32_t num_groups, float epsilon, const TensorShape& shape,
                   const TensorShape& scale, const TensorShape& bias) {
  GroupNormalizationDescriptor descriptor;
  descriptor.num_groups = num_groups;
  descriptor.epsilon = epsilon;
  return MakeCase(LayerType::kGroupNormalization, descriptor, {shape, scale, bias}, shape);
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges = {
      // Of one channel each, as InstanceNormalization.
      {Describe(2, 0, {1, 2, 2}, {2}, {2}),
       {{kNaN, 1, 3, 5}, {1, 1}, {0, 0.5L}},
       {{kNaN, kNaN, -0.5L, 1.5L}}},
      {Describe(1, 0, {2, 0, 4}, {0}, {0}), {{}, {}, {}}, {{}}},
  };
  for (const std::uint32_t num_groups : {1U, 2U, 3U, 6U}) {
    edges.push_back({Describe(num_groups, 1e-5F, {2, 6, 7, 11}, {6}, {6})});
  }
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Describe(4, 0, {2, 6}, {6}, {6}), "wrong-shape", "6 channels in float32 [2, 6] and 4 groups",
       "a multiple of 4", "num_groups is 4, but must divide the 6 channels of input 0"},
      {Describe(0, 0, {2, 6}, {6}, {6}), "invalid-descriptor", "found 0", "1 or more",
       "num_groups is 0, but must divide the 6 channels of input 0"},
      {Describe(1, 0, {3}, {3}, {3}), "wrong-rank", "float32 [3]", "rank 2 or more",
       "input 0 has rank 1, but must have 2 or more, [N, C, ...]"},
      {Describe(1, 0, {2, 3}, {2}, {3}), "wrong-shape", "float32 [2] as input 1",
       "3, the channels of input 0",
       "input 1 has shape [2], but must have [3], an entry for each channel of input 0"},
      {Describe(1, 0, {2, 3}, {3}, {}), "wrong-rank", "float32 [] as input 2", "rank 1, [C]",
       "input 2 has shape [], but must have [3], an entry for each channel of input 0"},
      {Describe(1, -1, {2, 3}, {3}, {3}), "invalid-descriptor", "found -1", "0 or more", ""},
  };
}

}  // namespace group_normalization

BACKPLANE_ELEMENT_ORACLE(GroupNormalization, group_normalization, PlainTypes::kFloats);

}  // namespace conformance
}  // namespace backplane
