#include "operators/operators.hpp"
#include "operators/window.hpp"

namespace backplane {

namespace {

template <typename Enumeration>
[[noreturn]] void FailUnknown(const OperatorInputs& inputs, const std::string& field,
                              Enumeration value, const char* expected) {
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, field + " is not known",
              "found number " + std::to_string(static_cast<std::uint32_t>(value)) + "; expected " +
                  expected,
              "set " + field + " to one of these");
}

void CheckEnumerators(const OperatorInputs& inputs, const PoolingDescriptor& descriptor) {
  if (descriptor.method != PoolingMethod::kMax && descriptor.method != PoolingMethod::kAverage) {
    FailUnknown(inputs, "method", descriptor.method, "Max or Average");
  }
  if (descriptor.rounding != OutputRounding::kFloor &&
      descriptor.rounding != OutputRounding::kCeiling) {
    FailUnknown(inputs, "rounding", descriptor.rounding, "Floor or Ceiling");
  }
  if (descriptor.padding_in_average != PaddingInAverage::kExclude &&
      descriptor.padding_in_average != PaddingInAverage::kInclude) {
    FailUnknown(inputs, "padding_in_average", descriptor.padding_in_average, "Exclude or Include");
  }
}

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

std::int64_t CountWindows(const Window& window, std::int64_t span, std::int64_t padded,
                          OutputRounding rounding) {
  const std::int64_t room = padded - span;
  std::int64_t count = room / window.stride + 1;
  const std::int64_t left_over = room % window.stride;
  if (rounding == OutputRounding::kCeiling && left_over != 0) {
    // One more, unless it would begin behind the input and the padding at its begin. The stride is
    // subtracted on the right because the begin itself may not fit 63 bits.
    if (room - left_over < window.input + window.pad_begin - window.stride) ++count;
  }
  return count;
}

}  // namespace

OperatorTypes GetTypesOfPooling(const PoolingDescriptor& /*descriptor*/) {
  return {kNumberTypes, QuantizedTensors::kInRange};
}

std::vector<TensorInfo> InferPooling(const OperatorInputs& inputs,
                                     const PoolingDescriptor& descriptor) {
  CheckEnumerators(inputs, descriptor);
  RequireSpatialRank(inputs, descriptor.spatial_rank);
  inputs.RequireRank(0, "the input", descriptor.spatial_rank + 2, "[N, C, spatial...]");

  TensorInfo output = inputs[0];
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    const Window window{inputs[0].shape[axis + 2],   descriptor.kernel[axis],
                        descriptor.strides[axis],    descriptor.dilations[axis],
                        descriptor.pads_begin[axis], descriptor.pads_end[axis]};
    const std::int64_t span = GetKernelSpan(inputs, window, axis);
    RequireElementInWindows(inputs, window, span, axis);
    const std::int64_t padded = GetPaddedInput(inputs, window, span, axis);
    output.shape[axis + 2] = CountWindows(window, span, padded, descriptor.rounding);
  }
  return {output};
}

}  // namespace backplane
