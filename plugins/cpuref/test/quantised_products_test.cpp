#include "test/convolution_oracle.hpp"
#include "test/matrix_oracle.hpp"
#include "test/quantised_operands.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>

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

// 256 * 256 products of 255 * 255 are more than 2^32.
TEST(QuantisedFullyConnected, SumsWrapAround) {
  const std::int64_t inner = 65536;
  TensorInfo a({1, inner}, DataType::kUInt8);
  a.quantization.scales = {1.0F};
  TensorInfo b({inner, 1}, DataType::kUInt8);
  b.quantization.scales = {1.0F};
  TensorInfo output({1, 1}, DataType::kInt8);
  output.quantization.scales = {0x1p20F};
  const std::vector<std::uint8_t> greatest(static_cast<std::size_t>(inner), 255);
  const StoredTensor found = RunStored(LayerType::kFullyConnected, FullyConnectedDescriptor(),
                                       {MakeStored(a, greatest), MakeStored(b, greatest)}, output);
  // 65536 * 65025 - 2^32 = -33488896, nearly -31.94 * 2^20.
  EXPECT_EQ(GetStored<std::int8_t>(found), std::vector<std::int8_t>{-32});
}

TEST(QuantisedConvolution, WithoutInputChannelsGivesTheBias) {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 1;
  TensorInfo input({1, 0, 2}, DataType::kUInt8);
  input.quantization.scales = {0.5F};
  TensorInfo weights({5, 0, 1}, DataType::kInt8);
  weights.quantization.scales = {0.5F};
  TensorInfo bias({5}, DataType::kInt32);
  bias.quantization.scales = {0.25F};
  TensorInfo output({1, 5, 2}, DataType::kUInt8);
  output.quantization.scales = {1.0F};
  const StoredTensor found =
      RunStored(LayerType::kConvolution, descriptor,
                {StoredTensor(input), StoredTensor(weights),
                 MakeStored(bias, std::vector<std::int32_t>{4, -4, 400, 2, 6})},
                output);
  EXPECT_EQ(GetStored<std::uint8_t>(found),
            (std::vector<std::uint8_t>{1, 1, 0, 0, 100, 100, 0, 0, 2, 2}));
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
