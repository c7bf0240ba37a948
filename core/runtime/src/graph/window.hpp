#pragma once

#include "graph/operator_inputs.hpp"

#include <cstdint>

namespace backplane {

/// A window that slides along one spatial axis.
struct Window {
  std::int64_t input = 0;  // the extent that it slides over, without padding
  std::int64_t kernel = 1;
  std::uint32_t stride = 1;
  std::uint32_t dilation = 1;
  std::uint32_t pad_begin = 0;
  std::uint32_t pad_end = 0;
};

/// kInvalidDescriptor unless it is 1 to kMaxSpatialRank.
void RequireSpatialRank(const OperatorInputs& inputs, std::uint32_t spatial_rank);

/// From the first element that the kernel covers to the last: (kernel - 1) * dilation + 1.
/// Errors: kInvalidDescriptor for a stride, dilation or kernel of 0; kTensorTooLarge.
std::int64_t GetKernelSpan(const OperatorInputs& inputs, const Window& window,
                           std::uint32_t spatial_axis);

/// The input with its padding.
/// Errors: kWrongShape when that is less than the span; kTensorTooLarge.
std::int64_t GetPaddedInput(const OperatorInputs& inputs, const Window& window, std::int64_t span,
                            std::uint32_t spatial_axis);

}  // namespace backplane
