#pragma once

/// The rows of kernels.def as parameters of tests.

#include "conformance/every_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <cstddef>
#include <iterator>
#include <string>

namespace backplane {
namespace cpuacc_test {

constexpr LayerType kRows[] = {
#define CPUACC_KERNEL(name, chains) LayerType::k##name,
#define CPUACC_ELEMENTS(name) LayerType::k##name,
#include "kernels/kernels.def"
#undef CPUACC_KERNEL
#undef CPUACC_ELEMENTS
};

inline auto EveryIndexOfRows() {
  return testing::Range<std::size_t>(0, std::size(kRows));
}

inline std::string NameOfRow(const testing::TestParamInfo<std::size_t>& row) {
  return GetLayerTypeName(kRows[row.param]);
}

using conformance::FindOracle;

}  // namespace cpuacc_test
}  // namespace backplane
