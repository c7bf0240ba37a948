#include "test/convolution_oracle.hpp"

namespace backplane {
namespace cpuref_test {
namespace convolution {

std::vector<LayerCase> MakeCases(Random& random) {
  LayerCase layer = MakeRandomConvolution(LayerType::kConvolution, random);
  if (random.Integer(0, 1) == 1) layer.inputs.push_back({layer.inputs[1][0]});
  return {layer};
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
  return EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    return Convolve(layer.Get<ConvolutionDescriptor>(), inputs, at);
  });
}

}  // namespace convolution

CPUREF_ORACLE(Convolution, convolution);

}  // namespace cpuref_test
}  // namespace backplane
