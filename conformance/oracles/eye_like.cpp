#include "conformance/limits.hpp"
#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/eye_like.hpp>

namespace backplane {
namespace conformance {
namespace eye_like {

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (std::uint32_t number = 1; number <= 23; ++number) {
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

LayerCase Describe(std::int64_t diagonal, DataType type, const TensorShape& shape) {
  EyeLikeDescriptor descriptor;
  descriptor.diagonal = diagonal;
  descriptor.data_type = type;
  return With(MakeCase(LayerType::kEyeLike, descriptor, {shape}, shape), {}, {MakeOwn(0, type)});
}

EdgeCase MakeEye(std::int64_t diagonal, const Elements& expected) {
  return {Describe(diagonal, DataType::kFloat32, {2, 3}), {Elements(6)}, {expected}};
}

std::vector<EdgeCase> MakeEdges() {
  const Elements nothing(6);
  return {
      MakeEye(0, {1, 0, 0, 0, 1, 0}),
      MakeEye(1, {0, 1, 0, 0, 0, 1}),
      MakeEye(2, {0, 0, 1, 0, 0, 0}),
      MakeEye(-1, {0, 0, 0, 1, 0, 0}),
      MakeEye(3, nothing),
      MakeEye(-2, nothing),
      MakeEye(kMost, nothing),
      MakeEye(kLeast, nothing),
      {Describe(-1, DataType::kBool, {3, 2}), {Elements(6)}, {{0, 0, 1, 0, 0, 1}}},
      {Describe(0, DataType::kInt8, {0, 3}), {{}}, {{}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {With(Describe(0, DataType::kInt8, {2, 2}), {}), "", "", "",
       "data type float32 of the output is not supported, only int8, which the descriptor states"},
      {Describe(0, DataType::kInt8, {2}), "wrong-rank", "float32 [2]", "rank 2",
       "input 0 has shape [2], but must have rank 2"},
      {With(Describe(0, DataType{99}, {2, 2}), {}), "invalid-descriptor", "number 99", "float32",
       "data type float32 of the output is not supported, only unknown data type, which the "
       "descriptor states"},
  };
}

}  // namespace eye_like

BACKPLANE_ELEMENT_ORACLE(EyeLike, eye_like, MoveEverything(true));

}  // namespace conformance
}  // namespace backplane
