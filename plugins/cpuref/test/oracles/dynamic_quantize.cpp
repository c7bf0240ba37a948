#include "test/layer_case.hpp"

#include <algorithm>

namespace backplane {
namespace cpuref_test {
namespace dynamic_quantize {

struct Parameters {
  float scale = 1.0F;
  float zero_point = 0.0F;
};

/// In float32, which decides ties.
template <typename Number>
Parameters FindParameters(const std::vector<Number>& elements) {
  float least = 0.0F;
  float greatest = 0.0F;
  for (const Number element : elements) {
    least = std::min(least, static_cast<float>(element));
    greatest = std::max(greatest, static_cast<float>(element));
  }
  Parameters parameters;
  if (greatest > least) parameters.scale = (greatest - least) / 255.0F;
  parameters.zero_point =
      std::fmin(std::fmax(std::nearbyint(-least / parameters.scale), 0.0F), 255.0F);
  return parameters;
}

std::vector<LayerCase> MakeCases(Random& random) {
  const TensorShape shape = random.Shape(3, 1, 5);
  LayerCase layer = MakeCase(LayerType::kDynamicQuantize, NoDescriptor(), {shape}, shape);
  layer.outputs = {shape, {}, {}};
  layer.own_outputs = {{0, DataType::kUInt8}, {1, DataType::kFloat32}, {2, DataType::kUInt8}};
  return {layer};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& /*layer*/, const Operands<Number>& inputs,
                             std::size_t output) {
  const Parameters parameters = FindParameters(inputs[0].data);
  if (output == 1) return {static_cast<Number>(parameters.scale)};
  if (output == 2) return {static_cast<Number>(parameters.zero_point)};
  std::vector<Number> elements;
  for (const Number element : inputs[0].data) {
    const float stored =
        std::nearbyint(static_cast<float>(element) / parameters.scale) + parameters.zero_point;
    elements.push_back(static_cast<Number>(std::fmin(std::fmax(stored, 0.0F), 255.0F)));
  }
  return elements;
}

}  // namespace dynamic_quantize

CPUREF_ORACLE(DynamicQuantize, dynamic_quantize, PlainTypes::kFloat32, QuantisedTypes::kRefused);

}  // namespace cpuref_test
}  // namespace backplane
