#pragma once

#include "nodes/node.hpp"

#include <cstdint>
#include <string>

namespace backplane::onnx {

/// So many elements of an axis: the tensor itself when these are all.
OutputSlot TakeElements(Node& node, OutputSlot input, std::uint32_t axis, std::int64_t first,
                        std::int64_t count, const std::string& suffix);

/// One behind the other along an axis.
OutputSlot AddConcat(Node& node, OutputSlot a, OutputSlot b, std::uint32_t axis,
                     const std::string& suffix);

}  // namespace backplane::onnx
