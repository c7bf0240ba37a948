#include "test/layer_case.hpp"

#include <backplane/api/descriptors/reshape.hpp>

namespace backplane {
namespace cpuref_test {
namespace reshape {

std::vector<LayerCase> MakeCases(Random& random) {
  const TensorShape matrix = random.Shape(2, 1, 6);
  ReshapeDescriptor descriptor;
  descriptor.rank = 1;
  descriptor.dims[0] = matrix.GetNumElements();
  return {MakeCase(LayerType::kReshape, descriptor, {matrix}, {matrix.GetNumElements()})};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& /*layer*/, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  return inputs[0].data;
}

}  // namespace reshape

CPUREF_ORACLE(Reshape, reshape, PlainTypes::kAll, QuantisedTypes::kMoved, IntegerResults::kExact,
              false);

}  // namespace cpuref_test
}  // namespace backplane
