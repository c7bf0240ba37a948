#include "conformance/layer_case.hpp"
#include "conformance/matrix_oracle.hpp"

#include <backplane/api/descriptors/fully_connected.hpp>

namespace backplane {
namespace conformance {
namespace fully_connected {

std::vector<LayerCase> MakeCases(Random& random) {
  FullyConnectedDescriptor descriptor;
  descriptor.transpose_weights = random.Word(0, 1);
  const TensorShape output = random.Shape(2, 1, 6);
  const std::int64_t inner = random.Integer(1, 40);
  TensorShape weights = {inner, output[1]};
  if (descriptor.transpose_weights == 1) std::swap(weights[0], weights[1]);
  std::vector<TensorShape> inputs = {{output[0], inner}, weights};
  if (random.Integer(0, 1) == 1) inputs.push_back({output[1]});
  return {MakeCase(LayerType::kFullyConnected, descriptor, inputs, output)};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const auto descriptor = layer.Get<FullyConnectedDescriptor>();
  return MultiplyWithBias(inputs, at, descriptor.transpose_weights);
}

LayerCase Describe(std::uint32_t transpose_weights, const std::vector<TensorShape>& inputs,
                   const TensorShape& output) {
  FullyConnectedDescriptor descriptor;
  descriptor.transpose_weights = transpose_weights;
  return MakeCase(LayerType::kFullyConnected, descriptor, inputs, output);
}

std::vector<EdgeCase> MakeEdges() {
  constexpr std::int64_t kInner = 65536;
  const auto scaled = [](std::size_t index, DataType type, float scale) {
    return MakeOwn(index, type, {scale});
  };
  return {
      {WithWhole(Describe(0, {{3, 70}, {70, 20}, {20}}, {3, 20}))},
      {WithWhole(Describe(1, {{3, 70}, {20, 70}}, {3, 20}))},
      // No elements in a row give the bias.
      {Describe(0, {{2, 0}, {0, 2}, {2}}, {2, 2}), {{}, {}, {1, 2}}, {{1, 2, 1, 2}}},
      {Describe(1, {{2, 0}, {2, 0}}, {2, 2}), {{}, {}}, {Elements(4)}},
      {Describe(0, {{0, 3}, {3, 2}}, {0, 2}), {{}, Elements(6)}, {{}}},
      // 65536 * 65025 is more than 2^32: less that, -33488896, nearly -31.94 * 2^20.
      {With(Describe(0, {{1, kInner}, {kInner, 1}}, {1, 1}),
            {scaled(0, DataType::kUInt8, 1), scaled(1, DataType::kUInt8, 1)},
            {scaled(0, DataType::kInt8, 0x1p20F)}),
       {Elements(kInner, 255), Elements(kInner, 255)},
       {{-32}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Describe(0, {{1, 2, 2}, {4, 1}}, {1, 1}), "wrong-rank", "float32 [1, 2, 2]",
       "rank 2, [N, K]", "input 0 has rank 3, but must have rank 2"},
      {Describe(0, {{1, 4}, {4}}, {1, 1}), "wrong-rank", "float32 [4]", "rank 2",
       "input 1 (weights) has rank 1, but must have rank 2"},
      {Describe(0, {{1, 3}, {2, 3}}, {1, 3}), "wrong-shape", "extent 2 at axis 0",
       "3, K of the input",
       "input 1 (weights) has shape [2, 3] and takes 2 elements in a row, but input 0 has 3"},
      {Describe(1, {{1, 3}, {3, 2}}, {1, 3}), "wrong-shape", "extent 2 at axis 1",
       "3, K of the input",
       "input 1 (weights) has shape [3, 2] transposed and takes 2 elements in a row, but input 0 "
       "has 3"},
      {Describe(0, {{1, 3}, {3, 7}, {3}}, {1, 7}), "wrong-shape", "extent 3 at axis 0",
       "7, M of the weights", "input 2 (bias) has shape [3], but must have [7]"},
      {Describe(0, {{1, 3}, {3, 7}, {1, 7}}, {1, 7}), "wrong-rank", "float32 [1, 7]", "rank 1, [M]",
       "input 2 (bias) has shape [1, 7], but must have [7]"},
      {Describe(5, {{1, 1}, {1, 1}}, {1, 1}), "invalid-descriptor", "found 5", "0 or 1",
       "transpose_weights is 5, but must be 0 or 1"},
      {With(Describe(0, {{1, 1}, {1, 1}, {1}}, {1, 1}), {MakeOwn(2, DataType::kFloat64)}),
       "wrong-data-type", "float64 [1]", "float32",
       "data type float64 of input 2 differs from float32 of input 0"},
  };
}

}  // namespace fully_connected

BACKPLANE_ELEMENT_ORACLE(FullyConnected, fully_connected, PlainTypes::kNumbers,
                         QuantisedTypes::kCalculated, IntegerResults::kWrap);

}  // namespace conformance
}  // namespace backplane
