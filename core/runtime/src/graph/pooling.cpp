#include "graph/operator_inputs.hpp"
#include "graph/operators.hpp"
#include "graph/window.hpp"

#include <backplane/api/descriptors/pooling.hpp>

#include <cmath>

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

// kInvalidDescriptor unless it is known.
void RequireRounding(const OperatorInputs& inputs, OutputRounding rounding) {
  inputs.RequireKnown("rounding", rounding, {OutputRounding::kFloor, OutputRounding::kCeiling},
                      "Floor or Ceiling");
}

// The windows that fit along one spatial axis.
// Errors: as GetKernelSpan and GetPaddedInput; kWrongShape for an empty axis; kInvalidDescriptor
// for a window that would lie in the padding alone.
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

/// The output of a pooling layer: input 0 with one element for each window. `PoolingLike` has the
/// fields of PoolingDescriptor that state windows; `rounding` has been checked.
/// Errors: kWrongRank, and as CountPoolingWindows.
template <typename PoolingLike>
TensorInfo InferPooled(const OperatorInputs& inputs, const PoolingLike& descriptor) {
  RequireSpatialRank(inputs, descriptor.spatial_rank);
  inputs.RequireRank(0, "the input", descriptor.spatial_rank + 2, "[N, C, spatial...]");
  TensorInfo output = inputs[0];
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    const Window window{inputs[0].shape[axis + 2],   descriptor.kernel[axis],
                        descriptor.strides[axis],    descriptor.dilations[axis],
                        descriptor.pads_begin[axis], descriptor.pads_end[axis]};
    output.shape[axis + 2] = CountPoolingWindows(inputs, window, descriptor.rounding, axis);
  }
  return output;
}

void CheckFields(const OperatorInputs& inputs, const PoolingDescriptor& descriptor) {
  inputs.RequireKnown("method", descriptor.method,
                      {PoolingMethod::kMax, PoolingMethod::kAverage, PoolingMethod::kLp},
                      "Max, Average or Lp");
  RequireRounding(inputs, descriptor.rounding);
  inputs.RequireKnown("padding_in_average", descriptor.padding_in_average,
                      {PaddingInAverage::kExclude, PaddingInAverage::kInclude},
                      "Exclude or Include");
  if (descriptor.method == PoolingMethod::kLp &&
      !(std::isfinite(descriptor.p) && descriptor.p > 0)) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "p is out of range",
                "found " + std::to_string(descriptor.p) + "; expected a finite number above 0",
                "set p, usually to 2");
  }
}

// Indices are int64 and count all elements.
void RequireCountable(const OperatorInputs& inputs, const MaxUnpoolingDescriptor& descriptor) {
  std::int64_t count = 1;
  bool fits = !__builtin_mul_overflow(inputs[0].shape[0], inputs[0].shape[1], &count);
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    fits = fits && !__builtin_mul_overflow(count, descriptor.index_extents[axis], &count);
  }
  if (fits) return;
  inputs.Fail(DiagnosticCode::kTensorTooLarge, "the indices count too many elements",
              "found index_extents whose product with N and C overflows; expected one that fits 63 "
              "bits",
              "correct index_extents");
}

void RequireExtents(const OperatorInputs& inputs, const char* field, const std::int64_t* extents,
                    std::uint32_t spatial_rank) {
  for (std::uint32_t axis = 0; axis < spatial_rank; ++axis) {
    if (extents[axis] >= 0) continue;
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, std::string(field) + " is out of range",
                "found " + std::to_string(extents[axis]) + " at spatial axis " +
                    std::to_string(axis) + "; expected 0 or more",
                std::string("correct ") + field);
  }
}

}  // namespace

// Roots of integers are no integers.
OperatorTypes GetTypesOfPooling(const PoolingDescriptor& descriptor) {
  if (descriptor.method == PoolingMethod::kLp) return {kFloatTypes, QuantizedTensors::kRequantized};
  return {kNumberTypes, QuantizedTensors::kInRange};
}

std::vector<TensorInfo> InferPooling(const OperatorInputs& inputs,
                                     const PoolingDescriptor& descriptor) {
  CheckFields(inputs, descriptor);
  return {InferPooled(inputs, descriptor)};
}

std::vector<TensorInfo> InferMaxPoolingWithIndices(
    const OperatorInputs& inputs, const MaxPoolingWithIndicesDescriptor& descriptor) {
  RequireRounding(inputs, descriptor.rounding);
  inputs.RequireKnown("index_order", descriptor.index_order,
                      {IndexOrder::kRowMajor, IndexOrder::kColumnMajor}, "RowMajor or ColumnMajor");
  const TensorInfo maxima = InferPooled(inputs, descriptor);
  return {maxima, TensorInfo(maxima.shape, DataType::kInt64)};
}

std::vector<TensorInfo> InferMaxUnpooling(const OperatorInputs& inputs,
                                          const MaxUnpoolingDescriptor& descriptor) {
  RequireSpatialRank(inputs, descriptor.spatial_rank);
  const std::uint32_t rank = descriptor.spatial_rank + 2;
  inputs.RequireRank(0, "the input", rank, "[N, C, spatial...]");
  inputs.RequireRank(1, "the indices", rank, "as the input");
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    inputs.RequireExtent(1, "the indices", axis, inputs[0].shape[axis], "as the input has");
  }
  RequireExtents(inputs, "index_extents", descriptor.index_extents, descriptor.spatial_rank);
  RequireExtents(inputs, "extents", descriptor.extents, descriptor.spatial_rank);
  RequireCountable(inputs, descriptor);

  TensorInfo output = inputs[0];
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    output.shape[axis + 2] = descriptor.extents[axis];
  }
  return {output};
}

}  // namespace backplane
