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

/// The elements less the zero point of their filter.
template <typename Number>
void Subtract(const NumberTensor<Number>& zero_points, NumberTensor<Number>& elements) {
  const std::size_t of_each = elements.data.size() / zero_points.data.size();
  for (std::size_t i = 0; i < elements.data.size(); ++i) {
    elements.data[i] -= zero_points.data[i / of_each];
  }
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  Operands<Number> operands = {inputs[0], inputs[1]};
  if (inputs.size() > 2) Subtract(inputs[2], operands[0]);
  if (inputs.size() > 3) Subtract(inputs[3], operands[1]);
  return Convolve(layer.Get<ConvolutionDescriptor>(), operands, at);
}

}  // namespace integer_convolution

CPUREF_ELEMENT_ORACLE(IntegerConvolution, integer_convolution, PlainTypes::kBytes,
                      QuantisedTypes::kRefused);

}  // namespace cpuref_test
}  // namespace backplane
