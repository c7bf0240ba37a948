#pragma once

#include "operators/operator_inputs.hpp"
#include "operators/window.hpp"

#include <backplane/api/descriptors/pooling.hpp>

namespace backplane {

/// kInvalidDescriptor unless it is known.
void RequireRounding(const OperatorInputs& inputs, OutputRounding rounding);

/// The windows that fit along one spatial axis.
/// Errors: as GetKernelSpan and GetPaddedInput; kWrongShape for an empty axis; kInvalidDescriptor
/// for a window that would lie in the padding alone.
std::int64_t CountPoolingWindows(const OperatorInputs& inputs, const Window& window,
                                 OutputRounding rounding, std::uint32_t spatial_axis);

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

}  // namespace backplane
