#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"
#include "conformance/window_oracle.hpp"

#include <backplane/api/descriptors/max_pooling_with_indices.hpp>

namespace backplane {
namespace conformance {
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

Descriptor MakeWindow(std::uint32_t spatial_rank, std::uint32_t kernel, std::uint32_t stride = 1,
                      std::uint32_t begin = 0, std::uint32_t end = 0) {
  Descriptor descriptor;
  descriptor.spatial_rank = spatial_rank;
  std::fill_n(descriptor.kernel, kMaxSpatialRank, kernel);
  std::fill_n(descriptor.strides, kMaxSpatialRank, stride);
  std::fill_n(descriptor.pads_begin, kMaxSpatialRank, begin);
  std::fill_n(descriptor.pads_end, kMaxSpatialRank, end);
  return descriptor;
}

Descriptor ByColumns(Descriptor descriptor) {
  descriptor.index_order = IndexOrder::kColumnMajor;
  return descriptor;
}

LayerCase Describe(const Descriptor& descriptor, const TensorShape& input,
                   const TensorShape& output) {
  LayerCase layer = MakeCase(LayerType::kMaxPoolingWithIndices, descriptor, {input}, output);
  layer.outputs.push_back(output);
  return With(layer, {}, {MakeOwn(1, DataType::kInt64)});
}

/// Rows long enough for vectorised loops, and few different numbers, so that many are equal.
EdgeCase MakeLongRows(Random& random) {
  Descriptor descriptor = MakeWindow(2, 1, 1, 1, 1);
  TensorShape input = {1, 1};
  TensorShape output = {1, 1};
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    descriptor.kernel[axis] = random.Word(2, 4);
    descriptor.strides[axis] = random.Word(1, 3);
    descriptor.dilations[axis] = random.Word(1, 2);
    const std::int64_t span = (descriptor.kernel[axis] - 1) * descriptor.dilations[axis] + 1;
    input.Append(random.Integer(9, 70));
    output.Append((input[axis + 2] + 2 - span) / descriptor.strides[axis] + 1);
  }
  LayerCase layer = Describe(descriptor, input, output);
  layer.own_inputs = {{0, DataType::kFloat32, 0, 5}};
  layer.own_outputs.push_back(MakeOwn(0, DataType::kFloat32));
  return {layer};
}

std::vector<EdgeCase> MakeEdges() {
  const Elements image = {1, 2, 3, 4, 8, 7, 6, 5, -1, -2, -3, -4, -5, -6, -7, 0};
  const Elements twelve = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  std::vector<EdgeCase> edges = {
      // Indices count through the whole input, by rows or by columns from the outermost.
      {Describe(MakeWindow(2, 2, 2), {2, 1, 2, 4}, {2, 1, 1, 2}),
       {image},
       {{8, 6, -1, 0}, {4, 6, 8, 15}}},
      {Describe(ByColumns(MakeWindow(2, 2, 2)), {2, 1, 2, 4}, {2, 1, 1, 2}),
       {image},
       {{8, 6, -1, 0}, {1, 5, 8, 15}}},
      {Describe(ByColumns(MakeWindow(3, 1)), {1, 1, 2, 3, 2}, {1, 1, 2, 3, 2}),
       {twelve},
       {twelve, {0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11}}},
      // Of equal maxima the first counts, and of NaN too.
      {Describe(MakeWindow(2, 2), {1, 1, 2, 3}, {1, 1, 1, 2}),
       {{1, 5, 5, 5, 5, 1}},
       {{5, 5}, {1, 1}}},
      {Describe(MakeWindow(1, 2), {1, 1, 3}, {1, 1, 2}),
       {{-kInfinity, -kInfinity, 0}},
       {{-kInfinity, 0}, {0, 2}}},
      {Describe(MakeWindow(1, 3), {1, 1, 5}, {1, 1, 3}),
       {{9, kNaN, kNaN, 1, 2}},
       {{kNaN, kNaN, kNaN}, {1, 1, 2}}},
      // Padding has no index.
      {Describe(MakeWindow(1, 2, 1, 1, 1), {1, 1, 2}, {1, 1, 3}),
       {{-3, -4}},
       {{-3, -3, -4}, {0, 0, 1}}},
      {Describe(MakeWindow(1, 2), {0, 3, 4}, {0, 3, 3}), {{}}, {{}, {}}},
  };
  Descriptor around = MakeWindow(1, 2, 1, 1, 1);
  around.dilations[0] = 3;
  edges.push_back({Describe(around, {1, 1, 2}, {1, 1, 1}), {{4, 5}}, {{-kInfinity}, {-1}}});
  Random random(72);
  for (int round = 0; round < 15; ++round) edges.push_back(MakeLongRows(random));
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  std::vector<Descriptor> wrong(2, MakeWindow(1, 1));
  wrong[0].index_order = IndexOrder{3};
  wrong[1].rounding = OutputRounding{7};
  LayerCase other = Describe(MakeWindow(1, 2), {1, 1, 4}, {1, 1, 3});
  other.outputs[1] = {1, 1, 4};
  const LayerCase narrow =
      With(Describe(MakeWindow(1, 2), {1, 1, 4}, {1, 1, 3}), {}, {MakeOwn(1, DataType::kInt32)});
  return {
      {Describe(wrong[0], {1, 1, 1}, {1, 1, 1}), "invalid-descriptor", "number 3",
       "RowMajor or ColumnMajor",
       "index order 3 is not supported, only RowMajor (1) and ColumnMajor (2)"},
      {Describe(wrong[1], {1, 1, 1}, {1, 1, 1}), "invalid-descriptor", "number 7",
       "Floor or Ceiling", "output rounding 7 is not supported, only Floor (1) and Ceiling (2)"},
      {Describe(MakeWindow(1, 5), {1, 1, 4}, {1, 1, 0}), "wrong-shape", "spans 5", "at most 4", ""},
      {Describe(MakeWindow(2, 1), {1, 4, 4}, {1, 4, 4}), "wrong-rank", "float32 [1, 4, 4]",
       "rank 4", "input 0 has rank 3, but must have rank 4 for spatial rank 2"},
      {other, "", "", "", "output 1 has shape [1, 1, 4], but the inputs give [1, 1, 3]"},
      {narrow, "", "", "", "data type int32 of output 1 is not supported, only int64"},
  };
}

}  // namespace max_pooling_with_indices

BACKPLANE_ORACLE(MaxPoolingWithIndices, max_pooling_with_indices, PlainTypes::kNumbers,
                 QuantisedTypes::kInRange);

}  // namespace conformance
}  // namespace backplane
