#pragma once

/// Means over the innermost axes, as they are written.

#include "graph/graph_editor.hpp"

#include <cstdint>
#include <optional>

namespace backplane {
namespace cpuacc {

/// mean(variable) + added, over the axes from `first_axis` on.
struct MeanMatch {
  TensorId variable = kNoTensor;
  std::uint32_t first_axis = 0;
  float added = 0.0F;
};

/// A Reduce by mean, or by sum and a division, under whatever shape. Empty when it is none, or over
/// other axes.
std::optional<MeanMatch> FindMean(const GraphEditor& editor, TensorId tensor);

/// Whether a tensor of a mean has the axes that were reduced with extent 1, so that it broadcasts
/// to the variable as it should.
bool KeepsReducedAxes(const GraphEditor& editor, TensorId tensor, const MeanMatch& mean);

}  // namespace cpuacc
}  // namespace backplane
