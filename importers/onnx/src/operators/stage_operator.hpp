#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace backplane::onnx {

enum class StageOperatorKind : std::uint8_t { kChoice, kControl, kSequence };

/// Nothing for an operator that is no operation between stages. `domain` is normalised.
std::optional<StageOperatorKind> FindStageOperator(const std::string& domain,
                                                   const std::string& op_type);

}  // namespace backplane::onnx
