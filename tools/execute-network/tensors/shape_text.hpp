#pragma once

#include <backplane/api/tensor_info.hpp>

#include <optional>
#include <string>

namespace backplane::execute_network {

/// "1x3x224x224"; "scalar" for rank 0.
std::string ToText(const TensorShape& shape);

/// Reads what ToText writes. Nothing when the text is no shape of at most kMaxRank extents, none
/// negative.
std::optional<TensorShape> ParseShape(const std::string& text);

}  // namespace backplane::execute_network
