#include "test/axis_oracle.hpp"

#include <backplane/api/descriptors/reduce.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace backplane {
namespace cpuref_test {
namespace reduce {

template <typename Number>
Number Same(Number element) {
  return element;
}

template <typename Number>
Number Square(Number element) {
  return element * element;
}

template <typename Number, typename Function>
Number AddUp(const std::vector<Number>& group, const Function& function) {
  Number sum{};
  for (const Number element : group) sum += function(element);
  return sum;
}

/// What is only there for real numbers.
template <typename Number>
Number ReduceReals(ReduceOperation operation, const std::vector<Number>& group) {
  if (operation == ReduceOperation::kL2) return std::sqrt(AddUp(group, Square<Number>));
  if (operation == ReduceOperation::kLogSum) return std::log(AddUp(group, Same<Number>));
  return std::log(AddUp(group, [](Number element) { return std::exp(element); }));
}

template <typename Number>
Number ReduceGroup(ReduceOperation operation, const std::vector<Number>& group) {
  switch (operation) {
    case ReduceOperation::kMaximum:
      return *std::max_element(group.begin(), group.end());
    case ReduceOperation::kMinimum:
      return *std::min_element(group.begin(), group.end());
    case ReduceOperation::kSum:
      return AddUp(group, Same<Number>);
    case ReduceOperation::kMean:
      return AddUp(group, Same<Number>) / static_cast<Number>(group.size());
    case ReduceOperation::kProduct:
      return std::accumulate(group.begin(), group.end(), Number{1}, std::multiplies<>());
    case ReduceOperation::kL1:
      return AddUp(group, [](Number element) { return element < 0 ? -element : element; });
    case ReduceOperation::kSumSquare:
      return AddUp(group, Square<Number>);
    default:
      break;
  }
  if constexpr (kIsReal<Number>) return ReduceReals(operation, group);
  return Number{};
}

/// Few elements, whose product even a float16 holds.
LayerCase MakeCaseOf(ReduceOperation operation, Random& random) {
  ReduceDescriptor descriptor;
  descriptor.operation = operation;
  descriptor.keep_dims = random.Word(0, 1);
  const TensorShape input = random.Shape(4, 1, 3);
  TensorShape output;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    const bool is_reduced = descriptor.num_axes < 2 && random.Integer(0, 1) == 1;
    if (is_reduced) descriptor.axes[descriptor.num_axes++] = axis;
    if (!is_reduced) output.Append(input[axis]);
    if (is_reduced && descriptor.keep_dims == 1) output.Append(1);
  }
  return MakeCase(LayerType::kReduce, descriptor, {input}, output);
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (std::uint32_t operation = 1; operation <= 10; ++operation) {
    cases.push_back(MakeCaseOf(ReduceOperation{operation}, random));
  }
  return cases;
}

LayerTraits GetTraits(const LayerCase& layer) {
  const ReduceOperation operation = layer.Get<ReduceDescriptor>().operation;
  const bool needs_reals = operation == ReduceOperation::kL2 ||
                           operation == ReduceOperation::kLogSum ||
                           operation == ReduceOperation::kLogSumExp;
  const bool may_wrap =
      operation == ReduceOperation::kProduct || operation == ReduceOperation::kSumSquare;
  LayerTraits traits;
  traits.plain = needs_reals ? PlainTypes::kFloats : PlainTypes::kNumbers;
  traits.integers = may_wrap ? IntegerResults::kWrap : IntegerResults::kExact;
  return traits;
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, Indices at) {
  const auto descriptor = layer.Get<ReduceDescriptor>();
  std::vector<bool> is_reduced(inputs[0].shape.rank, false);
  for (std::uint32_t i = 0; i < descriptor.num_axes; ++i) is_reduced[descriptor.axes[i]] = true;
  for (std::size_t axis = 0; descriptor.keep_dims == 0 && axis < is_reduced.size(); ++axis) {
    if (is_reduced[axis]) at.insert(at.begin() + static_cast<std::ptrdiff_t>(axis), 0);
  }
  return ReduceGroup(descriptor.operation, CollectGroup(inputs[0], at, is_reduced));
}

}  // namespace reduce

CPUREF_ELEMENT_ORACLE(Reduce, reduce, reduce::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
