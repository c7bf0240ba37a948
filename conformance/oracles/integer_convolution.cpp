#include "conformance/convolution_oracle.hpp"

namespace backplane {
namespace conformance {
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

/// Unsigned bytes and signed weights, each followed by the zero point; one spatial axis.
LayerCase Describe(std::uint32_t padding, const std::vector<TensorShape>& inputs,
                   const TensorShape& output) {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 1;
  descriptor.pads_begin[0] = descriptor.pads_end[0] = padding;
  return As(DataType::kUInt8,
            With(MakeCase(LayerType::kIntegerConvolution, descriptor, inputs, output),
                 {MakeOwn(1, DataType::kInt8), MakeOwn(3, DataType::kInt8)},
                 {MakeOwn(0, DataType::kInt32)}));
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges = {
      // Padding counts as the zero point.
      {Describe(1, {{1, 1, 2}, {1, 1, 3}, {}}, {1, 1, 2}),
       {{12, 8}, {1, 10, 100}, {10}},
       {{20 - 200, 2 - 20}}},
  };
  // As wide as what is laid out at once, and wider.
  for (const std::int64_t width : {256, 257, 520}) {
    for (const std::int64_t filters : {1, 6}) {
      edges.push_back({Describe(0, {{2, 3, width}, {filters, 3, 1}}, {2, filters, width})});
    }
  }
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  const LayerCase plain = Describe(0, {{1, 2, 5}, {4, 2, 3}, {}}, {1, 4, 3});
  const OwnTensor sums = MakeOwn(0, DataType::kInt32);
  return {
      {With(plain, {MakeOwn(1, DataType::kInt8), MakeOwn(2, DataType::kInt8)}, {sums}),
       "wrong-data-type", "int8 [] as zero point", "expected uint8",
       "data type int8 of input 2 (zero point) differs from uint8 of input 0"},
      {With(plain, {MakeOwn(1, DataType::kInt16)}, {sums}), "wrong-data-type", "int16 [4, 2, 3]",
       "int8, uint8", "data type int16 of input 1 is not supported, only int8 and uint8"},
      {As(DataType::kFloat32, Describe(0, {{1, 2, 5}, {4, 2, 3}}, {1, 4, 3})), "wrong-data-type",
       "float32 [1, 2, 5]", "int8, uint8",
       "data type float32 of input 0 is not supported, only int8 and uint8"},
      {With(plain, {MakeOwn(1, DataType::kInt8)}, {MakeOwn(0, DataType::kInt64)}), "", "", "",
       "data type int64 of the output is not supported, only int32"},
      {Describe(0, {{1, 2, 5}, {4, 2, 3}, {2}}, {1, 4, 3}), "wrong-shape", "uint8 [2] as input 2",
       "expected shape [] or [1]", "input 2 (zero point) has shape [2], but must have one element"},
      {Describe(0, {{1, 2, 5}, {4, 2, 3}, {}, {3}}, {1, 4, 3}), "wrong-shape",
       "int8 [3] as input 3", "or [4], one for each filter",
       "input 3 (zero point) has shape [3], but must have one element or 4, one for each filter"},
      {Describe(0, {{1, 2, 5}, {4, 3, 3}}, {1, 4, 3}), "wrong-shape", "extent 3", "expected 2",
       "input 1 (weights) has 3 channels, but must have 2: 2 of input 0 in 1 groups"},
  };
}

}  // namespace integer_convolution

BACKPLANE_ELEMENT_ORACLE(IntegerConvolution, integer_convolution,
                         PlainTypes{DataType::kInt8, DataType::kUInt8}, QuantisedTypes::kRefused);

}  // namespace conformance
}  // namespace backplane
