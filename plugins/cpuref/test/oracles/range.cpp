#include "test/moved_case.hpp"

#include <backplane/api/descriptors/range.hpp>

namespace backplane {
namespace cpuref_test {
namespace range {

std::vector<LayerCase> MakeCases(Random& random) {
  RangeDescriptor descriptor;
  descriptor.count = random.Integer(1, 20);
  return {MakeCase(LayerType::kRange, descriptor, {{}, {}}, {descriptor.count})};
}

template <typename Number>
Number EvaluateAt(const LayerCase& /*layer*/, const Operands<Number>& inputs, const Indices& at) {
  return inputs[0].data[0] + static_cast<Number>(at[0]) * inputs[1].data[0];
}

}  // namespace range

CPUREF_ELEMENT_ORACLE(Range, range, PlainTypes::kNumbers, QuantisedTypes::kCalculated,
                      IntegerResults::kWrap, false);

}  // namespace cpuref_test
}  // namespace backplane
