#pragma once

#include "test/oracle.hpp"

namespace backplane {
namespace cpuref_test {

template <typename Derived>
LayerCase MakeCase(LayerType type, const Derived& descriptor, std::vector<TensorShape> inputs,
                   const TensorShape& output) {
  return {type, std::make_shared<Derived>(descriptor), std::move(inputs), {output}};
}

inline LayerCase MakeRandomActivation(Random& random, ActivationFunction function) {
  ActivationDescriptor descriptor;
  descriptor.function = function;
  descriptor.alpha = static_cast<float>(random.Integer(1, 90)) / 7.0F;
  descriptor.beta = static_cast<float>(random.Integer(-50, 0)) / 7.0F;
  const TensorShape shape = random.Shape(3, 1, 5);
  return MakeCase(LayerType::kActivation, descriptor, {shape}, shape);
}

inline LayerCase MakeRandomElementwise(Random& random, BinaryOperation operation) {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  const TensorShape full = random.Shape(3, 1, 5);
  const TensorShape repeated = {full[1], 1};
  if (random.Integer(0, 1) == 1) {
    return MakeCase(LayerType::kElementwiseBinary, descriptor, {repeated, full}, full);
  }
  return MakeCase(LayerType::kElementwiseBinary, descriptor, {full, full}, full);
}

inline LayerCase MakeRandomBatchMatMul(Random& random) {
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_a = random.Word(0, 1);
  descriptor.transpose_b = random.Word(0, 1);
  const TensorShape output = random.Shape(3, 1, 6);
  const std::int64_t inner = random.Integer(1, 40);
  TensorShape a = {output[0], output[1], inner};
  TensorShape b = {inner, output[2]};
  if (descriptor.transpose_a == 1) std::swap(a[1], a[2]);
  if (descriptor.transpose_b == 1) std::swap(b[0], b[1]);
  return MakeCase(LayerType::kBatchMatMul, descriptor, {a, b}, output);
}

inline LayerCase MakeRandomFullyConnected(Random& random) {
  FullyConnectedDescriptor descriptor;
  descriptor.transpose_weights = random.Word(0, 1);
  const TensorShape output = random.Shape(2, 1, 6);
  const std::int64_t inner = random.Integer(1, 40);
  TensorShape weights = {inner, output[1]};
  if (descriptor.transpose_weights == 1) std::swap(weights[0], weights[1]);
  std::vector<TensorShape> inputs = {{output[0], inner}, weights};
  if (random.Integer(0, 1) == 1) inputs.push_back({output[1]});
  return MakeCase(LayerType::kFullyConnected, descriptor, inputs, output);
}

inline LayerCase MakeRandomConcat(Random& random) {
  ConcatDescriptor descriptor;
  descriptor.axis = 1;
  TensorShape output = random.Shape(3, 2, 4);
  TensorShape rest = output;
  rest[1] = random.Integer(0, 3);
  const TensorShape first = output;
  output[1] += rest[1];
  return MakeCase(LayerType::kConcat, descriptor, {first, rest}, output);
}

inline LayerCase MakeRandomSoftmax(Random& random) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = random.Word(0, 2);
  const TensorShape shape = random.Shape(3, 1, 5);
  return MakeCase(LayerType::kSoftmax, descriptor, {shape}, shape);
}

/// One part may be empty.
inline LayerCase MakeRandomSplit(Random& random) {
  SplitDescriptor descriptor;
  descriptor.axis = 1;
  descriptor.num_parts = random.Word(1, 4);
  TensorShape input = random.Shape(3, 2, 4);
  input[1] = 0;
  std::vector<TensorShape> outputs(descriptor.num_parts, input);
  for (std::uint32_t part = 0; part < descriptor.num_parts; ++part) {
    descriptor.extents[part] = outputs[part][1] = random.Integer(part == 1 ? 0 : 1, 3);
    input[1] += descriptor.extents[part];
  }
  LayerCase layer = MakeCase(LayerType::kSplit, descriptor, {input}, {});
  layer.outputs = outputs;
  return layer;
}

/// Random windows that fit; their number along an axis.
template <typename WindowDescriptor>
std::int64_t MakeRandomWindow(Random& random, std::uint32_t i, std::int64_t input,
                              std::int64_t kernel, WindowDescriptor& descriptor) {
  descriptor.strides[i] = random.Word(1, 3);
  descriptor.dilations[i] = random.Word(1, 2);
  descriptor.pads_begin[i] = random.Word(0, static_cast<std::uint32_t>(kernel) - 1);
  descriptor.pads_end[i] = random.Word(0, static_cast<std::uint32_t>(kernel) - 1);
  const std::int64_t padded = input + descriptor.pads_begin[i] + descriptor.pads_end[i];
  return (padded - (kernel - 1) * descriptor.dilations[i] - 1) / descriptor.strides[i] + 1;
}

inline LayerCase MakeRandomConvolution(Random& random) {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = random.Word(1, kMaxSpatialRank);
  descriptor.groups = random.Word(1, 2);
  const std::int64_t group_channels = random.Integer(1, 4);
  TensorShape input = {random.Integer(1, 2), group_channels * descriptor.groups};
  TensorShape weights = {random.Integer(1, 3) * descriptor.groups, group_channels};
  TensorShape output = {input[0], weights[0]};
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    weights.Append(random.Integer(1, 3));
    input.Append(random.Integer(5, 7));
    output.Append(MakeRandomWindow(random, i, input[i + 2], weights[i + 2], descriptor));
  }
  std::vector<TensorShape> inputs = {input, weights};
  if (random.Integer(0, 1) == 1) inputs.push_back({weights[0]});
  return MakeCase(LayerType::kConvolution, descriptor, inputs, output);
}

