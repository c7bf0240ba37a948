#include "test/convolution_oracle.hpp"

namespace backplane {
namespace cpuref_test {
namespace integer_convolution {

/// With none, one or both zero points; the one of the input has its type.
std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const DataType weights : {DataType::kInt8, DataType::kUInt8}) {
    LayerCase layer = MakeRandomConvolution(LayerType::kIntegerConvolution, random);
    const std::int64_t least = weights == DataType::kInt8 ? -128 : 0;
    layer.own_inputs = {{1, weights, least, least + 255}, {3, weights, least, least + 255}};
    layer.own_outputs = {{0, DataType::kInt32}};
    cases.push_back(layer);
    layer.inputs.push_back({});
    cases.push_back(layer);
    layer.inputs.push_back(random.Integer(0, 1) == 1 ? TensorShape{layer.inputs[1][0]}
                                                     : TensorShape{1});
    cases.push_back(layer);
  }
  return cases;
}

LayerTraits GetTraits(const LayerCase& /*layer*/) {
  LayerTraits traits;
  traits.plain = PlainTypes::kBytes;
  traits.quantised = QuantisedTypes::kRefused;
  return traits;
}

/// The elements less the zero point of their filter.
template <typename Number>
void Subtract(const NumberTensor<Number>& zero_points, NumberTensor<Number>& elements) {
  const std::size_t of_each = elements.data.size() / zero_points.data.size();
  for (std::size_t i = 0; i < elements.data.size(); ++i) {
    elements.data[i] -= zero_points.data[i / of_each];
  }
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  Operands<Number> operands = {inputs[0], inputs[1]};
  if (inputs.size() > 2) Subtract(inputs[2], operands[0]);
  if (inputs.size() > 3) Subtract(inputs[3], operands[1]);
  return EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    return Convolve(layer.Get<ConvolutionDescriptor>(), operands, at);
  });
}

}  // namespace integer_convolution

CPUREF_ORACLE(IntegerConvolution, integer_convolution);

}  // namespace cpuref_test
}  // namespace backplane
