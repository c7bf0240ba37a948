#include "conformance/axis_oracle.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/arg_min_max.hpp>

namespace backplane {
namespace conformance {
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

LayerCase Describe(ArgOperation operation, std::uint32_t axis, std::uint32_t select_last,
                   const TensorShape& input, const TensorShape& output) {
  ArgMinMaxDescriptor descriptor;
  descriptor.operation = operation;
  descriptor.axis = axis;
  descriptor.select_last = select_last;
  return With(MakeCase(LayerType::kArgMinMax, descriptor, {input}, output), {}, {OwnTensor()});
}

constexpr ArgOperation kMinimum = ArgOperation::kMinimum;
constexpr ArgOperation kMaximum = ArgOperation::kMaximum;

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges = {
      {As(DataType::kUInt64, Describe(kMaximum, 0, 0, {3}, {})),
       {{0xfffffffffffffffeU, 0xffffffffffffffffU, 0}},
       {{1}}},
      {Describe(kMaximum, 1, 0, {0, 3}, {0}), {{}}, {{}}},
  };
  const auto add = [&](ArgOperation operation, const Elements& input, std::int64_t first,
                       std::int64_t last) {
    const TensorShape shape = {static_cast<std::int64_t>(input.size())};
    const auto index = [](std::int64_t one) { return Elements{static_cast<long double>(one)}; };
    edges.push_back({Describe(operation, 0, 0, shape, {}), {input}, {index(first)}});
    edges.push_back({Describe(operation, 0, 1, shape, {}), {input}, {index(last)}});
  };
  add(kMaximum, {1, 3, 2, 3, 3, 0}, 1, 4);
  add(kMinimum, {1, 3, 1}, 0, 2);
  add(kMaximum, {-0.0L, 0}, 0, 1);
  // NaN is both the least and the greatest.
  for (const ArgOperation operation : {kMinimum, kMaximum}) {
    add(operation, {-kInfinity, kNaN, kInfinity, kNaN, 0}, 1, 3);
    add(operation, {kNaN, 0}, 0, 0);
  }
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  ArgMinMaxDescriptor flag;
  flag.keep_dims = 2;
  return {
      {Describe(kMaximum, 1, 0, {2, 0}, {2}), "wrong-shape", "extent 0 at axis 1 of float32 [2, 0]",
       "1 or more", "axis 1 of input 0 has extent 0: there is nothing to choose"},
      {Describe(kMaximum, 2, 0, {2, 3}, {2}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      {Describe(kMaximum, 0, 0, {}, {}), "wrong-rank", "float32 []", "rank 1 or more",
       "axis 0 is outside of rank 0 of input 0"},
      {Describe(ArgOperation{3}, 0, 0, {2}, {}), "invalid-descriptor", "number 3",
       "Minimum or Maximum", "operation 3 is not supported, only Minimum (1) and Maximum (2)"},
      {Describe(kMaximum, 0, 3, {2}, {}), "invalid-descriptor", "found 3", "0 or 1",
       "select_last is 3, but must be 0 or 1"},
      {With(MakeCase(LayerType::kArgMinMax, flag, {{2}}, {}), {}, {OwnTensor()}),
       "invalid-descriptor", "found 2", "0 or 1", "keep_dims is 2, but must be 0 or 1"},
      {With(Describe(kMaximum, 1, 0, {2, 3}, {2}), {}, {MakeOwn(0, DataType::kInt32)}), "", "", "",
       "data type int32 of the output is not supported, only int64"},
  };
}

}  // namespace arg_min_max

BACKPLANE_ELEMENT_ORACLE(ArgMinMax, arg_min_max, PlainTypes::kNumbers);

}  // namespace conformance
}  // namespace backplane
