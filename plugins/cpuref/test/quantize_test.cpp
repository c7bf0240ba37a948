#include "test/limits.hpp"
#include "test/run_stored.hpp"

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

TensorInfo MakeOutput(const TensorShape& shape, DataType type, const std::vector<float>& scales,
                      const std::vector<std::int32_t>& zero_points, std::int32_t axis = 0) {
  TensorInfo info(shape, type);
  info.quantization.scales = scales;
  info.quantization.zero_points = zero_points;
  info.quantization.axis = axis;
  return info;
}

template <typename Stored>
std::vector<Stored> Quantize(const std::vector<float>& reals, const TensorInfo& output) {
  return GetStored<Stored>(
      RunStored(LayerType::kQuantize, NoDescriptor(),
                {MakeStored(TensorInfo(output.shape, DataType::kFloat32), reals)}, output));
}

TEST(Quantize, RoundsTiesToEvenBeforeTheZeroPoint) {
  EXPECT_EQ(Quantize<std::uint8_t>({0.25F, 0.75F, 1.25F, -0.25F, -0.75F},
                                   MakeOutput({5}, DataType::kUInt8, {0.5F}, {7})),
            (std::vector<std::uint8_t>{7, 9, 9, 7, 5}));
}

TEST(Quantize, SaturatesAndTakesNaNForZero) {
  const std::vector<float> reals = {1e30F, -1e30F, kInfinity, -kInfinity, kNaN, 127.4F};
  EXPECT_EQ(Quantize<std::int8_t>(reals, MakeOutput({6}, DataType::kInt8, {1.0F}, {3})),
            (std::vector<std::int8_t>{127, -128, 127, -128, 3, 127}));
  EXPECT_EQ(Quantize<std::int32_t>(reals, MakeOutput({6}, DataType::kInt32, {0.5F}, {-5})),
            (std::vector<std::int32_t>{2147483647, -2147483647 - 1, 2147483647, -2147483647 - 1, -5,
                                       250}));
}

// A little more than a tie, which float32 does not tell from one.
TEST(Quantize, DividesInTheTypeOfTheInput) {
  const float scale = 0.2F;
  const TensorInfo output = MakeOutput({1}, DataType::kInt16, {scale}, {0});
  const auto real = static_cast<double>(scale) * 0.5 * (1.0 + 0x1p-30);
  EXPECT_EQ(GetStored<std::int16_t>(
                RunStored(LayerType::kQuantize, NoDescriptor(),
                          {MakeStored(DataType::kFloat64, std::vector<double>{real})}, output)),
            std::vector<std::int16_t>{1});
  EXPECT_EQ(Quantize<std::int16_t>({static_cast<float>(real)}, output),
            std::vector<std::int16_t>{0});
}

TEST(Quantize, HasScalesAlongAnyAxis) {
  const std::vector<float> reals = {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F};
  EXPECT_EQ(Quantize<std::uint8_t>(reals,
                                   MakeOutput({3, 2}, DataType::kUInt8, {1.0F, 0.5F}, {0, 100}, 1)),
            (std::vector<std::uint8_t>{1, 104, 3, 108, 5, 112}));
  EXPECT_EQ(Quantize<std::uint8_t>(
                reals, MakeOutput({3, 2}, DataType::kUInt8, {1.0F, 0.5F, 0.25F}, {}, 0)),
            (std::vector<std::uint8_t>{1, 2, 6, 8, 20, 24}));
}

TEST(Quantize, TakesZeroPointsThatTheTypeDoesNotHave) {
  EXPECT_EQ(Quantize<std::uint8_t>({0.0F, -100.0F, kNaN},
                                   MakeOutput({3}, DataType::kUInt8, {1.0F}, {300})),
            (std::vector<std::uint8_t>{255, 200, 255}));
}

TEST(Quantize, TakesNarrowFloatsInLongRuns) {
  const std::vector<std::uint16_t> ones(1000, 0x3c00);
  EXPECT_EQ(GetStored<std::uint8_t>(RunStored(LayerType::kQuantize, NoDescriptor(),
                                              {MakeStored(DataType::kFloat16, ones)},
                                              MakeOutput({1000}, DataType::kUInt8, {0.125F}, {1}))),
            std::vector<std::uint8_t>(1000, 9));
}

TEST(Quantize, TakesAnEmptyTensor) {
  EXPECT_TRUE(Quantize<std::int8_t>({}, MakeOutput({0, 3}, DataType::kInt8, {1.0F}, {})).empty());
}

TestLayer MakeQuantizeLayer(const TensorInfo& input, const TensorInfo& output) {
  return TestLayer(LayerType::kQuantize, NoDescriptor(), {input}, output);
}

TEST(Quantize, RefusesAnOutputWithoutScales) {
  EXPECT_EQ(GetRefusal(MakeQuantizeLayer(TensorInfo({2}, DataType::kFloat32),
                                         TensorInfo({2}, DataType::kInt8))),
            "the output has no scale, but needs one");
}

TEST(Quantize, RefusesTypesThatAreNotQuantised) {
  EXPECT_EQ(GetRefusal(MakeQuantizeLayer(TensorInfo({2}, DataType::kInt8),
                                         MakeOutput({2}, DataType::kInt64, {1.0F}, {}))),
            "data type int8 of input 0 is not supported, only float32, float16, bfloat16, float64; "
            "data type int64 of the output is not supported, only int8, uint8, int16, uint16, "
            "int32");
}

TEST(Quantize, RefusesScalesThatDoNotFitAndOtherShapes) {
  EXPECT_EQ(GetRefusal(MakeQuantizeLayer(TensorInfo({3}, DataType::kFloat32),
                                         MakeOutput({2}, DataType::kInt8, {1.0F, 1.0F, 1.0F}, {}))),
            "the output has 3 scales along axis 0, which do not fit the shape [2]; the output has "
            "shape [2], but the inputs give [3]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
