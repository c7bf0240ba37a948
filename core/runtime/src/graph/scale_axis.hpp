#pragma once

#include "graph/operator_inputs.hpp"

#include <cstdint>
#include <optional>

namespace backplane {

/// The axis along which an input has scales; null when it has one scale, or none.
std::optional<std::uint32_t> FindScaleAxis(const OperatorInputs& inputs, std::size_t input);

/// kWrongDataType, with this text and advice, when input 0 has scales along the axis.
void RefuseScalesAlong(const OperatorInputs& inputs, std::uint32_t axis, const char* what,
                       const char* fix);

/// Gives `output` the quantization of an input whose elements it moves. `new_axis(axis)` is the
/// axis of the output along which the scales of axis `axis` of the input lie; null when an index
/// along it no longer means one scale. Errors: kWrongDataType then.
template <typename NewAxis>
void MoveScales(const OperatorInputs& inputs, std::size_t input, TensorInfo& output,
                const NewAxis& new_axis);

/// kWrongDataType: the scales along an axis of the input do not hold for the output.
[[noreturn]] void FailScaleAxis(const OperatorInputs& inputs, std::size_t input,
                                std::uint32_t axis);

template <typename NewAxis>
void MoveScales(const OperatorInputs& inputs, std::size_t input, TensorInfo& output,
                const NewAxis& new_axis) {
  output.quantization = inputs[input].quantization;
  const std::optional<std::uint32_t> axis = FindScaleAxis(inputs, input);
  if (!axis) return;
  const std::optional<std::uint32_t> moved = new_axis(*axis);
  if (!moved) FailScaleAxis(inputs, input, *axis);
  output.quantization.axis = static_cast<std::int32_t>(*moved);
}

/// As above for an output whose axes are those of the input, where `stays(axis)` says whether the
/// indices along an axis mean what they meant.
template <typename Stays>
void KeepScales(const OperatorInputs& inputs, std::size_t input, const Stays& stays) {
  const std::optional<std::uint32_t> axis = FindScaleAxis(inputs, input);
  if (axis && !stays(*axis)) FailScaleAxis(inputs, input, *axis);
}

}  // namespace backplane
