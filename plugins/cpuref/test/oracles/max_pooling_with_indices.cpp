#include "test/layer_case.hpp"
#include "test/window_oracle.hpp"

#include <backplane/api/descriptors/max_pooling_with_indices.hpp>

namespace backplane {
namespace cpuref_test {
namespace max_pooling_with_indices {

using Descriptor = MaxPoolingWithIndicesDescriptor;

/// Where the maximum of a window is.
template <typename Number>
Indices FindMaximum(const Descriptor& descriptor, const NumberTensor<Number>& input,
                    const Indices& position) {
  TensorShape window = {1, 1};
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) window.Append(descriptor.kernel[i]);
  Indices greatest;
  for (std::int64_t k = 0; k < window.GetNumElements(); ++k) {
    Indices under = position;
    if (!MoveUnder(descriptor, input.shape, GetIndices(window, k), under)) continue;
    if (greatest.empty() || input.At(under) > input.At(greatest)) greatest = under;
  }
  return greatest;
}

std::int64_t GetNumber(const Descriptor& descriptor, const TensorShape& shape,
                       const Indices& indices) {
  std::int64_t number = indices[0] * shape[1] + indices[1];
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    const bool is_row_major = descriptor.index_order == IndexOrder::kRowMajor;
    const std::uint32_t axis = is_row_major ? i + 2 : shape.rank - 1 - i;
    number = number * shape[axis] + indices[axis];
  }
  return number;
}

std::vector<LayerCase> MakeCases(Random& random) {
  Descriptor descriptor;
  descriptor.spatial_rank = random.Word(1, kMaxSpatialRank);
  descriptor.index_order = static_cast<IndexOrder>(random.Word(1, 2));
  TensorShape input = {random.Integer(1, 2), random.Integer(1, 3)};
  TensorShape output = input;
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    descriptor.kernel[i] = random.Word(1, 3);
    input.Append(random.Integer(5, 7));
    output.Append(MakeRandomWindow(random, i, input[i + 2], descriptor.kernel[i], descriptor));
  }
  LayerCase layer = MakeCase(LayerType::kMaxPoolingWithIndices, descriptor, {input}, output);
  layer.outputs.push_back(output);
  layer.own_outputs = {{1, DataType::kInt64}};
  return {layer};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const auto descriptor = layer.Get<Descriptor>();
  return EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    const Indices maximum = FindMaximum(descriptor, inputs[0], at);
    if (output == 0) return inputs[0].At(maximum);
    return static_cast<Number>(GetNumber(descriptor, inputs[0].shape, maximum));
  });
}

}  // namespace max_pooling_with_indices

CPUREF_ORACLE(MaxPoolingWithIndices, max_pooling_with_indices, PlainTypes::kNumbers,
              QuantisedTypes::kInRange);

}  // namespace cpuref_test
}  // namespace backplane
