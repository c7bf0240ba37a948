#pragma once

#include "conformance/difference.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace backplane {
namespace cpuacc_test {

enum class Precision { kExact, kFast };

/// Expects what is stored to be these numbers.
template <typename Number>
void ExpectClose(const conformance::StoredTensor& found, const std::vector<Number>& expected,
                 Precision precision) {
  ASSERT_EQ(static_cast<std::size_t>(found.info.shape.GetNumElements()), expected.size());
  const auto tolerance = precision == Precision::kExact
                             ? conformance::Tolerance()
                             : conformance::GetFastTolerance(found.info.data_type);
  const auto difference = conformance::FindDifference(found, expected, tolerance);
  if (difference) ADD_FAILURE() << ToText(*difference);
}

}  // namespace cpuacc_test
}  // namespace backplane
