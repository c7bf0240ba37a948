#include "test/layer_case.hpp"
#include "test/matrix_oracle.hpp"

#include <backplane/api/descriptors/fully_connected.hpp>

namespace backplane {
namespace cpuref_test {
namespace fully_connected {

std::vector<LayerCase> MakeCases(Random& random) {
  FullyConnectedDescriptor descriptor;
  descriptor.transpose_weights = random.Word(0, 1);
  const TensorShape output = random.Shape(2, 1, 6);
  const std::int64_t inner = random.Integer(1, 40);
  TensorShape weights = {inner, output[1]};
  if (descriptor.transpose_weights == 1) std::swap(weights[0], weights[1]);
  std::vector<TensorShape> inputs = {{output[0], inner}, weights};
  if (random.Integer(0, 1) == 1) inputs.push_back({output[1]});
  return {MakeCase(LayerType::kFullyConnected, descriptor, inputs, output)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const auto descriptor = layer.Get<FullyConnectedDescriptor>();
  return MultiplyWithBias(inputs, at, descriptor.transpose_weights);
}

}  // namespace fully_connected

CPUREF_ELEMENT_ORACLE(FullyConnected, fully_connected, PlainTypes::kNumbers,
                      QuantisedTypes::kCalculated, IntegerResults::kWrap);

}  // namespace cpuref_test
}  // namespace backplane
