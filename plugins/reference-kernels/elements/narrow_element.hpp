#pragma once

/// Conversions of elements of narrow types, as CastDescriptor defines them. They are stored in a
/// byte each.

#include "elements/convert_element.hpp"

#include <backplane/api/descriptors/cast.hpp>
#include <backplane/api/narrow_types.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace backplane {
namespace reference {

/// Calls convert(number) with what the byte stands for: int or float.
template <typename Convert>
auto VisitNarrowElement(DataType type, std::uint8_t bits, Convert&& convert) {
  if (IsNarrowFloat(type)) return convert(DecodeNarrowFloat(type, bits));
  return convert(DecodeNarrowInteger(type, bits));
}

template <typename Number>
std::uint8_t ToNarrowInteger(DataType type, Number number) {
  if constexpr (std::is_integral<Number>::value) {
    return EncodeNarrowInteger(type, static_cast<std::uint64_t>(number));
  } else {
    const int whole = std::clamp(Truncate<int>(number), GetLeastNarrowInteger(type),
                                 GetGreatestNarrowInteger(type));
    return EncodeNarrowInteger(type, static_cast<std::uint64_t>(whole));
  }
}

/// A number that rounds to the same narrow float.
template <typename Number>
double GetRoundableDouble(Number number) {
  if constexpr (!std::is_integral<Number>::value) {
    return static_cast<double>(number);
  } else if constexpr (std::is_signed<Number>::value) {
    return RoundToOdd(static_cast<std::int64_t>(number));
  } else {
    return RoundToOdd(static_cast<std::uint64_t>(number));
  }
}

/// The byte of an element of the type that `cast` says.
template <typename From>
std::uint8_t ToNarrowElement(const CastDescriptor& cast, From element) {
  const auto number = GetNumber(element);
  if (!IsNarrowFloat(cast.to)) return ToNarrowInteger(cast.to, number);
  return EncodeNarrowFloat(cast.to, GetRoundableDouble(number), cast.overflow, cast.scale_rounding);
}

}  // namespace reference
}  // namespace backplane
