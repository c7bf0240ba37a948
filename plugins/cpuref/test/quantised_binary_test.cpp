#include "test/quantised_operands.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

#include <algorithm>

namespace backplane {
namespace cpuref_test {
namespace {

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

TensorInfo Plain(DataType type, float scale, std::int32_t zero_point) {
  TensorInfo info({1}, type);
  info.quantization.scales = {scale};
  info.quantization.zero_points = {zero_point};
  return info;
}

TEST(QuantisedBinary, RoundsTiesOfTheStoredNumberToEven) {
  // 1.5 * 1 + 1 = 2.5, and with the zero point 1 in it 3.5.
  const StoredTensor a = MakeStored(Plain(DataType::kUInt8, 1.5F, 0), std::vector<std::uint8_t>{1});
  const StoredTensor b = MakeStored(Plain(DataType::kUInt8, 1.0F, 0), std::vector<std::uint8_t>{1});
  const StoredTensor sum = RunStored(LayerType::kElementwiseBinary, ElementwiseBinaryDescriptor(),
                                     {a, b}, Plain(DataType::kUInt8, 1.0F, 1));
  EXPECT_EQ(GetStored<std::uint8_t>(sum), std::vector<std::uint8_t>{4});
}

TEST(QuantisedBinary, SaturatesWhateverTheScales) {
  const StoredTensor a =
      MakeStored(Plain(DataType::kInt8, 1e30F, 0), std::vector<std::int8_t>{-128});
  const StoredTensor b = MakeStored(Plain(DataType::kInt8, 1e30F, 0), std::vector<std::int8_t>{1});
  EXPECT_EQ(
      GetStored<std::int8_t>(RunStored(LayerType::kElementwiseBinary, ElementwiseBinaryDescriptor(),
                                       {a, b}, Plain(DataType::kInt8, 1e-30F, 5))),
      std::vector<std::int8_t>{-128});
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
