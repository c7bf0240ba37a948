#include "tensors/elements.hpp"

#include "tensors/float_formats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace backplane::execute_network::test {
namespace {

using testing::ElementsAre;

std::vector<double> WriteAndRead(DataType type, const std::vector<double>& values) {
  const auto count = static_cast<std::int64_t>(values.size());
  onnx::NamedTensor tensor{"", {{count}, type}, {}};
  tensor.data.resize(tensor.info.GetSizeBytes());
  for (std::size_t i = 0; i < values.size(); ++i) WriteElement(values[i], i, tensor);
  return ReadElements(tensor);
}

TEST(Elements, OfIntegersAreRoundedToEvenAndSaturate) {
  const std::vector<double> values = {0.5, 1.5, -0.5, 300, -300, NAN, INFINITY, -INFINITY};
  EXPECT_THAT(WriteAndRead(DataType::kInt8, values), ElementsAre(0, 2, 0, 127, -128, 0, 127, -128));
  EXPECT_THAT(WriteAndRead(DataType::kUInt8, values), ElementsAre(0, 2, 0, 255, 0, 0, 255, 0));
  EXPECT_THAT(WriteAndRead(DataType::kInt64, {1e300, -1e300, 3}),
              ElementsAre(9223372036854775807.0, -9223372036854775808.0, 3));
  EXPECT_THAT(WriteAndRead(DataType::kUInt64, {1e300, -1, 3}),
              ElementsAre(18446744073709551615.0, 0, 3));
}

TEST(Elements, OfBoolAreZeroOrOne) {
  EXPECT_THAT(WriteAndRead(DataType::kBool, {0, 0.25, -7}), ElementsAre(0, 1, 1));
}

TEST(Elements, OfFloatsKeepTheirValue) {
  for (const DataType type :
       {DataType::kFloat32, DataType::kFloat64, DataType::kFloat16, DataType::kBFloat16}) {
    EXPECT_THAT(WriteAndRead(type, {0, -1.5, 96, INFINITY, -INFINITY}),
                ElementsAre(0, -1.5, 96, INFINITY, -INFINITY));
    EXPECT_TRUE(std::isnan(WriteAndRead(type, {NAN})[0]));
  }
}

// Of every value, its bits.
TEST(FloatFormats, ComeBackFromTheirValues) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    EXPECT_TRUE(std::isnan(FromFloat16(half)) || ToFloat16(FromFloat16(half)) == half) << bits;
    EXPECT_TRUE(std::isnan(FromBFloat16(half)) || ToBFloat16(FromBFloat16(half)) == half) << bits;
  }
}

// Half-way between neighbours the even one, and a little beside it the nearer.
template <typename From, typename To>
void ExpectRounding(From from, To to, std::uint16_t infinity) {
  for (std::uint16_t bits = 0; bits + 1 < infinity; ++bits) {
    const auto next = static_cast<std::uint16_t>(bits + 1);
    const double middle = (from(bits) + from(next)) / 2;
    const std::uint16_t even = bits % 2 == 0 ? bits : next;
    ASSERT_EQ(to(middle), even) << bits;
    ASSERT_EQ(to(std::nextafter(middle, 0)), bits) << bits;
    ASSERT_EQ(to(std::nextafter(middle, INFINITY)), next) << bits;
  }
}

TEST(FloatFormats, AreRoundedToTheNearest) {
  ExpectRounding(FromFloat16, ToFloat16, 0x7C00);
  ExpectRounding(FromBFloat16, ToBFloat16, 0x7F80);
}

TEST(FloatFormats, OfWhatIsTooLargeAreInfinite) {
  EXPECT_EQ(ToFloat16(65519), 0x7BFF);
  EXPECT_EQ(ToFloat16(65520), 0x7C00);
  EXPECT_EQ(ToFloat16(-1e30), 0xFC00);
  EXPECT_EQ(ToBFloat16(1e300), 0x7F80);
}

}  // namespace
}  // namespace backplane::execute_network::test
