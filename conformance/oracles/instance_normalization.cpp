#include "conformance/axis_oracle.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/instance_normalization.hpp>

namespace backplane {
namespace conformance {
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

LayerCase Describe(float epsilon, const TensorShape& shape, const TensorShape& scale,
                   const TensorShape& bias) {
  InstanceNormalizationDescriptor descriptor;
  descriptor.epsilon = epsilon;
  return MakeCase(LayerType::kInstanceNormalization, descriptor, {shape, scale, bias}, shape);
}

std::vector<EdgeCase> MakeEdges() {
  return {
      {Describe(0.01F, {2, 3, 9, 17}, {3}, {3})},
      // One element becomes the bias.
      {Describe(1e-5F, {1, 2, 1}, {2}, {2}),
       {{7, 1e30L}, {3, 4}, {0.5L, -0.25L}},
       {{0.5L, -0.25L}}},
      // Small differences to a large mean are kept.
      {Describe(0, {1, 1, 4}, {1}, {1}),
       {{1048576, 1048577, 1048576, 1048577}, {1}, {0}},
       {{-1, 1, -1, 1}}},
      // NaN spoils its own channel only.
      {Describe(0, {1, 2, 2}, {2}, {2}), {{kNaN, 1, 3, 5}, {1, 1}, {0, 0}}, {{kNaN, kNaN, -1, 1}}},
      {Describe(0, {0, 2, 3}, {2}, {2}), {{}, {1, 1}, {0, 0}}, {{}}},
      {Describe(0, {1, 0, 3}, {0}, {0}), {{}, {}, {}}, {{}}},
      {Describe(0, {1, 2, 0}, {2}, {2}), {{}, {1, 1}, {0, 0}}, {{}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  const char* const entries = ", but must have [3], an entry for each channel of input 0";
  return {
      {Describe(0, {3}, {3}, {3}), "wrong-rank", "float32 [3]", "rank 2 or more",
       "input 0 has rank 1, but must have 2 or more, [N, C, ...]"},
      {Describe(0, {2, 3}, {2}, {3}), "wrong-shape", "float32 [2] as input 1",
       "3, the channels of input 0", std::string("input 1 has shape [2]") + entries},
      {Describe(0, {2, 3}, {3}, {}), "wrong-rank", "float32 [] as input 2", "rank 1, [C]",
       std::string("input 2 has shape []") + entries},
      {Describe(-1, {2, 3}, {3}, {3}), "invalid-descriptor", "found -1", "0 or more", ""},
  };
}

}  // namespace instance_normalization

BACKPLANE_ELEMENT_ORACLE(InstanceNormalization, instance_normalization, PlainTypes::kFloats);

}  // namespace conformance
}  // namespace backplane
