#include "test/run_stored.hpp"

#include <backplane/api/descriptors/cast.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

constexpr double kDoubleInfinity = std::numeric_limits<double>::infinity();
constexpr double kDoubleNaN = std::numeric_limits<double>::quiet_NaN();

StoredTensor Cast(const StoredTensor& input, DataType to) {
  CastDescriptor descriptor;
  descriptor.to = to;
  return RunStored(LayerType::kCast, descriptor, {input}, TensorInfo(input.info.shape, to));
}

template <typename To, typename From>
std::vector<To> Cast(DataType from, const std::vector<From>& elements, DataType to) {
  return GetStored<To>(Cast(MakeStored(from, elements), to));
}

TEST(Cast, DropsWhatIsBehindThePointAndSaturates) {
  const std::vector<double> reals = {1.9,        -1.9,  127.99, 128.0,           -128.99,
                                     -129.0,     1e300, -1e300, kDoubleInfinity, -kDoubleInfinity,
                                     kDoubleNaN, -0.0};
  EXPECT_EQ((Cast<std::int8_t>(DataType::kFloat64, reals, DataType::kInt8)),
            (std::vector<std::int8_t>{1, -1, 127, 127, -128, -128, 127, -128, 127, -128, 0, 0}));
  EXPECT_EQ((Cast<std::uint8_t>(DataType::kFloat64, reals, DataType::kUInt8)),
            (std::vector<std::uint8_t>{1, 0, 127, 128, 0, 0, 255, 0, 255, 0, 0, 0}));
}

TEST(Cast, SaturatesAtTheEndsOf64Bits) {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kGreatest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ((Cast<std::int64_t>(DataType::kFloat32, std::vector<float>{0x1p63F, -0x1p63F, 0x1p62F},
                                DataType::kInt64)),
            (std::vector<std::int64_t>{kGreatest, kLeast, std::int64_t{1} << 62}));
  EXPECT_EQ((Cast<std::uint64_t>(DataType::kFloat32, std::vector<float>{0x1p64F, -1.0F, 0x1p63F},
                                 DataType::kUInt64)),
            (std::vector<std::uint64_t>{~std::uint64_t{0}, 0, std::uint64_t{1} << 63}));
}

TEST(Cast, KeepsTheLowestBitsOfIntegers) {
  const std::vector<std::int64_t> integers = {-1, 128, 256, 511,
                                              std::numeric_limits<std::int64_t>::min()};
  EXPECT_EQ((Cast<std::int8_t>(DataType::kInt64, integers, DataType::kInt8)),
            (std::vector<std::int8_t>{-1, -128, 0, -1, 0}));
  EXPECT_EQ((Cast<std::uint64_t>(DataType::kInt64, integers, DataType::kUInt64)),
            (std::vector<std::uint64_t>{~std::uint64_t{0}, 128, 256, 511, std::uint64_t{1} << 63}));
}

TEST(Cast, ToBoolIsNotZero) {
  EXPECT_EQ((Cast<std::uint8_t>(DataType::kFloat32,
                                std::vector<float>{0.0F, -0.0F, 1e-40F, std::nanf(""), -3.0F},
                                DataType::kBool)),
            (std::vector<std::uint8_t>{0, 0, 1, 1, 1}));
  EXPECT_EQ((Cast<std::uint8_t>(DataType::kInt16, std::vector<std::int16_t>{0, 256, -1},
                                DataType::kBool)),
            (std::vector<std::uint8_t>{0, 1, 1}));
  EXPECT_EQ((Cast<float>(DataType::kBool, std::vector<std::uint8_t>{0, 1}, DataType::kFloat32)),
            (std::vector<float>{0.0F, 1.0F}));
}

