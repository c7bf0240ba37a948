#pragma once

/// Layers and chains that do scale * x + shift, with numbers for each channel.

#include "graph/graph.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace backplane {
namespace cpuacc {

struct ChannelAffine {
  std::vector<float> scale;  // one for each channel
  std::vector<float> shift;
};

bool IsUniform(const std::vector<float>& values, float value);

/// What the node does to `input`, whose channels are along this axis, when that is all it does and
/// its constants are finite: BatchNormalization, or one operation with a constant. Empty otherwise.
std::optional<ChannelAffine> FindChannelAffine(const Graph& graph, const Node& node, TensorId input,
                                               std::uint32_t axis);

}  // namespace cpuacc
}  // namespace backplane
