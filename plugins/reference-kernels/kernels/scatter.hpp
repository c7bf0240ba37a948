#pragma once

/// What ScatterElements and ScatterNd have in common.

#include "cpu_layers/arithmetic.hpp"
#include "cpu_layers/moved_scales.hpp"
#include "elements/compute_type.hpp"
#include "elements/converting_kernel.hpp"
#include "layer.hpp"

#include <backplane/api/descriptors/scatter_elements.hpp>

#include <cstdint>
#include <memory>

namespace backplane {
namespace reference {

/// Calls function(combine), where combine(element, update) is what becomes of the element.
template <typename Number, typename Function>
void WithReduction(ScatterReduction reduction, Function&& function) {
  switch (reduction) {
    case ScatterReduction::kNone:
      return function([](Number, Number update) { return update; });
    case ScatterReduction::kAdd:
      return function([](Number a, Number b) { return Add(a, b); });
    case ScatterReduction::kMul:
      return function([](Number a, Number b) { return Multiply(a, b); });
    case ScatterReduction::kMax:
      return function([](Number a, Number b) { return GetMaximum(a, b); });
    case ScatterReduction::kMin:
      return function([](Number a, Number b) { return GetMinimum(a, b); });
  }
}

/// Refuses reductions that are not known, and data types that they make no sense of. `stays` says
/// whether the scales along an axis of input 0 are also those of the updates.
template <typename Stays>
void CheckScatterTypes(const Layer& layer, ScatterReduction reduction, const Stays& stays,
                       Refusal& refusal) {
  const TensorRoles roles = {{TensorRole::kValue, TensorRole::kIndex, TensorRole::kValue}};
  if (reduction == ScatterReduction::kNone) {
    RequireMovedScales(
        layer, refusal,
        [&](std::uint32_t axis) -> std::optional<std::uint32_t> {
          if (!stays(axis)) return std::nullopt;
          return axis;
        },
        0, roles);
    return;
  }
  RequireNumbers(layer, refusal, roles);
  const auto number = static_cast<std::uint32_t>(reduction);
  if (number >= 1 && number <= 5) return;
  refusal.Add("reduction ", number,
              " is not supported, only None (1), Add (2), Mul (3), Max (4) and Min (5)");
}

/// Elements that are replaced are moved as they are stored; others are calculated with.
template <template <typename Number> class TypedKernel>
std::unique_ptr<Kernel> MakeScatterKernel(const Layer& layer, ScatterReduction reduction) {
  if (reduction != ScatterReduction::kNone) return MakeNumberKernel<TypedKernel>(layer);
  std::unique_ptr<Kernel> kernel;
  switch (GetDataTypeSizeBytes(layer.Output().data_type)) {
    case 1:
      kernel = std::make_unique<TypedKernel<std::uint8_t>>(layer);
      break;
    case 2:
      kernel = std::make_unique<TypedKernel<std::uint16_t>>(layer);
      break;
    case 4:
      kernel = std::make_unique<TypedKernel<std::uint32_t>>(layer);
      break;
    default:
      kernel = std::make_unique<TypedKernel<std::uint64_t>>(layer);
  }
  return WithConvertedInputs(layer, {1}, std::move(kernel));
}

}  // namespace reference
}  // namespace backplane
