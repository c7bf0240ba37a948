#pragma once

#include "nodes/node.hpp"

#include <string>

namespace backplane::onnx {

/// [N, spatial..., C] as [N, C, spatial...].
OutputSlot MoveChannelsSecond(Node& node, OutputSlot input, const std::string& suffix);

/// [N, C, spatial...] as [N, spatial..., C].
OutputSlot MoveChannelsLast(Node& node, OutputSlot input, const std::string& suffix);

}  // namespace backplane::onnx
