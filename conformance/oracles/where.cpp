#include "conformance/limits.hpp"
#include "conformance/random_operands.hpp"

namespace backplane {
namespace conformance {
namespace where {

/// Once with operands of one shape, which may be quantised along an axis.
std::vector<LayerCase> MakeCases(Random& random) {
  const RandomOperands operands(random, 3);
  const TensorShape& whole = operands.result;
  std::vector<LayerCase> cases = {
      MakeCase(LayerType::kWhere, NoDescriptor(), operands.shapes, whole),
      MakeCase(LayerType::kWhere, NoDescriptor(), {operands.shapes[0], whole, whole}, whole)};
  for (LayerCase& layer : cases) layer.own_inputs = {{0, DataType::kBool, 0, 1}};
  return cases;
}

LayerTraits GetTraits(const LayerCase& layer) {
  LayerTraits traits = {PlainTypes::kStored, QuantisedTypes::kMoved};
  traits.keeps_axes = layer.inputs[1] == layer.outputs[0] && layer.inputs[2] == layer.outputs[0];
  return traits;
}

template <typename Number>
Number EvaluateAt(const LayerCase& /*layer*/, const Operands<Number>& inputs, const Indices& at) {
  return Broadcast(inputs[0], at) != Number{0} ? Broadcast(inputs[1], at)
                                               : Broadcast(inputs[2], at);
}

LayerCase Choose(const std::vector<TensorShape>& inputs, const TensorShape& output) {
  return As(DataType::kInt32, With(MakeCase(LayerType::kWhere, NoDescriptor(), inputs, output),
                                   {MakeOwn(0, DataType::kBool)}));
}

/// The values and the output have scales along axis 0.
LayerCase ChooseScaled(const std::vector<TensorShape>& inputs, const TensorShape& output) {
  return With(Choose(inputs, output),
              {MakeOwn(0, DataType::kBool), MakeScaled(1, 0, 2), MakeScaled(2, 0, 2)},
              {MakeScaled(0, 0, 2)});
}

std::vector<EdgeCase> MakeEdges() {
  const Elements column = {10, 20};
  const Elements row = {1, 2, 3};
  return {
      // Every byte but zero is true.
      {Choose({{4}, {4}, {4}}, {4}),
       {{0, 1, 2, 255}, {1, 2, 3, 4}, {-1, -2, -3, -4}},
       {{-1, 2, 3, 4}}},
      {Choose({{3}, {2, 1}, {3}}, {2, 3}), {{1, 0, 1}, column, row}, {{10, 2, 10, 20, 2, 20}}},
      {Choose({{3}, {3}, {2, 1}}, {2, 3}), {{1, 0, 1}, row, column}, {{1, 10, 3, 1, 20, 3}}},
      {Choose({{2, 1}, {2, 1}, {3}}, {2, 3}), {{0, 1}, column, row}, {{1, 2, 3, 20, 20, 20}}},
      {Choose({{}, {2, 1}, {3}}, {2, 3}), {{1}, column, row}, {{10, 10, 10, 20, 20, 20}}},
      {Choose({{2, 3}, {}, {1}}, {2, 3}), {{1, 1, 0, 0, 0, 1}, {7}, {8}}, {{7, 7, 8, 8, 8, 7}}},
      {Choose({{0}, {1}, {}}, {0}), {{}, {1}, {2}}, {{}}},
      {As(DataType::kFloat32, Choose({{2}, {2}, {2}}, {2})),
       {{1, 0}, {kNaN, 1}, {2, -0.0L}},
       {{kNaN, -0.0L}}},
      {ChooseScaled({{2, 3}, {2, 3}, {2, 1}}, {2, 3})},
  };
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {With(Choose({{2}, {2}, {2}}, {2}), {}), "wrong-data-type", "int32 [2]", "bool",
       "data type int32 of input 0 is not supported, only bool"},
      {With(Choose({{2}, {2}, {2}}, {2}),
            {MakeOwn(0, DataType::kBool), MakeOwn(2, DataType::kFloat32)}),
       "wrong-data-type", "float32 [2] as input 2", "int32",
       "data type float32 of input 2 differs from int32 of the output; conversions are not "
       "supported"},
      {Choose({{2}, {3}, {1}}, {3}), "wrong-shape", "[2] and [3] and [1]", "equal or 1",
       "the shapes [2] of input 0 and [3] of input 1 and [1] of input 2 do not broadcast"},
      {ChooseScaled({{2, 2, 3}, {2, 2, 3}, {2, 3}}, {2, 2, 3}), "wrong-data-type",
       "quantized along axis 0, and the output [2, 2, 3]", "one scale",
       "input 2 of shape [2, 3] is quantised along axis 0, along which the output [2, 2, 3] is "
       "another"},
  };
}

}  // namespace where

BACKPLANE_ELEMENT_ORACLE(Where, where, where::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
