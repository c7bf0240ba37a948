#include "test/axis_oracle.hpp"

#include <backplane/api/descriptors/lp_normalization.hpp>

namespace backplane {
namespace cpuref_test {
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

}  // namespace lp_normalization

CPUREF_ELEMENT_ORACLE(LpNormalization, lp_normalization, PlainTypes::kFloats);

}  // namespace cpuref_test
}  // namespace backplane
