#include "test/axis_oracle.hpp"

#include <backplane/api/descriptors/top_k.hpp>

#include <algorithm>
#include <numeric>

namespace backplane {
namespace cpuref_test {
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

}  // namespace top_k

CPUREF_ORACLE(TopK, top_k, PlainTypes::kNumbers, QuantisedTypes::kInRange);

}  // namespace cpuref_test
}  // namespace backplane
