#include "test/moved_case.hpp"

#include <backplane/api/descriptors/eye_like.hpp>

namespace backplane {
namespace cpuref_test {
namespace eye_like {

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (std::uint32_t number = 1; number <= 13; ++number) {
    EyeLikeDescriptor descriptor;
    descriptor.data_type = static_cast<DataType>(number);
    descriptor.diagonal = random.Integer(-6, 6);
    const TensorShape shape = random.Shape(2, 1, 5);
    cases.push_back(MakeCase(LayerType::kEyeLike, descriptor, {shape}, shape));
    OwnTensor own;
    own.data_type = descriptor.data_type;
    cases.back().own_outputs = {own};
  }
  return cases;
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& /*inputs*/, const Indices& at) {
  const std::int64_t diagonal = layer.Get<EyeLikeDescriptor>().diagonal;
  return static_cast<Number>(at[1] - at[0] == diagonal ? 1 : 0);
}

}  // namespace eye_like

CPUREF_ELEMENT_ORACLE(EyeLike, eye_like, MoveEverything(true));

}  // namespace cpuref_test
}  // namespace backplane
