#pragma once

#include "elements/convert_element.hpp"

#include <backplane/api/data_type.hpp>

namespace backplane {
namespace reference {

/// Calls visit(an element) with an element of the type in which a data type is stored, and gives
/// what that gives. The data type must be one of those whose elements may be quantised.
template <typename Visit>
auto VisitQuantisedElement(DataType type, Visit&& visit) {
  switch (type) {
    case DataType::kUInt8:
      return visit(std::uint8_t{});
    case DataType::kInt16:
      return visit(std::int16_t{});
    case DataType::kUInt16:
      return visit(std::uint16_t{});
    case DataType::kInt32:
      return visit(std::int32_t{});
    default:
      return visit(std::int8_t{});
  }
}

/// The same for floats.
template <typename Visit>
auto VisitFloatElement(DataType type, Visit&& visit) {
  switch (type) {
    case DataType::kFloat16:
      return visit(Float16{});
    case DataType::kBFloat16:
      return visit(BFloat16{});
    case DataType::kFloat64:
      return visit(double{});
    default:
      return visit(float{});
  }
}

/// The same for all data types of the Backend API but the narrow ones.
template <typename Visit>
auto VisitElement(DataType type, Visit&& visit) {
  switch (type) {
    case DataType::kInt8:
    case DataType::kUInt8:
    case DataType::kInt16:
    case DataType::kUInt16:
    case DataType::kInt32:
      return VisitQuantisedElement(type, visit);
    case DataType::kUInt32:
      return visit(std::uint32_t{});
    case DataType::kInt64:
      return visit(std::int64_t{});
    case DataType::kUInt64:
      return visit(std::uint64_t{});
    case DataType::kBool:
      return visit(Bool{});
    default:
      return VisitFloatElement(type, visit);
  }
}

}  // namespace reference
}  // namespace backplane
