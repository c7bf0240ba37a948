#include "test/layer_case.hpp"

#include <backplane/api/descriptors/concat.hpp>

namespace backplane {
namespace cpuref_test {
namespace concat {

template <typename Number>
Number Join(const ConcatDescriptor& descriptor, const Operands<Number>& inputs, Indices position) {
  std::int64_t& index = position[descriptor.axis];
  std::size_t input = 0;
  while (index >= inputs[input].shape[descriptor.axis]) {
    index -= inputs[input++].shape[descriptor.axis];
  }
  return inputs[input].At(position);
}

std::vector<LayerCase> MakeCases(Random& random) {
  ConcatDescriptor descriptor;
  descriptor.axis = 1;
  TensorShape output = random.Shape(3, 2, 4);
  TensorShape rest = output;
  rest[1] = random.Integer(0, 3);
  const TensorShape first = output;
  output[1] += rest[1];
  return {MakeCase(LayerType::kConcat, descriptor, {first, rest}, output)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  return Join(layer.Get<ConcatDescriptor>(), inputs, at);
}

}  // namespace concat

CPUREF_ELEMENT_ORACLE(Concat, concat, PlainTypes::kAll, QuantisedTypes::kMoved);

}  // namespace cpuref_test
}  // namespace backplane
