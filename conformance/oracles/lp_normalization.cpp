#include "conformance/axis_oracle.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/lp_normalization.hpp>

namespace backplane {
namespace conformance {
namespace lp_normalization {

long double Normalize(const LpNormalizationDescriptor& descriptor,
                      const NumberTensor<long double>& input, const Indices& at) {
  const auto order = static_cast<long double>(descriptor.order);
  long double sum = 0;
  for (const long double element : CollectAlong(input, at, descriptor.axis)) {
    sum += std::pow(std::fabs(element), order);
  }
  const long double norm = std::pow(sum, 1 / order);
  return norm == 0 ? 0 : input.At(at) / norm;
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const std::uint32_t order : {1U, 2U}) {
    LpNormalizationDescriptor descriptor;
    descriptor.axis = random.Word(0, 2);
    descriptor.order = order;
    const TensorShape shape = random.Shape(3, 1, 5);
    cases.push_back(MakeCase(LayerType::kLpNormalization, descriptor, {shape}, shape));
  }
  return cases;
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  if constexpr (kIsReal<Number>)
    return Normalize(layer.Get<LpNormalizationDescriptor>(), inputs[0], at);
  return Number{};
}

LayerCase Describe(std::uint32_t axis, std::uint32_t order, const TensorShape& shape) {
  LpNormalizationDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.order = order;
  return MakeCase(LayerType::kLpNormalization, descriptor, {shape}, shape);
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges = {
      // Squares of floats do not overflow.
      {Describe(0, 2, {2}), {{3e30L, 4e30L}}, {{0.6L, 0.8L}}, 2e-7L},
      // NaN spoils its own row only.
      {Describe(1, 1, {2, 2}), {{kNaN, 0, 1, 3}}, {{kNaN, kNaN, 0.25L, 0.75L}}},
      {Describe(1, 2, {2, 0}), {{}}, {{}}},
  };
  for (const std::uint32_t order : {1U, 2U}) {
    edges.push_back({Describe(1, order, {2, 2}), {{0, -0.0L, 0, -8}}, {{0, 0, 0, -1}}});
    // Groups and neighbours that do not fit a block.
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      edges.push_back({Describe(axis, order, {3, 2, 150})});
    }
  }
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Describe(2, 1, {2, 3}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      {Describe(0, 1, {}), "wrong-rank", "float32 []", "rank 1 or more",
       "axis 0 is outside of rank 0 of input 0"},
      {Describe(0, 0, {2}), "invalid-descriptor", "found 0", "1 or 2",
       "order 0 is not supported, only 1 and 2"},
      {Describe(0, 3, {2}), "invalid-descriptor", "found 3", "1 or 2",
       "order 3 is not supported, only 1 and 2"},
  };
}

}  // namespace lp_normalization

BACKPLANE_ELEMENT_ORACLE(LpNormalization, lp_normalization, PlainTypes::kFloats);

}  // namespace conformance
}  // namespace backplane
