#include "test/axis_oracle.hpp"

#include <backplane/api/descriptors/cumulative_sum.hpp>

namespace backplane {
namespace cpuref_test {
namespace cumulative_sum {

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (std::uint32_t flags = 0; flags < 4; ++flags) {
    CumulativeSumDescriptor descriptor;
    descriptor.axis = random.Word(0, 2);
    descriptor.exclusive = flags & 1U;
    descriptor.reverse = flags >> 1U;
    const TensorShape shape = random.Shape(3, 1, 5);
    cases.push_back(MakeCase(LayerType::kCumulativeSum, descriptor, {shape}, shape));
  }
  return cases;
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const auto descriptor = layer.Get<CumulativeSumDescriptor>();
  const std::vector<Number> elements = CollectAlong(inputs[0], at, descriptor.axis);
  const auto own = static_cast<std::size_t>(at[descriptor.axis]);
  Number sum{};
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const bool is_passed = descriptor.reverse == 1 ? k > own : k < own;
    if (is_passed || (k == own && descriptor.exclusive == 0)) sum += elements[k];
  }
  return sum;
}

}  // namespace cumulative_sum

CPUREF_ELEMENT_ORACLE(CumulativeSum, cumulative_sum, PlainTypes::kNumbers,
                      QuantisedTypes::kCalculated, IntegerResults::kWrap);

}  // namespace cpuref_test
}  // namespace backplane
