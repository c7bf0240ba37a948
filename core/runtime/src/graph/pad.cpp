#include "graph/operators.hpp"
#include "graph/scale_axis.hpp"

#include <algorithm>

namespace backplane {

namespace {

// One axis of the input with its padding.
struct PaddedAxis {
  std::uint32_t axis;
  std::int64_t extent;
  std::int64_t begin;
  std::int64_t end;
};

std::string Describe(const PaddedAxis& padded) {
  return "found extent " + std::to_string(padded.extent) + " with padding " +
         std::to_string(padded.begin) + " and " + std::to_string(padded.end) + " at axis " +
         std::to_string(padded.axis);
}

// What is left of the extent after negative padding. Subtracted one after the other, so that
// nothing overflows.
std::int64_t Crop(const OperatorInputs& inputs, const PaddedAxis& padded) {
  std::int64_t left =
      padded.extent + std::max(std::min<std::int64_t>(padded.begin, 0), -padded.extent - 1);
  if (left >= 0) left += std::max(std::min<std::int64_t>(padded.end, 0), -left - 1);
  if (left >= 0) return left;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "negative padding takes more than there is",
              Describe(padded) + "; expected at most " + std::to_string(padded.extent) +
                  " elements to be taken away",
              "correct the padding");
}

// How wide the padding may be, where it repeats what is left of the input.
void CheckSource(const OperatorInputs& inputs, PaddingMode mode, const PaddedAxis& padded,
                 std::int64_t left) {
  const std::int64_t widest = std::max(padded.begin, padded.end);
  if (mode == PaddingMode::kConstant || widest <= 0) return;
  if (mode == PaddingMode::kReflect && widest >= left) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the padding is wider than what it reflects",
                Describe(padded) + "; expected padding of at most " +
                    std::to_string(std::max<std::int64_t>(left - 1, 0)) +
                    ", one less than the elements there are",
                "use less padding, or another mode");
  }
  if (left > 0) return;
  inputs.Fail(DiagnosticCode::kWrongShape, "the padding repeats an edge of no elements",
              Describe(padded) + "; expected at least one element",
              "correct the shape of the input, or use the mode Constant");
}

std::int64_t GetPaddedExtent(const OperatorInputs& inputs, PaddingMode mode,
                             const PaddedAxis& padded) {
  const std::int64_t left = Crop(inputs, padded);
  CheckSource(inputs, mode, padded, left);
  std::int64_t result = 0;
  if (!__builtin_add_overflow(left, std::max<std::int64_t>(padded.begin, 0), &result) &&
      !__builtin_add_overflow(result, std::max<std::int64_t>(padded.end, 0), &result)) {
    return result;
  }
  inputs.Fail(DiagnosticCode::kTensorTooLarge, "the padded input is too large",
              Describe(padded) + "; expected a sum that fits 63 bits", "correct the padding");
}

}  // namespace

std::vector<TensorInfo> InferPad(const OperatorInputs& inputs, const PadDescriptor& descriptor) {
  inputs.RequireKnown("mode", descriptor.mode,
                      {PaddingMode::kConstant, PaddingMode::kReflect, PaddingMode::kEdge},
                      "Constant, Reflect or Edge");
  if (inputs.Size() == 2) inputs.RequireRank(1, "the value of the padding", 0, "a scalar");
  TensorInfo output = inputs[0];
  for (std::uint32_t axis = 0; axis < output.shape.rank; ++axis) {
    output.shape[axis] = GetPaddedExtent(
        inputs, descriptor.mode,
        {axis, inputs[0].shape[axis], descriptor.pads_begin[axis], descriptor.pads_end[axis]});
  }
  KeepScales(inputs, 0, [&](std::uint32_t axis) {
    return descriptor.pads_begin[axis] == 0 && descriptor.pads_end[axis] == 0;
  });
  return {output};
}

}  // namespace backplane
