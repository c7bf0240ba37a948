#include "test/moved_case.hpp"

#include <backplane/api/descriptors/fill.hpp>

namespace backplane {
namespace cpuref_test {
namespace fill {

std::vector<LayerCase> MakeCases(Random& random) {
  FillDescriptor descriptor;
  const TensorShape output = random.Shape(random.Word(0, 4), 1, 5);
  descriptor.rank = output.rank;
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) descriptor.dims[axis] = output[axis];
  return {MakeCase(LayerType::kFill, descriptor, {{}}, output)};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  return EvaluateEach<Number>(layer, output, [&](const Indices&) { return inputs[0].data[0]; });
}

}  // namespace fill

CPUREF_ORACLE(Fill, fill, MoveEverything(false));

}  // namespace cpuref_test
}  // namespace backplane
