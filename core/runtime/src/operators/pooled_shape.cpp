#include "operators/pooled_shape.hpp"

#include "operators/known_number.hpp"

namespace backplane {

namespace {

// A window that lies in the padding alone has neither a maximum nor an average.
void RequireElementInWindows(const OperatorInputs& inputs, const Window& window, std::int64_t span,
                             std::uint32_t spatial_axis) {
  if (window.input == 0) {
    inputs.Fail(
        DiagnosticCode::kWrongShape, "a spatial axis of the input is empty",
        "found extent 0 at spatial axis " + std::to_string(spatial_axis) + "; expected 1 or more",
        "correct the shape of the input");
  }
  if (window.pad_begin < span && window.pad_end < span) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the padding is as wide as the kernel",
              "found padding " + std::to_string(window.pad_begin) + " and " +
                  std::to_string(window.pad_end) + " at spatial axis " +
                  std::to_string(spatial_axis) + "; expected less than " + std::to_string(span) +
                  ", what the kernel spans",
              "use less padding");
}

}  // namespace

void RequireRounding(const OperatorInputs& inputs, OutputRounding rounding) {
  RequireKnown(inputs, "rounding", rounding, {OutputRounding::kFloor, OutputRounding::kCeiling},
               "Floor or Ceiling");
}

std::int64_t CountPoolingWindows(const OperatorInputs& inputs, const Window& window,
                                 OutputRounding rounding, std::uint32_t spatial_axis) {
  const std::int64_t span = GetKernelSpan(inputs, window, spatial_axis);
  RequireElementInWindows(inputs, window, span, spatial_axis);
  const std::int64_t room = GetPaddedInput(inputs, window, span, spatial_axis) - span;
  std::int64_t count = room / window.stride + 1;
  const std::int64_t left_over = room % window.stride;
  if (rounding == OutputRounding::kCeiling && left_over != 0) {
    // One more, unless it would begin behind the input and the padding at its begin. The stride is
    // subtracted on the right because the begin itself may not fit 63 bits.
    if (room - left_over < window.input + window.pad_begin - window.stride) ++count;
  }
  return count;
}

}  // namespace backplane
