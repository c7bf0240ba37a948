#pragma once

/// What float32 may differ by when it is computed fast: in another order, by other formulas. All
/// else is exact.

#include "test/typed_tensor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {

using namespace cpuref_test;

enum class Precision { kExact, kFast };

/// The greatest finite magnitude.
template <typename Number>
long double FindGreatest(const std::vector<Number>& numbers) {
  long double greatest = 0.0L;
  for (const Number number : numbers) {
    const long double magnitude = std::fabs(static_cast<long double>(number));
    if (std::isfinite(magnitude)) greatest = std::max(greatest, magnitude);
  }
  return greatest;
}

/// `greatest`: of the whole tensor. Sums lose what is small beside their greatest parts.
inline void ExpectCloseFloat(float found, long double expected, long double greatest,
                             std::size_t element) {
  const auto value = static_cast<long double>(found);
  if (value == expected || (std::isnan(value) && std::isnan(expected))) return;
  EXPECT_LE(std::fabs(value - expected), 1e-5L + 1e-4L * greatest + 1e-4L * std::fabs(expected))
      << "element " << element << ": " << found << " instead of " << static_cast<double>(expected);
}

/// Expects what is stored to be these numbers.
template <typename Number>
void ExpectClose(const StoredTensor& found, const std::vector<Number>& expected,
                 Precision precision) {
  ASSERT_EQ(static_cast<std::size_t>(found.info.shape.GetNumElements()), expected.size());
  const long double greatest = FindGreatest(expected);
  for (std::size_t i = 0; i < expected.size() && !testing::Test::HasFailure(); ++i) {
    const auto real = static_cast<long double>(expected[i]);
    if (found.info.quantization.IsQuantized()) {
      ExpectQuantized(found, i, real);
    } else if (!IsFloat(found.info.data_type)) {
      ExpectInteger(found, i, expected[i]);
    } else if (precision == Precision::kExact) {
      const double value = GetFloat(found, i);
      if (std::isnan(value) && std::isnan(real)) continue;
      EXPECT_EQ(value, static_cast<double>(real)) << "element " << i;
    } else if (found.info.data_type == DataType::kFloat32) {
      ExpectCloseFloat(static_cast<float>(GetFloat(found, i)), real, greatest, i);
    } else {
      ExpectFloat(found, i, real);
    }
  }
}

}  // namespace cpuacc_test
}  // namespace backplane
