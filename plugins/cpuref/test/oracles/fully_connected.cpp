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

LayerTraits GetTraits(const LayerCase& /*layer*/) {
  LayerTraits traits;
  traits.plain = PlainTypes::kNumbers;
  traits.integers = IntegerResults::kWrap;
  return traits;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const auto descriptor = layer.Get<FullyConnectedDescriptor>();
  return EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    return MultiplyWithBias(inputs, at, descriptor.transpose_weights);
  });
}

}  // namespace fully_connected

CPUREF_ORACLE(FullyConnected, fully_connected);

}  // namespace cpuref_test
}  // namespace backplane
