#include "conformance/layer_case.hpp"
#include "conformance/matrix_oracle.hpp"

namespace backplane {
namespace conformance {
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

/// Unsigned and signed bytes, each followed by the zero point.
LayerCase Describe(const std::vector<TensorShape>& inputs, const TensorShape& output) {
  return As(DataType::kUInt8,
            With(MakeCase(LayerType::kIntegerMatMul, NoDescriptor(), inputs, output),
                 {MakeOwn(1, DataType::kInt8), MakeOwn(3, DataType::kInt8)},
                 {MakeOwn(0, DataType::kInt32)}));
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges = {
      {Describe({{3}, {3}, {}}, {}), {{4, 5, 255}, {1, -2, 3}, {1}}, {{3 - 8 + 762}}},
      {Describe({{2, 0}, {0, 3}}, {2, 3}), {{}, {}}, {Elements(6)}},
      {Describe({{2, 1, 3, 4}, {5, 4, 6}}, {2, 5, 3, 6}),
       {Elements(24), Elements(120)},
       {Elements(180)}},
  };
  // Zero points of every shape; 10 of them would be 0 again.
  for (const TensorShape& rows :
       {TensorShape{}, TensorShape{1}, TensorShape{3}, TensorShape{2, 3, 1}}) {
    for (const TensorShape& columns :
         {TensorShape{}, TensorShape{1}, TensorShape{6}, TensorShape{1, 6}}) {
      edges.push_back({Describe({{2, 3, 4}, {4, 6}, rows, columns}, {2, 3, 6})});
    }
  }
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  const LayerCase other = With(Describe({{2, 3}, {3, 2}}, {2, 2}), {MakeOwn(1, DataType::kInt16)},
                               {MakeOwn(0, DataType::kInt32)});
  return {
      {Describe({{}, {2, 3}}, {3}), "wrong-rank", "uint8 []", "rank 1 or more",
       "input 0 has rank 0, but must have rank 1 to 8"},
      {Describe({{4, 2}, {3, 3}}, {4, 3}), "wrong-shape", "2 columns and 3 rows",
       "as many columns as rows",
       "the matrices of input 0 have 2 columns, but those of input 1 3 rows; both must be equal"},
      {Describe({{2, 4, 3}, {3, 5}, {5}}, {2, 4, 5}), "wrong-shape",
       "uint8 [5] as input 2 for uint8 [2, 4, 3]", "one for each row, or shape [2, 4, 1]",
       "input 2 (zero point) has shape [5], but must have one element, one for each row, or shape "
       "[2, 4, 1]"},
      {Describe({{2, 4, 3}, {3, 5}, {}, {4}}, {2, 4, 5}), "wrong-shape",
       "int8 [4] as input 3 for int8 [3, 5]", "one for each column, or shape [1, 5]",
       "input 3 (zero point) has shape [4], but must have one element, one for each column, or "
       "shape [1, 5]"},
      {other, "wrong-data-type", "int16 [3, 2]", "int8, uint8",
       "data type int16 of input 1 is not supported, only int8 and uint8"},
  };
}

}  // namespace integer_mat_mul

BACKPLANE_ORACLE(IntegerMatMul, integer_mat_mul, PlainTypes{DataType::kInt8, DataType::kUInt8},
                 QuantisedTypes::kRefused);

}  // namespace conformance
}  // namespace backplane
