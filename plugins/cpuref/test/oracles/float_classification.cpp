#include "test/layer_case.hpp"

#include <backplane/api/descriptors/float_classification.hpp>

#include <cmath>

namespace backplane {
namespace cpuref_test {
namespace float_classification {

std::vector<LayerCase> MakeCases(Random& random) {
  FloatClassificationDescriptor descriptor;
  descriptor.detect_nan = random.Word(0, 1);
  descriptor.detect_positive_infinity = random.Word(0, 1);
  descriptor.detect_negative_infinity = random.Word(0, 1);
  const TensorShape shape = random.Shape(3, 1, 5);
  LayerCase layer = MakeCase(LayerType::kFloatClassification, descriptor, {shape}, shape);
  layer.own_outputs = {{0, DataType::kBool}};
  return {layer};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const auto descriptor = layer.Get<FloatClassificationDescriptor>();
  const auto x = static_cast<long double>(inputs[0].At(at));
  if (std::isnan(x)) return static_cast<Number>(descriptor.detect_nan);
  if (!std::isinf(x)) return Number{0};
  return static_cast<Number>(x > 0 ? descriptor.detect_positive_infinity
                                   : descriptor.detect_negative_infinity);
}

}  // namespace float_classification

CPUREF_ELEMENT_ORACLE(FloatClassification, float_classification, PlainTypes::kFloats,
                      QuantisedTypes::kRefused);

}  // namespace cpuref_test
}  // namespace backplane
