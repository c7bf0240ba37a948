#include "conformance/axis_oracle.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/reduce.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace backplane {
namespace conformance {
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

using Operation = ReduceOperation;

LayerCase Over(Operation operation, const std::vector<std::uint32_t>& axes,
               const TensorShape& input, const TensorShape& output, std::uint32_t keep_dims = 0) {
  ReduceDescriptor descriptor;
  descriptor.operation = operation;
  descriptor.keep_dims = keep_dims;
  descriptor.num_axes = static_cast<std::uint32_t>(axes.size());
  std::copy_n(axes.begin(), std::min<std::size_t>(axes.size(), kMaxRank), descriptor.axes);
  return MakeCase(LayerType::kReduce, descriptor, {input}, output);
}

EdgeCase OfVector(Operation operation, const Elements& elements, long double expected,
                  DataType type = DataType::kFloat32) {
  const TensorShape shape = {static_cast<std::int64_t>(elements.size())};
  return {As(type, Over(operation, {0}, shape, {})), {elements}, {{expected}}};
}

/// Groups and neighbours that do not fit a block, and axes of every rank.
void AddLarge(std::vector<EdgeCase>& edges) {
  using Axes = std::vector<std::uint32_t>;
  const auto add = [&](Operation operation, const Axes& axes, const TensorShape& shape) {
    TensorShape output = shape;
    for (const std::uint32_t axis : axes) output[axis] = 1;
    edges.push_back({Over(operation, axes, shape, output, 1)});
  };
  for (const Axes& axes : {Axes{0}, Axes{1}, Axes{2}, Axes{0, 2}, Axes{0, 1}, Axes{0, 1, 2}}) {
    for (const Operation operation :
         {Operation::kSum, Operation::kMaximum, Operation::kLogSumExp, Operation::kL1}) {
      add(operation, axes, {2, 3, 150});
    }
  }
  for (const Axes& axes : {Axes{0, 2, 5, 7}, Axes{1, 3, 6}, Axes{7, 3, 4, 0}, Axes{1, 4}}) {
    add(Operation::kMean, axes, {2, 1, 3, 2, 1, 2, 3, 2});
  }
  // Small elements are not lost beside a large sum.
  Elements values(1 << 20, static_cast<long double>(0.1F));
  values[0] = 16777216;
  const double sum = 16777216.0 + static_cast<double>(0.1F) * ((1 << 20) - 1);
  edges.push_back(OfVector(Operation::kSum, values, static_cast<long double>(sum)));
}

void AddEmpty(std::vector<EdgeCase>& edges) {
  constexpr std::uint64_t kMost64 = 0xffffffffffffffffU;
  const long double of_nothing[] = {0, kNaN, -kInfinity, kInfinity,  1,
                                    0, 0,    -kInfinity, -kInfinity, 0};
  const Operation operations[] = {Operation::kSum,      Operation::kMean,    Operation::kMaximum,
                                  Operation::kMinimum,  Operation::kProduct, Operation::kL1,
                                  Operation::kL2,       Operation::kLogSum,  Operation::kLogSumExp,
                                  Operation::kSumSquare};
  for (std::size_t i = 0; i < 10; ++i) {
    edges.push_back(OfVector(operations[i], {}, of_nothing[i]));
  }
  // Of integers, the limits of their type.
  edges.push_back(OfVector(Operation::kMaximum, {}, -128, DataType::kInt8));
  edges.push_back(OfVector(Operation::kMinimum, {}, 127, DataType::kInt8));
  edges.push_back(OfVector(Operation::kMaximum, {}, 0, DataType::kUInt16));
  edges.push_back(OfVector(Operation::kMinimum, {}, 65535, DataType::kUInt16));
  edges.push_back(OfVector(Operation::kMaximum, {}, kLeast, DataType::kInt64));
  edges.push_back(OfVector(Operation::kMinimum, {}, kMost64, DataType::kUInt64));
  edges.push_back(OfVector(Operation::kMean, {}, 0, DataType::kInt32));
  edges.push_back({Over(Operation::kSum, {1}, {2, 0, 2}, {2, 2}), {{}}, {Elements(4)}});
  edges.push_back({Over(Operation::kSum, {1}, {2, 3, 0}, {2, 0}), {{}}, {{}}});
  edges.push_back({Over(Operation::kSum, {1}, {0, 0}, {0}), {{}}, {{}}});
}

/// Without axes they apply to each element.
void AddWithoutAxes(std::vector<EdgeCase>& edges) {
  const Elements elements = {-2, 3};
  const auto add = [&](Operation operation, const Elements& expected) {
    edges.push_back({Over(operation, {}, {2}, {2}), {elements}, {expected}});
  };
  add(Operation::kSum, elements);
  add(Operation::kL2, {2, 3});
  add(Operation::kSumSquare, {4, 9});
  add(Operation::kLogSumExp, elements);
  edges.push_back({Over(Operation::kSum, {}, {}, {}, 1), {{5}}, {{5}}});
}

void AddNumbers(std::vector<EdgeCase>& edges) {
  edges.push_back(OfVector(Operation::kSum, {100, 100}, -56, DataType::kInt8));
  edges.push_back(OfVector(Operation::kMean, {100, 101}, 100, DataType::kInt8));
  edges.push_back(OfVector(Operation::kMean, {-3, 0}, -1, DataType::kInt8));
  edges.push_back(OfVector(Operation::kL1, {-128}, -128, DataType::kInt8));
  edges.push_back(OfVector(Operation::kProduct, {16, 17}, 16, DataType::kUInt8));
  edges.push_back(OfVector(Operation::kLogSumExp, {1000, -1000}, 1000));
  edges.push_back(OfVector(Operation::kLogSumExp, {-1000}, -1000));
  edges.push_back(OfVector(Operation::kLogSumExp, {kInfinity, 0}, kInfinity));
  edges.push_back(OfVector(Operation::kLogSumExp, {-kInfinity, -kInfinity}, -kInfinity));
  edges.push_back(OfVector(Operation::kLogSumExp, {-kInfinity, 3}, 3));
  // Squares of floats do not overflow.
  edges.push_back(OfVector(Operation::kL2, {3e30L, 4e30L}, 5e30L));
  for (std::uint32_t operation = 1; operation <= 10; ++operation) {
    for (const std::size_t place : {0U, 1U, 99U}) {
      Elements values(100, 1);
      values[place] = kNaN;
      edges.push_back(OfVector(Operation{operation}, values, kNaN));
    }
  }
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges;
  AddLarge(edges);
  AddEmpty(edges);
  AddWithoutAxes(edges);
  AddNumbers(edges);
  // Scales move with their axis.
  edges.push_back({With(Over(Operation::kMaximum, {0}, {2, 3, 4}, {3, 4}), {MakeScaled(0, 2, 4)},
                        {MakeScaled(0, 1, 4)})});
  edges.push_back({With(Over(Operation::kMaximum, {0}, {2, 3, 4}, {1, 3, 4}, 1),
                        {MakeScaled(0, 2, 4)}, {MakeScaled(0, 2, 4)})});
  edges.push_back({With(Over(Operation::kMaximum, {1}, {2, 3}, {2, 1}, 1), {MakeScaled(0, 1, 3)},
                        {MakeOwn(0, DataType::kInt8, {3})})});
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  const char* const unknown = " is not supported, only Sum (1) to SumSquare (10)";
  const LayerCase unstated =
      With(Over(Operation::kMaximum, {1}, {2, 3}, {2, 1}, 1), {MakeScaled(0, 1, 3)});
  std::vector<RefusedCase> refused = {
      {Over(Operation::kSum, {0, 2}, {2, 3}, {3}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      {Over(Operation::kSum, {1, 1}, {2, 3}, {2}), "invalid-descriptor", "axis 1 more than once",
       "different axes", "axis 1 is there twice"},
      {Over(Operation::kSum, std::vector<std::uint32_t>(9), {2, 3}, {}), "invalid-descriptor",
       "found 9", "at most 8", "num_axes is 9, but must be at most 8"},
      {Over(Operation{0}, {}, {2}, {2}), "invalid-descriptor", "number 0", "Sum (1) to SumSquare",
       std::string("operation 0") + unknown},
      {Over(Operation{11}, {}, {2}, {2}), "invalid-descriptor", "number 11", "Sum (1) to SumSquare",
       std::string("operation 11") + unknown},
      {Over(Operation::kSum, {0}, {2, 3}, {3}, 2), "invalid-descriptor", "found 2", "0 or 1",
       "keep_dims is 2, but must be 0 or 1"},
      {unstated, "wrong-shape", "found 3 scales", "expected 1",
       "the output is not quantised, but input 0 is"},
  };
  for (const Operation operation : {Operation::kL2, Operation::kLogSum, Operation::kLogSumExp}) {
    refused.push_back({As(DataType::kInt32, Over(operation, {}, {2}, {2})), "wrong-data-type",
                       "int32 [2]", "float32, float16", RefuseType(DataType::kInt32, kOnlyFloats)});
  }
  return refused;
}

}  // namespace reduce

BACKPLANE_ELEMENT_ORACLE(Reduce, reduce, reduce::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
