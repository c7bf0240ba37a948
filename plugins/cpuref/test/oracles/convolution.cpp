#include "test/convolution_oracle.hpp"

namespace backplane {
namespace cpuref_test {
namespace convolution {

std::vector<LayerCase> MakeCases(Random& random) {
  LayerCase layer = MakeRandomConvolution(LayerType::kConvolution, random);
  if (random.Integer(0, 1) == 1) layer.inputs.push_back({layer.inputs[1][0]});
  return {layer};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  return Convolve(layer.Get<ConvolutionDescriptor>(), inputs, at);
}

}  // namespace convolution

CPUREF_ELEMENT_ORACLE(Convolution, convolution, PlainTypes::kNumbers, QuantisedTypes::kCalculated,
                      IntegerResults::kWrap);

}  // namespace cpuref_test
}  // namespace backplane
