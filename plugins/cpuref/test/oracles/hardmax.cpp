#include "test/axis_oracle.hpp"

#include <backplane/api/descriptors/hardmax.hpp>

#include <algorithm>

namespace backplane {
namespace cpuref_test {
namespace hardmax {

std::vector<LayerCase> MakeCases(Random& random) {
  HardmaxDescriptor descriptor;
  descriptor.axis = random.Word(0, 2);
  const TensorShape shape = random.Shape(3, 1, 5);
  return {MakeCase(LayerType::kHardmax, descriptor, {shape}, shape)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const std::uint32_t axis = layer.Get<HardmaxDescriptor>().axis;
  const std::vector<Number> elements = CollectAlong(inputs[0], at, axis);
  const auto greatest = std::max_element(elements.begin(), elements.end());
  return static_cast<Number>(greatest - elements.begin() == at[axis] ? 1 : 0);
}

}  // namespace hardmax

CPUREF_ELEMENT_ORACLE(Hardmax, hardmax, PlainTypes::kNumbers);

}  // namespace cpuref_test
}  // namespace backplane
