#include "test/layer_case.hpp"
#include "test/matrix_oracle.hpp"

namespace backplane {
namespace cpuref_test {
namespace integer_mat_mul {

LayerCase MakeProduct(DataType second, Random& random) {
  const TensorShape output = random.Shape(3, 1, 6);
  const std::int64_t inner = random.Integer(1, 40);
  LayerCase layer = MakeCase(LayerType::kIntegerMatMul, NoDescriptor(),
                             {{output[0], output[1], inner}, {inner, output[2]}}, output);
  const std::int64_t least = second == DataType::kInt8 ? -128 : 0;
  layer.own_inputs = {{1, second, least, least + 255}, {3, second, least, least + 255}};
  layer.own_outputs = {{0, DataType::kInt32}};
  return layer;
}

/// Zero points of every shape: for all, for each row or column, and for those of each matrix.
std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const DataType second : {DataType::kInt8, DataType::kUInt8}) {
    const LayerCase plain = MakeProduct(second, random);
    cases.push_back(plain);
    const TensorShape& a = plain.inputs[0];
    const TensorShape& b = plain.inputs[1];
    for (const TensorShape& of_rows :
         {TensorShape{}, TensorShape{a[1]}, TensorShape{a[0], a[1], 1}}) {
      LayerCase layer = plain;
      layer.inputs.push_back(of_rows);
      cases.push_back(layer);
      layer.inputs.push_back(random.Integer(0, 1) == 1 ? TensorShape{b[1]} : TensorShape{1, b[1]});
      cases.push_back(layer);
    }
  }
  return cases;
}

/// The first operand less the zero point of each row, which may be that of all matrices.
template <typename Number>
NumberTensor<Number> SubtractOfRows(NumberTensor<Number> operand,
                                    const std::vector<Number>& zero_points) {
  const auto inner = static_cast<std::size_t>(operand.shape[operand.shape.rank - 1]);
  for (std::size_t i = 0; i < operand.data.size(); ++i) {
    operand.data[i] -= zero_points[i / inner % zero_points.size()];
  }
  return operand;
}

template <typename Number>
NumberTensor<Number> SubtractOfColumns(NumberTensor<Number> operand,
                                       const std::vector<Number>& zero_points) {
  for (std::size_t i = 0; i < operand.data.size(); ++i) {
    operand.data[i] -= zero_points[i % zero_points.size()];
  }
  return operand;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  NumberTensor<Number> a = inputs[0];
  NumberTensor<Number> b = inputs[1];
  if (inputs.size() > 2) a = SubtractOfRows(a, inputs[2].data);
  if (inputs.size() > 3) b = SubtractOfColumns(b, inputs[3].data);
  return EvaluateEach<Number>(layer, output,
                              [&](const Indices& at) { return Multiply(a, b, at, 0, 0); });
}

}  // namespace integer_mat_mul

CPUREF_ORACLE(IntegerMatMul, integer_mat_mul, PlainTypes::kBytes, QuantisedTypes::kRefused);

}  // namespace cpuref_test
}  // namespace backplane
