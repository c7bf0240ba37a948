#pragma once

#include "cpu_layers/refusal.hpp"

#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// Refuses a value that is none of the enumerators, which have the numbers from 1 to that of
/// `last`; `names` lists them with their numbers.
template <typename Enumeration>
void RequireEnumerator(const char* what, Enumeration value, Enumeration last, const char* names,
                       Refusal& refusal) {
  const auto number = static_cast<std::uint32_t>(value);
  if (number >= 1 && number <= static_cast<std::uint32_t>(last)) return;
  refusal.Add(what, " ", number, " is not supported, only ", names);
}

}  // namespace cpu_layers
}  // namespace backplane
