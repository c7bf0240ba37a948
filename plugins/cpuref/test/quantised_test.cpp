#include "conformance/convolution_oracle.hpp"
#include "conformance/matrix_oracle.hpp"
#include "test/quantised_operands.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>

#include <algorithm>

namespace backplane {
namespace cpuref_test {
namespace {

/// The integers of all operands.
Operands<Wide> GetIntegers(const std::vector<StoredTensor>& inputs) {
  Operands<Wide> operands;
  for (const StoredTensor& input : inputs) operands.push_back(GetDifferences(input));
  return operands;
}

float GetScale(const TensorInfo& weights, std::int64_t channel) {
  const auto& scales = weights.quantization.scales;
  return scales[scales.size() == 1 ? 0 : static_cast<std::size_t>(channel)];
}

struct ConvolutionSizes {
  std::int64_t batches = 1;
  std::uint32_t groups = 1;
  std::int64_t group_channels = 1;
  std::int64_t group_filters = 1;
  TensorShape spatial;
  TensorShape kernel;
};

/// Expects a random convolution of these sizes to be right in every bit.
void ExpectExactConvolution(const ConvolutionSizes& sizes, Random& random) {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = sizes.spatial.rank;
  descriptor.groups = sizes.groups;
  TensorShape input = {sizes.batches, sizes.group_channels * sizes.groups};
  TensorShape weights = {sizes.group_filters * sizes.groups, sizes.group_channels};
  TensorShape output = {sizes.batches, weights[0]};
  for (std::uint32_t i = 0; i < sizes.spatial.rank; ++i) {
    input.Append(sizes.spatial[i]);
    weights.Append(sizes.kernel[i]);
    output.Append(MakeRandomWindow(random, i, sizes.spatial[i], sizes.kernel[i], descriptor));
  }
  const std::int64_t num_scales = random.Integer(0, 1) == 1 ? weights[0] : 1;
  std::vector<StoredTensor> inputs = {
      MakeRandomTensor(MakeQuantisedInfo(input, ChooseByte(random), random), random),
      MakeRandomTensor(MakeQuantisedInfo(weights, ChooseByte(random), num_scales, 0, random),
                       random)};
  if (random.Integer(0, 1) == 1) {
    inputs.push_back(MakeRandomBias(inputs[0].info, inputs[1].info, weights[0], random));
  }
  TensorInfo info = MakeQuantisedInfo(output, ChooseByte(random), random);
  info.quantization.scales[0] *= 40.0F * static_cast<float>(sizes.group_channels);
  const StoredTensor found = RunStored(LayerType::kConvolution, descriptor, inputs, info);
  const Operands<Wide> integers = GetIntegers(inputs);
  for (std::int64_t i = 0; i < output.GetNumElements(); ++i) {
    const Indices at = GetIndices(output, i);
    const Wide sum = Convolve(descriptor, integers, at);
    ASSERT_EQ(GetInteger(found, static_cast<std::size_t>(i)),
              Requantise(sum, inputs[0].info, GetScale(inputs[1].info, at[1]), info))
        << "element " << i;
  }
}

TEST(QuantisedConvolution, IsExactForManyFilters) {
  Random random(1);
  for (int round = 0; round < 20; ++round) {
    ExpectExactConvolution({random.Integer(1, 2),
                            random.Word(1, 2),
                            random.Integer(1, 20),
                            random.Integer(4, 9),
                            {random.Integer(6, 12), random.Integer(6, 20)},
                            {random.Integer(1, 3), random.Integer(1, 3)}},
                           random);
  }
}

TEST(QuantisedConvolution, IsExactForFewFilters) {
  Random random(2);
  for (int round = 0; round < 20; ++round) {
    ExpectExactConvolution({random.Integer(1, 2),
                            random.Word(1, 5),
                            random.Integer(1, 3),
                            random.Integer(1, 3),
                            {random.Integer(6, 12), random.Integer(6, 20)},
                            {random.Integer(1, 3), random.Integer(1, 3)}},
                           random);
  }
}

TEST(QuantisedConvolution, IsExactForFewFiltersWithManyProducts) {
  Random random(3);
  ExpectExactConvolution({1, 1, 40, 2, {6, 6}, {3, 3}}, random);
}

TEST(QuantisedConvolution, IsExactForEverySpatialRank) {
  Random random(4);
  for (int round = 0; round < 10; ++round) {
    ExpectExactConvolution({1, 1, 3, random.Integer(1, 6), {random.Integer(3, 90)}, {2}}, random);
    ExpectExactConvolution({1, 1, 2, random.Integer(1, 6), {4, 5, 6}, {2, 3, 2}}, random);
  }
}

/// Expects random matrices to be multiplied right in every bit.
void ExpectExactProduct(const TensorShape& a, const TensorShape& b, const TensorShape& output,
                        const BatchMatMulDescriptor& descriptor, Random& random) {
  const std::uint32_t axis = b.rank - (descriptor.transpose_b == 1 ? 2 : 1);
  const std::int64_t num_scales = random.Integer(0, 1) == 1 ? b[axis] : 1;
  const std::vector<StoredTensor> inputs = {
      MakeRandomTensor(MakeQuantisedInfo(a, ChooseByte(random), random), random),
      MakeRandomTensor(MakeQuantisedInfo(b, ChooseByte(random), num_scales, axis, random), random)};
  TensorInfo info = MakeQuantisedInfo(output, ChooseByte(random), random);
  info.quantization.scales[0] *= 100.0F;
  const StoredTensor found = RunStored(LayerType::kBatchMatMul, descriptor, inputs, info);
  const Operands<Wide> integers = GetIntegers(inputs);
  for (std::int64_t i = 0; i < output.GetNumElements(); ++i) {
    const Indices at = GetIndices(output, i);
    const Wide sum =
        Multiply(integers[0], integers[1], at, descriptor.transpose_a, descriptor.transpose_b);
    ASSERT_EQ(GetInteger(found, static_cast<std::size_t>(i)),
              Requantise(sum, inputs[0].info, GetScale(inputs[1].info, at.back()), info))
        << "element " << i;
  }
}

TEST(QuantisedBatchMatMul, IsExact) {
  Random random(5);
  for (int round = 0; round < 12; ++round) {
    BatchMatMulDescriptor descriptor;
    descriptor.transpose_a = random.Word(0, 1);
    descriptor.transpose_b = random.Word(0, 1);
    const std::int64_t rows = random.Integer(1, 9);
    const std::int64_t inner = random.Integer(1, 70);
    const std::int64_t columns = random.Integer(1, 140);
    TensorShape a = {2, 1, rows, inner};
    TensorShape b = {3, inner, columns};
    if (descriptor.transpose_a == 1) std::swap(a[2], a[3]);
    if (descriptor.transpose_b == 1) std::swap(b[1], b[2]);
    ExpectExactProduct(a, b, {2, 3, rows, columns}, descriptor, random);
  }
}

TEST(QuantisedBatchMatMul, IsExactForManyRows) {
  Random random(6);
  ExpectExactProduct({600, 1000}, {1000, 1}, {600, 1}, BatchMatMulDescriptor(), random);
}

TEST(QuantisedFullyConnected, IsExact) {
  Random random(7);
  for (int round = 0; round < 20; ++round) {
    FullyConnectedDescriptor descriptor;
    descriptor.transpose_weights = random.Word(0, 1);
    const TensorShape a = {random.Integer(1, 6), random.Integer(1, 50)};
    const std::int64_t columns = random.Integer(1, 100);
    TensorShape b = {a[1], columns};
    if (descriptor.transpose_weights == 1) std::swap(b[0], b[1]);
    const std::uint32_t axis = descriptor.transpose_weights == 1 ? 0 : 1;
    std::vector<StoredTensor> inputs = {
        MakeRandomTensor(MakeQuantisedInfo(a, ChooseByte(random), random), random),
        MakeRandomTensor(MakeQuantisedInfo(b, ChooseByte(random), columns, axis, random), random)};
    inputs.push_back(MakeRandomBias(inputs[0].info, inputs[1].info, columns, random));
    TensorInfo info = MakeQuantisedInfo({a[0], columns}, ChooseByte(random), random);
    info.quantization.scales[0] *= 100.0F;
    const StoredTensor found = RunStored(LayerType::kFullyConnected, descriptor, inputs, info);
    const Operands<Wide> integers = GetIntegers(inputs);
    for (std::int64_t i = 0; i < info.shape.GetNumElements(); ++i) {
      const Indices at = GetIndices(info.shape, i);
      const Wide sum = MultiplyWithBias(integers, at, descriptor.transpose_weights);
      ASSERT_EQ(GetInteger(found, static_cast<std::size_t>(i)),
                Requantise(sum, inputs[0].info, GetScale(inputs[1].info, at[1]), info))
          << "element " << i;
    }
  }
}

float ScaleOf(const TensorInfo& info) {
  return info.quantization.scales[0];
}

float ZeroPointOf(const TensorInfo& info) {
  return static_cast<float>(info.quantization.zero_points[0]);
}

/// Adds with the fused operation of the processor or the library, as the definition has it.
float Add(const TensorInfo& a, const TensorInfo& b, const TensorInfo& result, float stored_a,
          float stored_b, bool is_a_repeated) {
  const float ratio_a = ScaleOf(a) / ScaleOf(result);
  const float ratio_b = ScaleOf(b) / ScaleOf(result);
  const float fixed =
      ZeroPointOf(result) - std::fmaf(ratio_a, ZeroPointOf(a), ratio_b * ZeroPointOf(b));
  if (is_a_repeated) return std::fmaf(stored_b, ratio_b, std::fmaf(stored_a, ratio_a, fixed));
  return std::fmaf(stored_a, ratio_a, std::fmaf(stored_b, ratio_b, fixed));
}

float Multiply(const TensorInfo& a, const TensorInfo& b, const TensorInfo& result, float stored_a,
               float stored_b) {
  const float product = (stored_a - ZeroPointOf(a)) * (stored_b - ZeroPointOf(b));
  volatile float scaled = product * (ScaleOf(a) * ScaleOf(b) / ScaleOf(result));
  return scaled + ZeroPointOf(result);
}

/// Expects `a` and `b`, of which one may be a row that repeats, to be combined right in every bit.
void ExpectExact(BinaryOperation operation, const TensorShape& shape_a, const TensorShape& shape_b,
                 Random& random) {
  const TensorInfo a = MakeQuantisedInfo(shape_a, ChooseByte(random), random);
  const TensorInfo b = MakeQuantisedInfo(shape_b, ChooseByte(random), random);
  const TensorShape& full = shape_a.rank >= shape_b.rank ? shape_a : shape_b;
  TensorInfo result = MakeQuantisedInfo(full, ChooseByte(random), random);
  if (operation == BinaryOperation::kMul) {
    result.quantization.scales[0] = ScaleOf(a) * ScaleOf(b) * 97.3F;
  }
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  const std::vector<StoredTensor> inputs = {MakeRandomTensor(a, random),
                                            MakeRandomTensor(b, random)};
  const StoredTensor found = RunStored(LayerType::kElementwiseBinary, descriptor, inputs, result);
  const double least = result.data_type == DataType::kInt8 ? -128 : 0;
  const auto count = static_cast<std::size_t>(full.GetNumElements());
  for (std::size_t i = 0; i < count; ++i) {
    const auto stored_a = static_cast<float>(GetInteger(inputs[0], shape_a.rank == 0 ? 0 : i));
    const auto stored_b = static_cast<float>(GetInteger(inputs[1], shape_b.rank == 0 ? 0 : i));
    const float combined = operation == BinaryOperation::kAdd
                               ? Add(a, b, result, stored_a, stored_b, shape_a.rank == 0)
                               : Multiply(a, b, result, stored_a, stored_b);
    const double expected =
        std::fmin(std::fmax(std::nearbyint(static_cast<double>(combined)), least), least + 255);
    ASSERT_EQ(static_cast<double>(GetInteger(found, i)), expected) << "element " << i;
  }
}

TEST(QuantisedBinary, IsExact) {
  Random random(1);
  for (const BinaryOperation operation : {BinaryOperation::kAdd, BinaryOperation::kMul}) {
    for (int round = 0; round < 30; ++round) {
      const TensorShape shape = {3, random.Integer(2, 90)};
      ExpectExact(operation, shape, shape, random);
      ExpectExact(operation, shape, {}, random);
      ExpectExact(operation, {}, shape, random);
    }
  }
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
