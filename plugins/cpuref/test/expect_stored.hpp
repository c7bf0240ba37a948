#pragma once

#include "conformance/difference.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace backplane {
namespace cpuref_test {

/// Expects what is stored to be these numbers: floats nearly, integers exactly but for what wraps.
template <typename Number>
void ExpectStored(const conformance::StoredTensor& found, const std::vector<Number>& expected) {
  ASSERT_EQ(static_cast<std::size_t>(found.info.shape.GetNumElements()), expected.size());
  const auto difference = conformance::FindDifference(
      found, expected, conformance::GetReferenceTolerance(found.info.data_type));
  if (difference) ADD_FAILURE() << ToText(*difference);
}

}  // namespace cpuref_test
}  // namespace backplane
