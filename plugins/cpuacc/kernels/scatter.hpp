#pragma once

/// What ScatterElements and ScatterNd have in common: elements that are replaced.

#include "cpu_layers/moved_scales.hpp"
#include "kernel_builders/kernel.hpp"
#include "kernel_builders/layer.hpp"

#include <backplane/api/descriptors/scatter_elements.hpp>

#include <cstdint>
#include <cstring>
#include <optional>

namespace backplane {
namespace cpuacc {

/// Refuses reductions, and scales along an axis along which updates differ from the values:
/// `stays` says whether they are the same.
template <typename Stays>
void RequireReplacement(const Layer& layer, ScatterReduction reduction, const Stays& stays,
                        Refusal& refusal) {
  const auto find_new_axis = [&](std::uint32_t axis) -> std::optional<std::uint32_t> {
    if (!stays(axis)) return std::nullopt;
    return axis;
  };
  RequireMovedScales(layer, refusal, find_new_axis, 0,
                     {{TensorRole::kValue, TensorRole::kIndex, TensorRole::kValue}});
  if (reduction == ScatterReduction::kNone) return;
  refusal.Add("reduction ", static_cast<std::uint32_t>(reduction),
              " is not supported, only None (1)");
}

/// The values before some are replaced; they may be there already.
inline void CopyValues(const KernelRun& run, std::uint64_t size_bytes) {
  if (run.outputs[0] != run.inputs[0]) std::memcpy(run.outputs[0], run.inputs[0], size_bytes);
}

}  // namespace cpuacc
}  // namespace backplane
