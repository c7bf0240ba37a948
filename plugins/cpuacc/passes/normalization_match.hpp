#pragma once

/// Normalisations over the innermost axes, as they are written.

#include "graph/graph_editor.hpp"

#include <cstdint>
#include <optional>

namespace backplane {
namespace cpuacc {

/// x, less its mean over the innermost axes from `axis` on, divided by sqrt(variance + epsilon).
struct NormalizationMatch {
  TensorId variable = kNoTensor;
  std::uint32_t axis = 0;
  float epsilon = 0.0F;
  TensorId scale = kNoTensor;  // a constant that the quotient is multiplied with already
};

/// The normalisation that a node ends; empty when it ends none.
std::optional<NormalizationMatch> FindNormalization(const GraphEditor& editor, const Node& node);

}  // namespace cpuacc
}  // namespace backplane
