#include "conformance/typed_tensor.hpp"
#include "simd/simd.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using cpuacc::InstructionSet;

class Halves : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    const cpuacc::SimdFunctions* functions = cpuacc::FindSimdFunctions(GetParam());
    if (functions == nullptr) GTEST_SKIP() << "this processor lacks the instruction set";
    halves_ = &functions->halves;
  }

  const cpuacc::HalfFunctions* halves_ = nullptr;
};

std::vector<std::uint16_t> ListAll() {
  std::vector<std::uint16_t> all;
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    all.push_back(static_cast<std::uint16_t>(bits));
  }
  return all;
}

TEST_P(Halves, AreWidenedExactly) {
  const std::vector<std::uint16_t> all = ListAll();
  std::vector<float> wide(all.size());
  halves_->widen_float16(all.data(), wide.data(), static_cast<std::int64_t>(all.size()));
  for (const std::uint16_t bits : all) {
    const double expected = conformance::DecodeFloat(bits, 5, 10);
    const auto found = static_cast<double>(wide[bits]);
    ASSERT_TRUE(found == expected || (std::isnan(found) && std::isnan(expected))) << bits;
    ASSERT_EQ(std::signbit(found), (bits & 0x8000U) != 0) << bits;
  }
  halves_->widen_bfloat16(all.data(), wide.data(), static_cast<std::int64_t>(all.size()));
  for (const std::uint16_t bits : all) {
    const double expected = conformance::DecodeFloat(bits, 8, 7);
    const auto found = static_cast<double>(wide[bits]);
    ASSERT_TRUE(found == expected || (std::isnan(found) && std::isnan(expected))) << bits;
  }
}

/// Numbers that are halves, those in the middle between two, those beside, and any.
std::vector<float> ListNumbers(std::uint32_t low_bits) {
  std::vector<float> numbers;
  std::mt19937 random(1);
  const auto add = [&numbers](std::uint32_t bits) {
    float number = 0.0F;
    std::memcpy(&number, &bits, sizeof(number));
    numbers.push_back(number);
  };
  for (int i = 0; i < 40000; ++i) {
    const std::uint32_t bits = static_cast<std::uint32_t>(random());
    const std::uint32_t middle = (bits & ~((2U << low_bits) - 1U)) | (1U << low_bits);
    for (const std::uint32_t number : {bits, middle - 1, middle, middle + 1}) add(number);
  }
  for (const float number : {0.0F, -0.0F, 65504.0F, 65519.99F, 65520.0F, 1e30F, 0x1p-24F, 0x1p-25F,
                             0x1.000002p-25F, 0x1p-149F, 3.4e38F}) {
    numbers.push_back(number);
    numbers.push_back(-number);
  }
  numbers.push_back(std::numeric_limits<float>::infinity());
  numbers.push_back(std::numeric_limits<float>::quiet_NaN());
  return numbers;
}

/// No half is nearer, and of two as near the even one is taken.
void ExpectNearest(float number, std::uint16_t found, int exponent_bits, int fraction_bits) {
  const auto decode = [&](std::uint32_t bits) {
    return conformance::DecodeFloat(bits & 0x7fffU, exponent_bits, fraction_bits);
  };
  ASSERT_EQ(std::signbit(number), (found & 0x8000U) != 0);
  const double size = std::fabs(static_cast<double>(number));
  if (std::isnan(number)) {
    ASSERT_TRUE(std::isnan(decode(found)));
    return;
  }
  const std::uint32_t infinity = ((1U << exponent_bits) - 1U) << fraction_bits;
  const double last = decode(infinity - 1);
  const double beyond = last + (last - decode(infinity - 2)) / 2;
  if (size >= beyond) {
    ASSERT_EQ(found & 0x7fffU, infinity);
    return;
  }
  ASSERT_LT(found & 0x7fffU, infinity);
  const double distance = std::fabs(decode(found) - size);
  for (const std::uint32_t other : {found + 1U, found - 1U}) {
    if ((other & 0x7fffU) >= infinity) continue;
    const double there = std::fabs(decode(other) - size);
    ASSERT_TRUE(distance < there || (distance == there && (found & 1U) == 0));
  }
}

TEST_P(Halves, AreTheNearest) {
  for (const bool is_brain : {false, true}) {
    const int exponent_bits = is_brain ? 8 : 5;
    const int fraction_bits = is_brain ? 7 : 10;
    const std::vector<float> numbers = ListNumbers(static_cast<std::uint32_t>(22 - fraction_bits));
    std::vector<std::uint16_t> narrow(numbers.size());
    const auto convert = is_brain ? halves_->narrow_bfloat16 : halves_->narrow_float16;
    convert(numbers.data(), narrow.data(), static_cast<std::int64_t>(numbers.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      SCOPED_TRACE(numbers[i]);
      ExpectNearest(numbers[i], narrow[i], exponent_bits, fraction_bits);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(CpuAcc, Halves,
                         testing::Values(InstructionSet::kBaseline, InstructionSet::kAvx2,
                                         InstructionSet::kAvx512));

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
