#include "operators/normalization.hpp"

#include <cmath>

namespace backplane {

void RequireEpsilon(const OperatorInputs& inputs, float epsilon) {
  if (std::isfinite(epsilon) && epsilon >= 0.0F) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "epsilon is out of range",
              "found " + std::to_string(epsilon) + "; expected a finite number of 0 or more",
              "set epsilon, usually to 1e-5");
}

void RequireFinite(const OperatorInputs& inputs, const char* field, float value) {
  if (std::isfinite(value)) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, std::string(field) + " is not finite",
              "found " + std::to_string(value) + "; expected a finite number",
              std::string("set ") + field + " to a finite number");
}

void RequireEntryPerChannel(const OperatorInputs& inputs, std::size_t input, const char* role,
                            std::uint32_t axis) {
  inputs.RequireRank(input, role, 1, "[C]");
  inputs.RequireExtent(input, role, 0, inputs[0].shape[axis], "the channels of input 0");
}

}  // namespace backplane
