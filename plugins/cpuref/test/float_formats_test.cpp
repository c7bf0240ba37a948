#include "conformance/typed_tensor.hpp"
#include "cpu_layers/float16.hpp"
#include "elements/bfloat16.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace cpuref_test {
namespace {

using cpu_layers::Float16;
using cpu_layers::ToFloat16;
using reference::BFloat16;
using reference::ToBFloat16;
using reference::ToFloat32;

constexpr std::uint32_t kNumPatterns = 0x10000U;

struct HalfFormat {
  static constexpr int kExponentBits = 5;
  static constexpr int kFractionBits = 10;
  static float Widen(std::uint16_t bits) { return ToFloat32(Float16{bits}); }
  static std::uint16_t Narrow(float value) { return ToFloat16(value).bits; }
};

struct BrainFormat {
  static constexpr int kExponentBits = 8;
  static constexpr int kFractionBits = 7;
  static float Widen(std::uint16_t bits) { return ToFloat32(BFloat16{bits}); }
  static std::uint16_t Narrow(float value) { return ToBFloat16(value).bits; }
};

template <typename Format>
class FloatFormat : public testing::Test {
 public:
  static double Decode(std::uint32_t bits) {
    return DecodeFloat(bits, Format::kExponentBits, Format::kFractionBits);
  }
  /// What follows the largest finite value; rounding to it gives infinity.
  static constexpr std::uint16_t kInfinity =
      static_cast<std::uint16_t>(((1U << Format::kExponentBits) - 1) << Format::kFractionBits);
};

using Formats = testing::Types<HalfFormat, BrainFormat>;
TYPED_TEST_SUITE(FloatFormat, Formats);

TYPED_TEST(FloatFormat, WidensEveryValueExactly) {
  for (std::uint32_t bits = 0; bits < kNumPatterns; ++bits) {
    const float value = TypeParam::Widen(static_cast<std::uint16_t>(bits));
    const double expected = TestFixture::Decode(bits);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
    } else {
      ASSERT_EQ(static_cast<double>(value), expected) << bits;
      ASSERT_EQ(std::signbit(value), bits >= 0x8000U) << bits;
    }
  }
}

TYPED_TEST(FloatFormat, NarrowsEveryValueToItself) {
  for (std::uint32_t bits = 0; bits < kNumPatterns; ++bits) {
    const auto pattern = static_cast<std::uint16_t>(bits);
    const float value = TypeParam::Widen(pattern);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(TypeParam::Widen(TypeParam::Narrow(value)))) << bits;
    } else {
      ASSERT_EQ(TypeParam::Narrow(value), pattern) << bits;
    }
  }
}

TYPED_TEST(FloatFormat, RoundsToNearestAndTiesToEven) {
  for (std::uint32_t bits = 0; bits < TestFixture::kInfinity; ++bits) {
    const auto lower = static_cast<std::uint16_t>(bits);
    const auto upper = static_cast<std::uint16_t>(bits + 1);
    // The value that would follow the largest one takes the place of infinity.
    const double below = TestFixture::Decode(lower);
    const double above = upper == TestFixture::kInfinity ? 2 * below - TestFixture::Decode(bits - 1)
                                                         : TestFixture::Decode(upper);
    const auto tie = static_cast<float>((below + above) / 2);
    const std::uint16_t even = bits % 2 == 0 ? lower : upper;
    ASSERT_EQ(TypeParam::Narrow(tie), even) << bits;
    ASSERT_EQ(TypeParam::Narrow(-tie), even | 0x8000U) << bits;
    ASSERT_EQ(TypeParam::Narrow(std::nextafter(tie, 0.0F)), lower) << bits;
    ASSERT_EQ(TypeParam::Narrow(std::nextafter(tie, HUGE_VALF)), upper) << bits;
  }
}

TYPED_TEST(FloatFormat, BeyondTheLargestIsInfinity) {
  EXPECT_EQ(TypeParam::Narrow(HUGE_VALF), TestFixture::kInfinity);
  EXPECT_EQ(TypeParam::Narrow(-HUGE_VALF), TestFixture::kInfinity | 0x8000U);
  EXPECT_EQ(TypeParam::Narrow(std::numeric_limits<float>::max()), TestFixture::kInfinity);
}

TYPED_TEST(FloatFormat, KeepsNaNWhoseFractionIsCutOff) {
  const std::uint32_t quiet_below = 0x7f800001U;
  float value = 0.0F;
  std::memcpy(&value, &quiet_below, sizeof(value));
  EXPECT_TRUE(std::isnan(TypeParam::Widen(TypeParam::Narrow(value))));
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
