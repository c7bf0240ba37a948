#include "conformance/axis_oracle.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/top_k.hpp>

#include <algorithm>
#include <numeric>

namespace backplane {
namespace conformance {
namespace top_k {

/// The indices along the axis, the best first.
template <typename Number>
std::vector<std::size_t> Rank(const std::vector<Number>& elements, bool prefers_largest) {
  std::vector<std::size_t> indices(elements.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  std::sort(indices.begin(), indices.end(), [&](std::size_t a, std::size_t b) {
    if (elements[a] == elements[b]) return a < b;
    return prefers_largest ? elements[a] > elements[b] : elements[a] < elements[b];
  });
  return indices;
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const std::uint32_t largest : {0U, 1U}) {
    TopKDescriptor descriptor;
    descriptor.axis = random.Word(0, 2);
    descriptor.largest = largest;
    descriptor.is_sorted = random.Word(0, 1);
    const TensorShape input = random.Shape(3, 2, 7);
    descriptor.k = random.Integer(1, input[descriptor.axis]);
    TensorShape output = input;
    output[descriptor.axis] = descriptor.k;
    LayerCase layer = MakeCase(LayerType::kTopK, descriptor, {input}, output);
    layer.outputs.push_back(output);
    layer.own_outputs = {{1, DataType::kInt64}};
    cases.push_back(layer);
  }
  return cases;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const auto descriptor = layer.Get<TopKDescriptor>();
  return EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    const std::vector<Number> elements = CollectAlong(inputs[0], at, descriptor.axis);
    const auto position = static_cast<std::size_t>(at[descriptor.axis]);
    const std::size_t index = Rank(elements, descriptor.largest == 1)[position];
    return output == 0 ? elements[index] : static_cast<Number>(index);
  });
}

LayerCase Take(std::int64_t k, std::uint32_t largest, std::uint32_t axis, const TensorShape& input,
               std::uint32_t is_sorted = 1) {
  TopKDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.largest = largest;
  descriptor.is_sorted = is_sorted;
  descriptor.k = k;
  TensorShape output = input;
  if (axis < input.rank) output[axis] = std::max<std::int64_t>(k, 0);
  LayerCase layer = MakeCase(LayerType::kTopK, descriptor, {input}, output);
  layer.outputs.push_back(output);
  layer.own_outputs = {MakeOwn(1, DataType::kInt64)};
  return layer;
}

EdgeCase Choose(std::int64_t k, std::uint32_t largest, const Elements& elements,
                const Elements& indices) {
  Elements values;
  for (const long double index : indices) {
    values.push_back(elements[static_cast<std::size_t>(index)]);
  }
  return {Take(k, largest, 0, {static_cast<std::int64_t>(elements.size())}),
          {elements},
          {values, indices}};
}

std::vector<EdgeCase> MakeEdges() {
  const Elements ties = {1, 2, 1, 2, 2, 1, -0.0L, 0};
  const Elements numbers = {kNaN, kInfinity, -kInfinity, kNaN, 1};
  std::vector<EdgeCase> edges = {
      // Of equal elements the lower index comes first, and NaN is larger than everything.
      Choose(5, 1, ties, {1, 3, 4, 0, 2}),
      Choose(5, 0, ties, {6, 7, 0, 2, 5}),
      Choose(5, 1, numbers, {0, 3, 1, 4, 2}),
      Choose(5, 0, numbers, {2, 4, 1, 0, 3}),
      Choose(2, 0, numbers, {2, 4}),
      {As(DataType::kInt64, Take(2, 1, 0, {3})),
       {{kMost - 1, kMost, kLeast}},
       {{kMost, kMost - 1}, {1, 0}}},
      {Take(0, 1, 0, {0}), {{}}, {{}, {}}},
      {Take(0, 1, 0, {3, 5}), {Elements(15)}, {{}, {}}},
  };
  for (const std::uint32_t axis : {0U, 1U}) {
    for (const std::int64_t k : {1, 2, 9, 30}) edges.push_back({Take(k, axis, axis, {30, 30})});
  }
  return edges;
}

/// Of 3 elements.
RefusedCase RefuseCount(std::int64_t k, const std::string& reason) {
  return {Take(k, 1, 0, {3}), "invalid-descriptor", "found " + std::to_string(k) + ";",
          "0 to 3, the extent at axis 0", reason};
}

std::vector<RefusedCase> MakeRefused() {
  return {
      RefuseCount(-1,
                  "k is -1, but must be 0 to 3, the extent of axis 0; output 0 has shape [0], but "
                  "the inputs give [-1]; output 1 has shape [0], but the inputs give [-1]"),
      RefuseCount(4, "k is 4, but must be 0 to 3, the extent of axis 0"),
      RefuseCount(kMost,
                  "output 0 has shape [9223372036854775807], but extents must be 0 or more and the "
                  "size must fit 63 bits; output 1 has shape [9223372036854775807], but extents "
                  "must be 0 or more and the size must fit 63 bits"),
      {Take(1, 1, 2, {3, 5}), "invalid-descriptor", "axis 2", "less than 2",
       "axis 2 is outside of rank 2 of input 0"},
      {Take(1, 1, 0, {}), "wrong-rank", "float32 []", "rank 1 or more",
       "axis 0 is outside of rank 0 of input 0"},
      {Take(1, 2, 0, {3}), "invalid-descriptor", "found 2", "0 or 1",
       "largest is 2, but must be 0 or 1"},
      {Take(1, 1, 0, {3}, 3), "invalid-descriptor", "found 3", "0 or 1",
       "is_sorted is 3, but must be 0 or 1"},
  };
}

}  // namespace top_k

BACKPLANE_ORACLE(TopK, top_k, PlainTypes::kNumbers, QuantisedTypes::kInRange);

}  // namespace conformance
}  // namespace backplane
