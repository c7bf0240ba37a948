#pragma once

#include "network/graph.hpp"

#include <backplane/api/tensor_info.hpp>

#include <string>

namespace backplane {

/// Checks a tensor that a layer gives: data type known, rank and extents in range, size fits an
/// int64_t, quantisation consistent. `role` names it in messages, for example "the output".
/// Errors: DiagnosticException with kWrongDataType, kWrongRank, kWrongShape or kTensorTooLarge.
void CheckTensor(const Layer& layer, const TensorInfo& info, const std::string& role);

}  // namespace backplane