// 1 and half of the last digit of a half: a tie, unless a much smaller part decides, which float32
// would round away.
TEST(Cast, RoundsToNarrowFloatsOnce) {
  const double above = 1.0 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ((Cast<std::uint16_t>(DataType::kFloat64,
                                 std::vector<double>{1.0 + 0x1p-11, above, 1.0 + 0x3p-11},
                                 DataType::kFloat16)),
            (std::vector<std::uint16_t>{0x3c00, 0x3c01, 0x3c02}));
  EXPECT_EQ((Cast<std::uint16_t>(DataType::kFloat64,
                                 std::vector<double>{1.0 + 0x1p-8, 1.0 + 0x1p-8 + 0x1p-40},
                                 DataType::kBFloat16)),
            (std::vector<std::uint16_t>{0x3f80, 0x3f81}));
  const std::int64_t tie = (std::int64_t{1} << 62) + (std::int64_t{1} << 54);
  EXPECT_EQ(
      (Cast<std::uint16_t>(DataType::kInt64, std::vector<std::int64_t>{tie, tie + 1, -tie - 1},
                           DataType::kBFloat16)),
      (std::vector<std::uint16_t>{0x5e80, 0x5e81, 0xde81}));
}

TEST(Cast, GivesInfinityBeyondTheGreatestFloat) {
  EXPECT_EQ((Cast<std::uint16_t>(DataType::kInt32, std::vector<std::int32_t>{65519, 65520, -70000},
                                 DataType::kFloat16)),
            (std::vector<std::uint16_t>{0x7bff, 0x7c00, 0xfc00}));
  EXPECT_EQ((Cast<float>(DataType::kFloat64, std::vector<double>{1e39, -1e39}, DataType::kFloat32)),
            (std::vector<float>{std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity()}));
  EXPECT_EQ((Cast<std::uint16_t>(DataType::kFloat64, std::vector<double>{1e300, 0x1.ffp127},
                                 DataType::kBFloat16)),
            (std::vector<std::uint16_t>{0x7f80, 0x7f80}));
}

TEST(Cast, KeepsEveryHalf) {
  std::vector<std::uint16_t> halves;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const bool is_nan = (bits & 0x7fffU) > 0x7c00U;
    halves.push_back(static_cast<std::uint16_t>(is_nan ? 0x7c00U : bits));
  }
  const StoredTensor wide = Cast(MakeStored(DataType::kFloat16, halves), DataType::kFloat64);
  EXPECT_EQ(GetStored<std::uint16_t>(Cast(wide, DataType::kFloat16)), halves);
}

TEST(Cast, TakesAnEmptyTensor) {
  EXPECT_TRUE(
      (Cast<float>(DataType::kInt8, std::vector<std::int8_t>{}, DataType::kFloat32)).empty());
}

TestLayer MakeCastLayer(DataType from, DataType output, DataType to) {
  CastDescriptor descriptor;
  descriptor.to = to;
  return TestLayer(LayerType::kCast, descriptor, {TensorInfo({2}, from)}, TensorInfo({2}, output));
}

TEST(Cast, RefusesAnOutputOfAnotherType) {
  EXPECT_EQ(GetRefusal(MakeCastLayer(DataType::kInt8, DataType::kInt16, DataType::kFloat32)),
            "the output is int16, but the descriptor says float32");
}

TEST(Cast, RefusesQuantisedTensors) {
  TestLayer layer = MakeCastLayer(DataType::kInt8, DataType::kInt16, DataType::kInt16);
  layer.inputs[0].quantization.scales = {1.0F};
  layer.outputs[0].quantization.scales = {1.0F};
  EXPECT_EQ(GetRefusal(layer),
            "input 0 is quantised; use Dequantize, Quantize or Reinterpret; the output is "
            "quantised; use Dequantize, Quantize or Reinterpret");
}

TEST(Cast, RefusesUnknownTypesAndOtherShapes) {
  TestLayer layer = MakeCastLayer(DataType{99}, DataType::kInt8, DataType::kInt8);
  layer.outputs[0].shape = {3};
  EXPECT_EQ(GetRefusal(layer),
            "data type unknown data type (99) of input 0 is not supported, only those of the "
            "Backend API; the output has shape [3], but the inputs give [2]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