inline LayerCase MakeRandomPooling(Random& random, PoolingMethod method) {
  PoolingDescriptor descriptor;
  descriptor.method = method;
  descriptor.spatial_rank = random.Word(1, kMaxSpatialRank);
  descriptor.padding_in_average =
      random.Integer(0, 1) == 1 ? PaddingInAverage::kInclude : PaddingInAverage::kExclude;
  TensorShape input = {random.Integer(1, 2), random.Integer(1, 3)};
  TensorShape output = input;
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    descriptor.kernel[i] = random.Word(1, 3);
    input.Append(random.Integer(5, 7));
    output.Append(MakeRandomWindow(random, i, input[i + 2], descriptor.kernel[i], descriptor));
  }
  return MakeCase(LayerType::kPooling, descriptor, {input}, output);
}

/// One case of each meaning of a layer type; none for a type that this does not know.
inline std::vector<LayerCase> MakeRandomCases(LayerType type, Random& random) {
  const TensorShape matrix = random.Shape(2, 1, 6);
  std::vector<LayerCase> cases;
  switch (type) {
    case LayerType::kActivation:
      for (std::uint32_t function = 1; function <= 5; ++function) {
        cases.push_back(MakeRandomActivation(random, ActivationFunction{function}));
      }
      return cases;
    case LayerType::kBatchMatMul:
      return {MakeRandomBatchMatMul(random)};
    case LayerType::kConcat:
      return {MakeRandomConcat(random)};
    case LayerType::kConvolution:
      return {MakeRandomConvolution(random)};
    case LayerType::kCopy:
      return {MakeCase(type, NoDescriptor(), {matrix}, matrix)};
    case LayerType::kElementwiseBinary:
      for (std::uint32_t operation = 1; operation <= 6; ++operation) {
        cases.push_back(MakeRandomElementwise(random, BinaryOperation{operation}));
      }
      return cases;
    case LayerType::kFullyConnected:
      return {MakeRandomFullyConnected(random)};
    case LayerType::kPooling:
      return {MakeRandomPooling(random, PoolingMethod::kMax),
              MakeRandomPooling(random, PoolingMethod::kAverage)};
    case LayerType::kReshape:
      return {MakeCase(type, ReshapeDescriptor(), {matrix}, {matrix.GetNumElements()})};
    case LayerType::kSoftmax:
      return {MakeRandomSoftmax(random)};
    case LayerType::kSplit:
      return {MakeRandomSplit(random)};
    default:
      return {};
  }
}

}  // namespace cpuref_test
}  // namespace backplane
