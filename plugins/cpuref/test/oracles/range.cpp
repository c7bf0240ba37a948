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

LayerTraits GetTraits(const LayerCase& /*layer*/) {
  LayerTraits traits;
  traits.plain = PlainTypes::kNumbers;
  traits.integers = IntegerResults::kWrap;
  traits.keeps_axes = false;
  return traits;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  return EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    return inputs[0].data[0] + static_cast<Number>(at[0]) * inputs[1].data[0];
  });
}

}  // namespace range

CPUREF_ORACLE(Range, range);

}  // namespace cpuref_test
}  // namespace backplane
