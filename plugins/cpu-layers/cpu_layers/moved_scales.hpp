#pragma once

/// Values that are moved to other axes take their scales along.

#include "cpu_layers/refusal.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace backplane {
namespace cpu_layers {

/// The axis of the output along which what lay along an axis of the values lies; nothing when it
/// does not stay together.
using FindNewAxis = std::function<std::optional<std::uint32_t>(std::uint32_t axis)>;

/// As RequireOneRepresentation, for a layer with one output whose quantisation is that of input
/// `values`, along the axis to which that has moved.
void RequireMovedScales(const Layer& layer, Refusal& refusal, const FindNewAxis& find_new_axis,
                        std::uint32_t values = 0, const TensorRoles& roles = {});

}  // namespace cpu_layers
}  // namespace backplane
