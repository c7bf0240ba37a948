#include "graph/operators.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

namespace {

// Results of at most 32 bits are exact in double precision.
constexpr TypeSet kLinearTypes =
    kFloatTypes | TypeSet{DataType::kInt8,   DataType::kUInt8, DataType::kInt16,
                          DataType::kUInt16, DataType::kInt32, DataType::kUInt32};

bool IsCrop(const ResizeDescriptor& descriptor) {
  return descriptor.coordinates == ResizeCoordinates::kTfCropAndResize;
}

void CheckEnumerators(const OperatorInputs& inputs, const ResizeDescriptor& descriptor) {
  inputs.RequireKnown("interpolation", descriptor.interpolation,
                      {Interpolation::kNearest, Interpolation::kLinear, Interpolation::kCubic},
                      "Nearest, Linear or Cubic");
  inputs.RequireKnown("coordinates", descriptor.coordinates,
                      {ResizeCoordinates::kHalfPixel, ResizeCoordinates::kPytorchHalfPixel,
                       ResizeCoordinates::kAlignCorners, ResizeCoordinates::kAsymmetric,
                       ResizeCoordinates::kTfHalfPixelForNn, ResizeCoordinates::kTfCropAndResize,
                       ResizeCoordinates::kHalfPixelSymmetric},
                      "HalfPixel, PytorchHalfPixel, AlignCorners, Asymmetric, TfHalfPixelForNn, "
                      "TfCropAndResize or HalfPixelSymmetric");
  inputs.RequireKnown("rounding", descriptor.rounding,
                      {NearestRounding::kRoundPreferFloor, NearestRounding::kRoundPreferCeil,
                       NearestRounding::kFloor, NearestRounding::kCeil},
                      "RoundPreferFloor, RoundPreferCeil, Floor or Ceil");
  inputs.RequireFlag("exclude_outside", descriptor.exclude_outside);
}

void CheckNumbersOfAxis(const OperatorInputs& inputs, const ResizeDescriptor& descriptor,
                        std::uint32_t axis) {
  const std::string entry = "[" + std::to_string(axis) + "]";
  inputs.RequireFinite("scales" + entry, descriptor.scales[axis]);
  if (descriptor.scales[axis] < 0) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "scales" + entry + " is negative",
                "found " + std::to_string(descriptor.scales[axis]) +
                    "; expected a scale above 0, or 0 for that of the extents",
                "set scales" + entry + " to 0 or more");
  }
  if (!IsCrop(descriptor)) return;
  inputs.RequireFinite("roi_begin" + entry, descriptor.roi_begin[axis]);
  inputs.RequireFinite("roi_end" + entry, descriptor.roi_end[axis]);
}

void CheckExtent(const OperatorInputs& inputs, const ResizeDescriptor& descriptor,
                 std::uint32_t axis) {
  const std::int64_t wanted = descriptor.extents[axis];
  const std::string field = "extents[" + std::to_string(axis) + "]";
  if (wanted < 0) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, field + " is negative",
                "found " + std::to_string(wanted) + "; expected 0 or more",
                "set " + field + " to the extent of the output");
  }
  if (wanted == 0 || inputs[0].shape[axis] > 0) return;
  inputs.Fail(DiagnosticCode::kWrongShape, "an axis without elements cannot be stretched",
              "found extent 0 at axis " + std::to_string(axis) + " of " +
                  DescribeTensor(inputs[0]) + " and " + field + " " + std::to_string(wanted) +
                  "; expected elements to stretch, or an output without any",
              "correct the shape of the input, or the descriptor");
}

bool IsLeftAlone(const OperatorInputs& inputs, const ResizeDescriptor& descriptor,
                 std::uint32_t axis) {
  const double scale = descriptor.scales[axis];
  return descriptor.extents[axis] == inputs[0].shape[axis] && (scale == 0.0 || scale == 1.0) &&
         (!IsCrop(descriptor) ||
          (descriptor.roi_begin[axis] == 0.0 && descriptor.roi_end[axis] == 1.0));
}

// Between elements of different scales there is no value that has a scale.
void RefuseQuantizationAlong(const OperatorInputs& inputs, const ResizeDescriptor& descriptor,
                             std::uint32_t axis) {
  const QuantizationInfo& quantization = inputs[0].quantization;
  if (!quantization.IsPerAxis() || quantization.axis != static_cast<std::int32_t>(axis)) return;
  if (IsLeftAlone(inputs, descriptor, axis)) return;
  inputs.Fail(DiagnosticCode::kWrongDataType,
              "its input is quantized along an axis that it resizes",
              "found " + DescribeTensor(inputs[0]) + " quantized along axis " +
                  std::to_string(axis) + "; expected one scale, or scales along an axis that stays",
              "requantize the input with one scale");
}

}  // namespace

OperatorTypes GetTypesOfResize(const ResizeDescriptor& descriptor) {
  if (descriptor.interpolation == Interpolation::kCubic) {
    return {kFloatTypes, QuantizedTensors::kInRange};
  }
  if (descriptor.interpolation == Interpolation::kLinear) {
    return {kLinearTypes, QuantizedTensors::kInRange};
  }
  // The value for what lies outside is a number.
  if (IsCrop(descriptor)) return {kNumberTypes, QuantizedTensors::kInRange};
  return {kStoredTypes, QuantizedTensors::kMoved};
}

std::vector<TensorInfo> InferResize(const OperatorInputs& inputs,
                                    const ResizeDescriptor& descriptor) {
  CheckEnumerators(inputs, descriptor);
  inputs.RequireFinite("cubic_coefficient", descriptor.cubic_coefficient);
  TensorInfo output = inputs[0];
  if (descriptor.rank != output.shape.rank) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "rank is not that of the input",
                "found " + std::to_string(descriptor.rank) + "; expected " +
                    std::to_string(output.shape.rank) + ", the rank of " +
                    DescribeTensor(inputs[0]),
                "describe each axis of the input");
  }
  for (std::uint32_t axis = 0; axis < output.shape.rank; ++axis) {
    CheckNumbersOfAxis(inputs, descriptor, axis);
    CheckExtent(inputs, descriptor, axis);
    RefuseQuantizationAlong(inputs, descriptor, axis);
    output.shape[axis] = descriptor.extents[axis];
  }
  return {output};
}

}  // namespace backplane
