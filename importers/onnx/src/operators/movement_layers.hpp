#pragma once

/// Layers that put elements elsewhere, as parts of what operators become.

#include "nodes/node.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::onnx {

/// Axis i of the result is axis permutation[i].
OutputSlot AddTranspose(Node& node, OutputSlot input, const std::vector<std::uint32_t>& permutation,
                        const std::string& suffix);

/// `extent` elements along the axis, from `start` on, `step` apart.
OutputSlot AddSlice(Node& node, OutputSlot input, std::uint32_t axis, std::int64_t start,
                    std::int64_t extent, const std::string& suffix, std::int64_t step = 1);

/// As AddSlice; the tensor itself when these are all of its elements.
OutputSlot TakeElements(Node& node, OutputSlot input, std::uint32_t axis, std::int64_t first,
                        std::int64_t count, const std::string& suffix);

OutputSlot AddConcat(Node& node, const std::vector<OutputSlot>& inputs, std::uint32_t axis,
                     const std::string& suffix);

/// The tensor as it broadcasts to the shape, by a layer also when it has that shape already.
OutputSlot AddBroadcast(Node& node, OutputSlot input, const TensorShape& shape,
                        const std::string& suffix);

/// As AddBroadcast; the tensor itself when it has that shape already.
OutputSlot AddExpand(Node& node, OutputSlot input, const TensorShape& shape,
                     const std::string& suffix);

/// [N, spatial..., C] as [N, C, spatial...].
OutputSlot MoveChannelsSecond(Node& node, OutputSlot input, const std::string& suffix);

/// [N, C, spatial...] as [N, spatial..., C].
OutputSlot MoveChannelsLast(Node& node, OutputSlot input, const std::string& suffix);

}  // namespace backplane::onnx
