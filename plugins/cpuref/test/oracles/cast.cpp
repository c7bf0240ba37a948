#include "test/layer_case.hpp"

#include <backplane/api/descriptors/cast.hpp>

namespace backplane {
namespace cpuref_test {
namespace cast {

/// All but float16, which most integers are beyond: its own test has it.
constexpr DataType kTargets[] = {DataType::kFloat32, DataType::kBFloat16, DataType::kFloat64,
                                 DataType::kInt8,    DataType::kUInt8,    DataType::kInt16,
                                 DataType::kUInt16,  DataType::kInt32,    DataType::kUInt32,
                                 DataType::kInt64,   DataType::kUInt64,   DataType::kBool};

/// Integers lose their upper bits when they are compared.
template <typename Number>
Number Convert(Number element, DataType to) {
  if (to == DataType::kBool) return element != 0 ? 1 : 0;
  if constexpr (kIsReal<Number>) {
    if (IsFloat(to)) return element;
    const bool is_unsigned = !IsSigned(to);
    return is_unsigned && element < 0 ? 0 : std::trunc(element);
  }
  return element;
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const DataType to : kTargets) {
    CastDescriptor descriptor;
    descriptor.to = to;
    const TensorShape shape = random.Shape(3, 1, 5);
    cases.push_back(MakeCase(LayerType::kCast, descriptor, {shape}, shape));
    cases.back().own_outputs = {{0, to}};
  }
  return cases;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  std::vector<Number> elements;
  for (const Number element : inputs[0].data) {
    elements.push_back(Convert(element, layer.Get<CastDescriptor>().to));
  }
  return elements;
}

}  // namespace cast

CPUREF_ORACLE(Cast, cast, PlainTypes::kAll, QuantisedTypes::kRefused);

}  // namespace cpuref_test
}  // namespace backplane
