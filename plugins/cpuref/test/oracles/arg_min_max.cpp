#include "test/axis_oracle.hpp"

#include <backplane/api/descriptors/arg_min_max.hpp>

namespace backplane {
namespace cpuref_test {
namespace arg_min_max {

template <typename Number>
std::size_t Choose(const ArgMinMaxDescriptor& descriptor, const std::vector<Number>& elements) {
  std::size_t chosen = 0;
  for (std::size_t i = 1; i < elements.size(); ++i) {
    const bool is_better = descriptor.operation == ArgOperation::kMaximum
                               ? elements[i] > elements[chosen]
                               : elements[i] < elements[chosen];
    if (is_better || (descriptor.select_last == 1 && elements[i] == elements[chosen])) chosen = i;
  }
  return chosen;
}

LayerCase MakeCaseOf(ArgOperation operation, std::uint32_t select_last, Random& random) {
  ArgMinMaxDescriptor descriptor;
  descriptor.operation = operation;
  descriptor.axis = random.Word(0, 2);
  descriptor.keep_dims = random.Word(0, 1);
  descriptor.select_last = select_last;
  const TensorShape input = random.Shape(3, 1, 5);
  TensorShape output;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    if (axis != descriptor.axis) output.Append(input[axis]);
    if (axis == descriptor.axis && descriptor.keep_dims == 1) output.Append(1);
  }
  LayerCase layer = MakeCase(LayerType::kArgMinMax, descriptor, {input}, output);
  layer.own_outputs = {{0, DataType::kInt64}};
  return layer;
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const std::uint32_t select_last : {0U, 1U}) {
    cases.push_back(MakeCaseOf(ArgOperation::kMinimum, select_last, random));
    cases.push_back(MakeCaseOf(ArgOperation::kMaximum, select_last, random));
  }
  return cases;
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, Indices at) {
  const auto descriptor = layer.Get<ArgMinMaxDescriptor>();
  if (descriptor.keep_dims == 0) at.insert(at.begin() + descriptor.axis, 0);
  return static_cast<Number>(Choose(descriptor, CollectAlong(inputs[0], at, descriptor.axis)));
}

}  // namespace arg_min_max

CPUREF_ELEMENT_ORACLE(ArgMinMax, arg_min_max, PlainTypes::kNumbers);

}  // namespace cpuref_test
}  // namespace backplane
