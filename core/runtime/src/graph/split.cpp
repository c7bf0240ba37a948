#include "graph/operators.hpp"
#include "graph/scale_axis.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

namespace {

void RequireNumParts(const OperatorInputs& inputs, const SplitDescriptor& descriptor) {
  if (descriptor.num_parts >= 1 && descriptor.num_parts <= kMaxSplitParts) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the number of parts is not possible",
              "found " + std::to_string(descriptor.num_parts) + "; expected 1 to " +
                  std::to_string(kMaxSplitParts),
              "use several layers for more parts");
}

// Subtracted from what is left, so that no sum overflows.
void RequireWholeExtent(const OperatorInputs& inputs, const SplitDescriptor& descriptor) {
  const std::int64_t extent = inputs[0].shape[descriptor.axis];
  std::int64_t left = extent;
  std::string found;
  bool fits = true;
  for (std::uint32_t part = 0; part < descriptor.num_parts; ++part) {
    const std::int64_t length = descriptor.extents[part];
    found += (part == 0 ? "" : ", ") + std::to_string(length);
    fits = fits && length >= 0 && length <= left;
    if (fits) left -= length;
  }
  if (fits && left == 0) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the parts are not the whole",
              "found parts of " + found + " along axis " + std::to_string(descriptor.axis) +
                  "; expected extents of 0 or more with the sum " + std::to_string(extent),
              "let the parts cover the axis exactly");
}

}  // namespace

std::vector<TensorInfo> InferSplit(const OperatorInputs& inputs,
                                   const SplitDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "input 0", 1);
  inputs.RequireAxis(descriptor.axis);
  RequireNumParts(inputs, descriptor);
  // Taken apart along it, the parts would need other scales than the whole.
  RefuseScalesAlong(inputs, descriptor.axis, "its input is quantized along the axis of the parts",
                    "requantize the input with one scale");
  RequireWholeExtent(inputs, descriptor);

  std::vector<TensorInfo> outputs(descriptor.num_parts, inputs[0]);
  for (std::uint32_t part = 0; part < descriptor.num_parts; ++part) {
    outputs[part].shape[descriptor.axis] = descriptor.extents[part];
  }
  return outputs;
}

}  // namespace backplane
