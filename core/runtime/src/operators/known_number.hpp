#pragma once

#include "operators/operator_inputs.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace backplane {

/// kInvalidDescriptor unless the value of a field is one of those that its enumeration has.
/// `expected` lists these as users write them: "Upper or Lower".
template <typename Enumeration>
void RequireKnown(const OperatorInputs& inputs, const std::string& field, Enumeration value,
                  std::initializer_list<Enumeration> known, const char* expected) {
  if (std::find(known.begin(), known.end(), value) != known.end()) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, field + " is not known",
              "found number " + std::to_string(static_cast<std::uint32_t>(value)) + "; expected " +
                  expected,
              "set " + field + " to one of these");
}

}  // namespace backplane
