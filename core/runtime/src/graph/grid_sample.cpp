#include "graph/operators.hpp"
#include "graph/spatial_axes.hpp"
#include "tensors/tensor_text.hpp"

#include <cmath>

namespace backplane {

namespace {

void CheckDescriptor(const OperatorInputs& inputs, const GridSampleDescriptor& descriptor) {
  inputs.RequireKnown("interpolation", descriptor.interpolation,
                      {Interpolation::kNearest, Interpolation::kLinear, Interpolation::kCubic},
                      "Nearest, Linear or Cubic");
  inputs.RequireKnown("padding", descriptor.padding,
                      {GridPadding::kZeros, GridPadding::kBorder, GridPadding::kReflection},
                      "Zeros, Border or Reflection");
  inputs.RequireFlag("align_corners", descriptor.align_corners);
  if (std::isfinite(descriptor.cubic_coefficient)) return;
  inputs.Fail(
      DiagnosticCode::kInvalidDescriptor, "cubic_coefficient is not finite",
      "found " + std::to_string(descriptor.cubic_coefficient) + "; expected a finite number",
      "set cubic_coefficient, usually to -0.75");
}

void RefuseQuantizationAlongSpace(const OperatorInputs& inputs) {
  const QuantizationInfo& quantization = inputs[0].quantization;
  if (!quantization.IsPerAxis() || quantization.axis < 2) return;
  inputs.Fail(DiagnosticCode::kWrongDataType, "its input is quantized along a spatial axis",
              "found " + DescribeTensor(inputs[0]) + " quantized along axis " +
                  std::to_string(quantization.axis) +
                  "; expected one scale, or scales along axis 0 or 1",
              "requantize the input with one scale");
}

}  // namespace

std::vector<TensorInfo> InferGridSample(const OperatorInputs& inputs,
                                        const GridSampleDescriptor& descriptor) {
  CheckDescriptor(inputs, descriptor);
  const std::uint32_t spatial_rank = GetSpatialRank(inputs);
  inputs.RequireRank(1, "the grid", spatial_rank + 2, "[N, spatial..., coordinates]");
  inputs.RequireExtent(1, "the grid", 0, inputs[0].shape[0], "N of the input");
  inputs.RequireExtent(1, "the grid", spatial_rank + 1, spatial_rank,
                       "a coordinate for each spatial axis");
  RequireSpatialElements(inputs);
  RefuseQuantizationAlongSpace(inputs);
  TensorInfo output = inputs[0];
  for (std::uint32_t axis = 0; axis < spatial_rank; ++axis) {
    output.shape[axis + 2] = inputs[1].shape[axis + 1];
  }
  return {output};
}

}  // namespace backplane
