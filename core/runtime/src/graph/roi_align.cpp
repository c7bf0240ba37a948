#include "graph/operators.hpp"
#include "graph/spatial_axes.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

namespace {

void CheckDescriptor(const OperatorInputs& inputs, const RoiAlignDescriptor& descriptor) {
  inputs.RequireKnown("method", descriptor.method, {PoolingMethod::kMax, PoolingMethod::kAverage},
                      "Max or Average");
  inputs.RequireKnown("coordinates", descriptor.coordinates,
                      {RoiCoordinates::kHalfPixel, RoiCoordinates::kOutputHalfPixel},
                      "HalfPixel or OutputHalfPixel");
  inputs.RequireFinite("spatial_scale", descriptor.spatial_scale);
}

// Regions come from any batch.
void RefuseQuantization(const OperatorInputs& inputs) {
  const QuantizationInfo& quantization = inputs[0].quantization;
  if (!quantization.IsPerAxis() || quantization.axis == 1) return;
  inputs.Fail(DiagnosticCode::kWrongDataType, "its input is quantized along an axis that changes",
              "found " + DescribeTensor(inputs[0]) + " quantized along axis " +
                  std::to_string(quantization.axis) +
                  "; expected one scale, or scales along axis 1, the channels",
              "requantize the input with one scale");
}

}  // namespace

std::vector<TensorInfo> InferRoiAlign(const OperatorInputs& inputs,
                                      const RoiAlignDescriptor& descriptor) {
  CheckDescriptor(inputs, descriptor);
  inputs.RequireRank(0, "the input", 4, "[N, C, H, W]");
  inputs.RequireRank(1, "the regions", 2, "[R, 4]");
  inputs.RequireRank(2, "the batch indices", 1, "[R]");
  inputs.RequireExtent(1, "the regions", 1, 4, "x1, y1, x2 and y2 of a region");
  inputs.RequireExtent(2, "the batch indices", 0, inputs[1].shape[0], "one for each region");
  RequireSpatialElements(inputs);
  RefuseQuantization(inputs);
  TensorInfo output = inputs[0];
  output.shape[0] = inputs[1].shape[0];
  output.shape[2] = descriptor.output_height;
  output.shape[3] = descriptor.output_width;
  return {output};
}

}  // namespace backplane
