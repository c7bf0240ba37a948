#pragma once

#include <backplane/api/data_type.hpp>

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Calls visit(0) with 0 of the integer type: int8, uint8, int32 or int64.
template <typename Visit>
auto VisitIntegers(DataType type, const Visit& visit) {
  switch (type) {
    case DataType::kInt8:
      return visit(std::int8_t{0});
    case DataType::kUInt8:
      return visit(std::uint8_t{0});
    case DataType::kInt32:
      return visit(std::int32_t{0});
    default:
      return visit(std::int64_t{0});
  }
}

}  // namespace cpuacc
}  // namespace backplane
