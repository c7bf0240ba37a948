#include "test/moved_case.hpp"

#include <backplane/api/descriptors/expand.hpp>

namespace backplane {
namespace cpuref_test {
namespace expand {

std::vector<LayerCase> MakeCases(Random& random) {
  ExpandDescriptor descriptor;
  const TensorShape output = random.Shape(random.Word(0, 4), 1, 5);
  descriptor.rank = output.rank;
  TensorShape input;
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) {
    descriptor.dims[axis] = output[axis];
    if (input.rank == 0 && random.Integer(0, 2) == 0) continue;
    input.Append(random.Integer(0, 1) == 1 ? 1 : output[axis]);
  }
  return {MakeCase(LayerType::kExpand, descriptor, {input}, output)};
}

LayerTraits GetTraits(const LayerCase& layer) {
  const TensorShape& input = layer.inputs[0];
  const TensorShape& output = layer.outputs[0];
  return MoveEverything(input.rank == output.rank && (input.rank == 0 || input[0] == output[0]));
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  return EvaluateEach<Number>(layer, output,
                              [&](const Indices& at) { return Broadcast(inputs[0], at); });
}

}  // namespace expand

CPUREF_ORACLE(Expand, expand, expand::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
