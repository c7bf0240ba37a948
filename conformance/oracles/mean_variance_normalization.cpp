#include "conformance/axis_oracle.hpp"

#include <backplane/api/descriptors/mean_variance_normalization.hpp>

namespace backplane {
namespace conformance {
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

LayerCase Over(const std::vector<std::uint32_t>& axes, float epsilon, const TensorShape& shape) {
  MeanVarianceNormalizationDescriptor descriptor;
  descriptor.epsilon = epsilon;
  descriptor.num_axes = static_cast<std::uint32_t>(axes.size());
  std::copy_n(axes.begin(), std::min<std::size_t>(axes.size(), kMaxRank), descriptor.axes);
  return MakeCase(LayerType::kMeanVarianceNormalization, descriptor, {shape}, shape);
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges = {
      // What does not vary becomes 0.
      {Over({0}, 1e-9F, {3}), {{5, 5, 5}}, {{0, 0, 0}}},
      {Over({}, 1e-9F, {2}), {{5, -7}}, {{0, 0}}},
      {Over({}, 1e-9F, {}), {{5}}, {{0}}},
      // Epsilon is added to the deviation.
      {Over({0}, 3, {2}), {{2, 4}}, {{-0.25L, 0.25L}}},
      {Over({1}, 1, {2, 0}), {{}}, {{}}},
  };
  // Groups and neighbours that do not fit a block.
  for (const auto& axes :
       std::vector<std::vector<std::uint32_t>>{{0}, {1}, {2}, {0, 1}, {2, 0}, {1, 2}, {0, 1, 2}}) {
    edges.push_back({Over(axes, 1e-9F, {3, 2, 150})});
  }
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Over({0, 2}, 1, {2, 3}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      {Over({1, 1}, 1, {2, 3}), "invalid-descriptor", "axis 1 more than once", "different axes",
       "axis 1 is there twice"},
      {Over(std::vector<std::uint32_t>(9), 1, {2, 3}), "invalid-descriptor", "found 9", "at most 8",
       "num_axes is 9, but must be at most 8"},
      {Over({}, -1, {2}), "invalid-descriptor", "found -1", "0 or more", ""},
  };
}

}  // namespace mean_variance_normalization

BACKPLANE_ELEMENT_ORACLE(MeanVarianceNormalization, mean_variance_normalization,
                         PlainTypes::kFloats);

}  // namespace conformance
}  // namespace backplane
