#pragma once

/// Indices that are int32 or int64.

#include <backplane/api/data_type.hpp>

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Calls function(index) with an index of that type.
template <typename Function>
auto WithIndex(DataType type, Function&& function) {
  return type == DataType::kInt32 ? function(std::int32_t()) : function(std::int64_t());
}

}  // namespace cpuacc
}  // namespace backplane
