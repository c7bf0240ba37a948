#pragma once

#include "operators/operator_inputs.hpp"

#include <cstdint>

namespace backplane {

/// What operators that normalize have in common.

/// kInvalidDescriptor unless it is finite and not negative.
void RequireEpsilon(const OperatorInputs& inputs, float epsilon);

/// kInvalidDescriptor unless it is finite.
void RequireFinite(const OperatorInputs& inputs, const char* field, float value);

/// kWrongRank and kWrongShape unless the input is a vector with an entry for each channel of the
/// first input, which has them along `axis`.
void RequireEntryPerChannel(const OperatorInputs& inputs, std::size_t input, const char* role,
                            std::uint32_t axis);

}  // namespace backplane
