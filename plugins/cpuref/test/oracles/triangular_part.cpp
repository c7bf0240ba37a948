#include "test/moved_case.hpp"

#include <backplane/api/descriptors/triangular_part.hpp>

namespace backplane {
namespace cpuref_test {
namespace triangular_part {

std::vector<LayerCase> MakeCases(Random& random) {
  TriangularPartDescriptor descriptor;
  descriptor.part = random.Integer(0, 1) == 1 ? Triangle::kUpper : Triangle::kLower;
  descriptor.diagonal = random.Integer(-6, 6);
  const TensorShape shape = random.Shape(random.Word(2, 4), 1, 5);
  return {MakeCase(LayerType::kTriangularPart, descriptor, {shape}, shape)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const auto descriptor = layer.Get<TriangularPartDescriptor>();
  const std::int64_t distance = at[at.size() - 1] - at[at.size() - 2] - descriptor.diagonal;
  const bool is_kept = descriptor.part == Triangle::kUpper ? distance >= 0 : distance <= 0;
  return is_kept ? inputs[0].At(at) : Number{0};
}

}  // namespace triangular_part

CPUREF_ELEMENT_ORACLE(TriangularPart, triangular_part, MoveEverything(true));

}  // namespace cpuref_test
}  // namespace backplane
