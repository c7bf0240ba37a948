#include "graph/window.hpp"

#include <backplane/api/descriptors.hpp>

#include <string>

namespace backplane {

namespace {

std::string NameEntry(const char* field, std::uint32_t spatial_axis) {
  return std::string(field) + "[" + std::to_string(spatial_axis) + "]";
}

}  // namespace

void RequireSpatialRank(const OperatorInputs& inputs, std::uint32_t spatial_rank) {
  if (spatial_rank >= 1 && spatial_rank <= kMaxSpatialRank) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "spatial_rank is out of range",
              "found " + std::to_string(spatial_rank) + "; expected 1 to " +
                  std::to_string(kMaxSpatialRank),
              "set spatial_rank to the rank of the input minus 2");
}

std::int64_t GetKernelSpan(const OperatorInputs& inputs, const Window& window,
                           std::uint32_t spatial_axis) {
  inputs.RequirePositive(NameEntry("strides", spatial_axis), window.stride);
  inputs.RequirePositive(NameEntry("dilations", spatial_axis), window.dilation);
  inputs.RequirePositive(NameEntry("kernel", spatial_axis), window.kernel);
  std::int64_t span = 0;
  if (__builtin_mul_overflow(window.kernel - 1, window.dilation, &span) ||
      __builtin_add_overflow(span, 1, &span)) {
    inputs.Fail(DiagnosticCode::kTensorTooLarge, "the dilated kernel is too large",
                "found kernel " + std::to_string(window.kernel) + " with dilation " +
                    std::to_string(window.dilation) + " at spatial axis " +
                    std::to_string(spatial_axis) + "; expected a span that fits 63 bits",
                "correct the kernel or the dilation");
  }
  return span;
}

std::int64_t GetPaddedInput(const OperatorInputs& inputs, const Window& window, std::int64_t span,
                            std::uint32_t spatial_axis) {
  std::int64_t padded = 0;
  const std::int64_t padding = std::int64_t{window.pad_begin} + window.pad_end;
  const std::string found = "found extent " + std::to_string(window.input) + " with padding " +
                            std::to_string(window.pad_begin) + " + " +
                            std::to_string(window.pad_end) + " at spatial axis " +
                            std::to_string(spatial_axis);
  if (__builtin_add_overflow(window.input, padding, &padded)) {
    inputs.Fail(DiagnosticCode::kTensorTooLarge, "the padded input is too large",
                found + "; expected a sum that fits 63 bits", "correct the padding");
  }
  if (padded < span) {
    inputs.Fail(DiagnosticCode::kWrongShape, "the kernel is larger than the padded input",
                found + " and a kernel that spans " + std::to_string(span) + " (" +
                    std::to_string(window.kernel) + " with dilation " +
                    std::to_string(window.dilation) + "); expected a span of at most " +
                    std::to_string(padded),
                "use a larger input, more padding or a smaller kernel");
  }
  return padded;
}

}  // namespace backplane
