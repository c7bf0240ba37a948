#include "test/random_operands.hpp"

namespace backplane {
namespace cpuref_test {
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
  LayerTraits traits = {PlainTypes::kAll, QuantisedTypes::kMoved};
  traits.keeps_axes = layer.inputs[1] == layer.outputs[0] && layer.inputs[2] == layer.outputs[0];
  return traits;
}

template <typename Number>
Number EvaluateAt(const LayerCase& /*layer*/, const Operands<Number>& inputs, const Indices& at) {
  return Broadcast(inputs[0], at) != Number{0} ? Broadcast(inputs[1], at)
                                               : Broadcast(inputs[2], at);
}

}  // namespace where

CPUREF_ELEMENT_ORACLE(Where, where, where::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
