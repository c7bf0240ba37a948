#include "conformance/axis_oracle.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/cumulative_sum.hpp>

namespace backplane {
namespace conformance {
namespace cumulative_sum {

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (std::uint32_t flags = 0; flags < 4; ++flags) {
    CumulativeSumDescriptor descriptor;
    descriptor.axis = random.Word(0, 2);
    descriptor.exclusive = flags & 1U;
    descriptor.reverse = flags >> 1U;
    const TensorShape shape = random.Shape(3, 1, 5);
    cases.push_back(MakeCase(LayerType::kCumulativeSum, descriptor, {shape}, shape));
  }
  return cases;
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const auto descriptor = layer.Get<CumulativeSumDescriptor>();
  const std::vector<Number> elements = CollectAlong(inputs[0], at, descriptor.axis);
  const auto own = static_cast<std::size_t>(at[descriptor.axis]);
  Number sum{};
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const bool is_passed = descriptor.reverse == 1 ? k > own : k < own;
    if (is_passed || (k == own && descriptor.exclusive == 0)) sum += elements[k];
  }
  return sum;
}

LayerCase Describe(std::uint32_t axis, std::uint32_t exclusive, std::uint32_t reverse,
                   const TensorShape& shape) {
  CumulativeSumDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.exclusive = exclusive;
  descriptor.reverse = reverse;
  return MakeCase(LayerType::kCumulativeSum, descriptor, {shape}, shape);
}

std::vector<EdgeCase> MakeEdges() {
  return {
      {Describe(0, 0, 0, {3}), {{1, 2, 4}}, {{1, 3, 7}}},
      {Describe(0, 1, 0, {3}), {{1, 2, 4}}, {{0, 1, 3}}},
      {Describe(0, 0, 1, {3}), {{1, 2, 4}}, {{7, 6, 4}}},
      {Describe(0, 1, 1, {3}), {{1, 2, 4}}, {{6, 4, 0}}},
      // NaN spoils only what follows.
      {Describe(0, 0, 0, {3}), {{1, kNaN, 1}}, {{1, kNaN, kNaN}}},
      {Describe(0, 1, 0, {3}), {{1, kInfinity, -kInfinity}}, {{0, 1, kInfinity}}},
      // Small elements are not lost beside a large sum.
      {Describe(0, 0, 0, {3}), {{16777216, 1, 1}}, {{16777216, 16777216, 16777218}}},
      {As(DataType::kInt8, Describe(0, 0, 0, {3})), {{100, 100, 100}}, {{100, -56, 44}}},
      {Describe(1, 0, 0, {2, 0}), {{}}, {{}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Describe(0, 0, 0, {}), "wrong-rank", "float32 []", "rank 1 or more",
       "axis 0 is outside of rank 0 of input 0"},
      {Describe(2, 0, 0, {2, 3}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      {Describe(0, 2, 0, {2}), "invalid-descriptor", "found 2", "0 or 1",
       "exclusive is 2, but must be 0 or 1"},
      {Describe(0, 0, 3, {2}), "invalid-descriptor", "found 3", "0 or 1",
       "reverse is 3, but must be 0 or 1"},
  };
}

}  // namespace cumulative_sum

BACKPLANE_ELEMENT_ORACLE(CumulativeSum, cumulative_sum, PlainTypes::kNumbers,
                         QuantisedTypes::kCalculated, IntegerResults::kWrap);

}  // namespace conformance
}  // namespace backplane
