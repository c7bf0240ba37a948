#include "conformance/axis_oracle.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/hardmax.hpp>

#include <algorithm>

namespace backplane {
namespace conformance {
namespace hardmax {

std::vector<LayerCase> MakeCases(Random& random) {
  HardmaxDescriptor descriptor;
  descriptor.axis = random.Word(0, 2);
  const TensorShape shape = random.Shape(3, 1, 5);
  return {MakeCase(LayerType::kHardmax, descriptor, {shape}, shape)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const std::uint32_t axis = layer.Get<HardmaxDescriptor>().axis;
  const std::vector<Number> elements = CollectAlong(inputs[0], at, axis);
  const auto greatest = std::max_element(elements.begin(), elements.end());
  return static_cast<Number>(greatest - elements.begin() == at[axis] ? 1 : 0);
}

LayerCase Along(std::uint32_t axis, const TensorShape& shape) {
  HardmaxDescriptor descriptor;
  descriptor.axis = axis;
  return MakeCase(LayerType::kHardmax, descriptor, {shape}, shape);
}

std::vector<EdgeCase> MakeEdges() {
  return {
      // The first of equal elements wins, and NaN is the greatest.
      {Along(0, {3}), {{1, 3, 3}}, {{0, 1, 0}}},
      {Along(0, {2}), {{-0.0L, 0}}, {{1, 0}}},
      {Along(0, {2}), {{-kInfinity, -kInfinity}}, {{1, 0}}},
      {Along(0, {4}), {{1, kNaN, kInfinity, kNaN}}, {{0, 1, 0, 0}}},
      {Along(1, {2, 0}), {{}}, {{}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Along(2, {2, 3}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      {Along(0, {}), "wrong-rank", "float32 []", "rank 1 or more",
       "axis 0 is outside of rank 0 of input 0"},
  };
}

}  // namespace hardmax

BACKPLANE_ELEMENT_ORACLE(Hardmax, hardmax, PlainTypes::kNumbers);

}  // namespace conformance
}  // namespace backplane
