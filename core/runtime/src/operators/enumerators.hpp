#pragma once

#include "operators/operator_inputs.hpp"

#include <cstdint>
#include <string>

namespace backplane {

/// kInvalidDescriptor unless the value is one of the enumerators, which have the numbers from 1 to
/// that of `last`. `names` lists them for the message.
template <typename Enumeration>
void RequireEnumerator(const OperatorInputs& inputs, const std::string& field, Enumeration value,
                       Enumeration last, const std::string& names) {
  const auto number = static_cast<std::uint32_t>(value);
  if (number >= 1 && number <= static_cast<std::uint32_t>(last)) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, field + " is not known",
              "found number " + std::to_string(number) + "; expected " + names,
              "set " + field + " to one of these");
}

}  // namespace backplane
